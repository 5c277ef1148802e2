"""The checker of judge.yaml: which keys each kind takes, and which signatures it can judge."""

import pytest
from package_builder import JUDGE_YAML

from judge.domain.checkers.fit import answer_type, misfit
from judge.domain.checkers.tokens import SMALLEST_TOLERANCE
from judge.domain.problem import STDIO_SIGNATURE, CheckerSpec, Mode
from judge.domain.signatures import make_signature
from judge.errors import Finding
from judge.packages.judge_yaml import CheckerYaml, JudgeYaml
from judge.packages.manifest import check_model
from judge.packages.yaml_text import parse_yaml

# checker, type that is returned (the parameters are values: list[float] and limit: float)
FITTING = [
    ("{kind: exact}", "int", CheckerSpec("exact")),
    ("{kind: close}", "int", CheckerSpec("close", 1e-9, 1e-9)),
    ("{kind: close, abs: 0, rel: 1e-6}", "float", CheckerSpec("close", 0.0, 1e-6)),
    ("{kind: close, nan_equal: true}", "float", CheckerSpec("close", 1e-9, 1e-9, True)),
    ("{kind: set}", "list[str]", CheckerSpec("set")),
    ("{kind: set, abs: 1e-6}", "list[float]", CheckerSpec("set", 1e-6)),
    ("{kind: multiset, rel: 1e-6}", "ndarray[f64, 1]", CheckerSpec("multiset", 0.0, 1e-6)),
    ("{kind: permutation}", "list[list[int]]", CheckerSpec("permutation")),
    ("{kind: permutation, key: values}", "list[int]", CheckerSpec("permutation", key="values")),
    (
        "{kind: permutation, key: place}",
        "'list[tuple[token: int, place: int]]'",
        CheckerSpec("permutation", key="place"),
    ),
    (
        "{kind: permutation, key: '1'}",
        "'list[tuple[int, int]]'",
        CheckerSpec("permutation", key="1"),
    ),
    ("{kind: custom}", "list[int]", CheckerSpec("custom")),
    ("{kind: custom, image: cpp}", "int", CheckerSpec("custom")),
    (
        "{kind: distribution, uniforms: values}",
        "int",
        CheckerSpec("distribution", draws=5000, uniforms="values", per_draw=1),
    ),
    (
        "{kind: distribution, uniforms: values, draws: 20000, per_draw: 8}",
        "int",
        CheckerSpec("distribution", draws=20_000, uniforms="values", per_draw=8),
    ),
]
REFUSED = [
    ("{kind: fuzzy}", "int", "Input should be"),
    ("{kind: exact, abs: 1.0e-9}", "int", "an exact checker takes no tolerance"),
    ("{kind: exact, nan_equal: true}", "int", "an exact checker takes no key 'nan_equal'"),
    ("{kind: close, abs: -1}", "float", "greater than or equal to 0"),
    ("{kind: close, rel: .nan}", "float", "finite"),
    ("{kind: close, key: values}", "list[int]", "a close checker takes no key 'key'"),
    ("{kind: multiset, case_sensitive: true}", "list[int]", "takes no key 'case_sensitive'"),
    ("{kind: set}", "int", "set compares the items of a list or of an array of one dimension"),
    ("{kind: multiset}", "'ndarray[f64, 2]'", "the function returns ndarray[f64, 2]"),
    ("{kind: permutation}", "'dict[int, int]'", "the function returns dict[int, int]"),
    ("{kind: permutation, key: limit}", "list[int]", "no parameter of list or array type"),
    ("{kind: permutation, key: absent}", "list[int]", "no parameter of list or array type"),
    ("{kind: permutation, key: values}", "list[str]", "a key needs items that are tuples or"),
    ("{kind: permutation, key: '2'}", "'list[tuple[int, int]]'", "neither name nor number"),
    ("{kind: permutation, key: a b}", "list[int]", "pattern"),
    ("{kind: tokens}", "str", "for stdio problems only"),
    ("{kind: custom, image: rust}", "int", "Input should be"),
    ("{kind: distribution}", "int", "uniforms must name the parameter"),
    ("{kind: distribution, uniforms: limit}", "int", "'limit' is no parameter of type list[float]"),
    ("{kind: distribution, uniforms: values}", "float", "the function returns float"),
    ("{kind: distribution, uniforms: values, draws: 10}", "int", "greater than or equal to 100"),
]


def read(checker: str, returns: str) -> tuple[JudgeYaml | None, list[Finding]]:
    """A judge.yaml with this checker and this returned type, and what is found wrong with it."""
    text = JUDGE_YAML.replace("{kind: exact}", checker).replace(
        "returns: int", f"returns: {returns}"
    )
    report: list[Finding] = []
    return check_model(parse_yaml("judge.yaml", text.encode()), JudgeYaml, report), report


@pytest.mark.parametrize(("checker", "returns", "spec"), FITTING)
def test_a_checker_says_what_it_says_in_the_words_of_the_domain(
    checker: str, returns: str, spec: CheckerSpec
) -> None:
    yaml, report = read(checker, returns)
    assert report == []
    assert yaml is not None
    assert yaml.checker.spec() == spec


@pytest.mark.parametrize(("checker", "returns", "message"), REFUSED)
def test_a_checker_that_cannot_judge_is_refused_at_its_line(
    checker: str, returns: str, message: str
) -> None:
    yaml, (finding, *more) = read(checker, returns)
    assert yaml is None
    assert not more
    assert (finding.code, finding.where) == ("bad-value", "judge.yaml:13")
    assert message in finding.message


def test_a_signature_that_does_not_parse_is_reported_where_it_stands() -> None:
    yaml, report = read("{kind: set}", "list[double]")
    assert (yaml is None, report) == (False, [])


@pytest.mark.parametrize("kind", ["tokens", "custom"])
def test_what_a_program_prints_is_checked_by_tokens_or_by_a_program(kind: str) -> None:
    assert misfit(CheckerSpec(kind), Mode.STDIO, STDIO_SIGNATURE) == ""


@pytest.mark.parametrize("kind", ["exact", "close", "set", "distribution"])
def test_what_a_program_prints_is_no_typed_value(kind: str) -> None:
    sentence = misfit(CheckerSpec(kind), Mode.STDIO, STDIO_SIGNATURE)
    assert sentence == "a stdio problem is checked by tokens or custom"


def test_the_answer_of_a_distribution_is_its_pmf() -> None:
    signature = make_signature("draw", {"u": "list[float]"}, "int")
    assert str(answer_type(CheckerSpec("distribution"), signature)) == "list[float]"
    assert str(answer_type(CheckerSpec("exact"), signature)) == "int"


def test_a_tolerance_of_zero_for_tokens_still_compares_numbers_as_numbers() -> None:
    stated = CheckerYaml.model_validate({"kind": "tokens", "abs": 0.0})
    assert stated.spec() == CheckerSpec("tokens", abs_tolerance=SMALLEST_TOLERANCE)
    assert CheckerYaml.model_validate({"kind": "tokens"}).spec() == CheckerSpec("tokens")
