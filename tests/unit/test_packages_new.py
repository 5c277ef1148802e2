"""A new package: it lints, says what is still to be written, and its parts fit its signature."""

import random
from uuid import UUID

import numpy as np
import pytest
from package_builder import JUDGE_YAML, load_package, package_texts

from judge.domain.signatures import SignatureError, parse_signature
from judge.domain.values import to_json
from judge.harness import wire
from judge.packages import writer
from judge.packages.files import PackageFiles
from judge.packages.lint import lint
from judge.packages.new import new_package
from judge.packages.new_values import count_inputs, draw_code, example, nesting
from judge.packages.package import Package, load
from judge.packages.rules.placeholders import MARKS, unwritten_texts

UUID_OF_TESTS = UUID("6a2f4c1e-9b0d-4e57-8a63-1f0c5d7e9b21")
TEXTS = ("statement/problem", "hints/1", "solution/solution")
SIGNATURES = [
    "f(logits: list[float], k: int) -> int",
    "f(n: int) -> int",
    "f(a: bool, b: bool) -> bool",
    "f(text: str) -> str",
    "f(rows: list[list[float]], x: float) -> tuple[best: int, scores: list[float]]",
    "f(probs: ndarray[f64, 2], marks: ndarray[bool, 1]) -> ndarray[i64, 1]",
    "f(weights: dict[str, float], ids: dict[int, list[int]]) -> dict[int, float]",
    "f(limit: optional[float], pair: tuple[int, tuple[str]]) -> optional[int]",
    "f(deep: ndarray[f32, 4]) -> float",
    "f(draw: int, size: float, random: list[int], np: ndarray[f64, 1], seen: str) -> str",
]


def made(signature: str, *languages: str) -> Package:
    """A new package as it is read back."""
    files = new_package(parse_signature(signature), UUID_OF_TESTS, languages or ("python",))
    return load(PackageFiles(files), "f")


def errors(package: Package) -> list[str]:
    return [str(each) for each in lint(package, ()) if each.severity == "error"]


def generated(package: Package) -> list[tuple]:
    """What its generator makes; the text is our own, so it may run here."""
    names: dict = {}
    exec(package.tools.generator, names)  # noqa: S102
    assert names["fresh"](7)
    return names["generate"]()


class TestSignatureText:
    @pytest.mark.parametrize("text", SIGNATURES)
    def test_it_is_read_as_it_is_written(self, text):
        assert str(parse_signature(text)) == text

    def test_spaces_do_not_matter(self):
        assert str(parse_signature(" f( a :int,b: list[ str ] )->  bool ")) == (
            "f(a: int, b: list[str]) -> bool"
        )

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "f",
            "f() -> int",
            "f(a) -> int",
            "f(a: int)",
            "f(a: int, a: int) -> int",
            "f(a: number) -> int",
            "F(a: int) -> int",
            "f(class: int) -> int",
            "f(a: int) -> ",
            "f(a: int) -> int -> int",
            "f(a: int,) -> int",
        ],
    )
    def test_what_is_no_signature_is_refused(self, text):
        with pytest.raises(SignatureError):
            parse_signature(text)


@pytest.mark.parametrize("signature", SIGNATURES)
class TestEverySignature:
    def test_a_new_package_has_no_lint_error(self, signature):
        assert errors(made(signature)) == []
        assert errors(made(signature, "python", "cpp", "java")) == []

    def test_its_generator_makes_different_cases_of_the_right_types(self, signature):
        package = made(signature)
        problem = package.problem
        cases = generated(package)
        assert repr(cases) == repr(generated(package))
        assert {path.rpartition("/")[0] for path, *_ in cases} == {
            group.name for group in problem.groups
        }
        inputs = set()
        for _, *values in cases:
            parts = zip(problem.signature.parameters, values, strict=True)
            inputs.add(repr([to_json(parameter.type, value) for parameter, value in parts]))
        assert len(inputs) == len(cases)

    def test_it_lints_with_its_cases_in_place(self, signature):
        package = made(signature)
        answer = example(package.problem.signature.returns)
        names = [parameter.name for parameter in package.problem.signature.parameters]
        cases = [
            (path, dict(zip(names, values, strict=True)), answer)
            for path, *values in generated(package)
        ]
        files = dict(package.files) | writer.write_cases(package.problem.signature, cases)
        filled = load(PackageFiles(files), "f")
        assert errors(filled) == []
        assert len(filled.problem.cases) == len(cases)

    def test_its_validator_takes_its_cases_and_refuses_its_invalid_input(self, signature):
        package = made(signature)
        names: dict = {}
        exec(package.tools.validator, names)  # noqa: S102 - our own text
        parameters = [parameter.name for parameter in package.problem.signature.parameters]
        for _, *values in generated(package):
            names["validate"](dict(zip(parameters, values, strict=True)))
        for invalid in package.invalid_inputs:
            with pytest.raises(ValueError, match=r"is (negative|not finite|empty)"):
                names["validate"](invalid.arguments)

    def test_its_wrong_submission_returns_the_right_type(self, signature):
        package = made(signature)
        (wrong,) = [each for each in package.submissions if not each.is_accepted]
        names: dict = {}
        exec(wrong.source.decode(), names)  # noqa: S102 - our own text
        returned = names["f"](*package.problem.signature.parameters)
        wire.encode(package.problem.signature.returns, returned)


class TestPlaceholders:
    def test_every_text_that_an_author_has_to_write_is_named(self):
        package = made(SIGNATURES[0], "python", "java")
        warned = {finding.where.partition(":")[0] for finding in lint(package)}
        kinds = {"statement/problem", "solution/solution", "hints/1"}
        texts = {f"{kind}.{locale}.md" for kind in kinds for locale in ("vi", "ja", "en")}
        programs = {"reference.py", "generators/cases.py", "input_validators/validate.py"}
        rest = {"problem.yaml", "judge.yaml", "submissions/accepted/solution.java", "data"}
        assert warned == texts | programs | rest

    def test_a_text_without_a_mark_is_written(self):
        files = dict(new_package(parse_signature(SIGNATURES[0]), UUID_OF_TESTS))
        files["hints/1.en.md"] = b"Sort first.\n"
        warned = {each.where for each in lint(load(PackageFiles(files), "f"))}
        assert "hints/1.ja.md:1" in warned
        assert not any(where.startswith("hints/1.en.md") for where in warned)

    def test_a_package_of_old_holds_no_mark(self):
        assert not any(mark in text for text in package_texts().values() for mark in MARKS)

    def test_each_locale_has_its_mark(self):
        files = new_package(parse_signature(SIGNATURES[0]), UUID_OF_TESTS)
        for locale in ("en", "vi", "ja"):
            assert any(mark in files[f"statement/problem.{locale}.md"].decode() for mark in MARKS)

    def test_what_learners_would_read_is_told_by_file(self):
        unwritten = unwritten_texts(made(SIGNATURES[0]))
        texts = {f"{kind}.{locale}.md" for kind in TEXTS for locale in ("vi", "ja", "en")}
        assert set(unwritten) == texts | {"problem.yaml", "judge.yaml"}
        assert unwritten_texts(load_package()) == ()

    @pytest.mark.parametrize("text", ["未記入の欄は数えません。", "Not written yet.", "Chưa viết."])
    def test_words_of_a_text_are_no_mark(self, text):
        assert unwritten_texts(load_package({"solution/solution.ja.md": f"{text}\n"})) == ()

    def test_a_mutants_reason_that_nobody_wrote_is_an_error(self):
        entry = '    - id: "sign:2:9:1"\n      reason: "(Not written yet: why)"\n'
        package = load_package({"judge.yaml": f"{JUDGE_YAML}mutants:\n  equivalent:\n{entry}"})
        (found,) = [each for each in lint(package) if each.code == "placeholder"]
        assert (found.severity, found.where) == (
            "error",
            f"judge.yaml:{JUDGE_YAML.count(chr(10)) + 4}",
        )
        assert "sign:2:9:1" in found.message


class TestCases:
    def test_lint_of_a_package_without_cases_tells_what_to_type(self):
        (finding,) = [each for each in lint(made(SIGNATURES[0])) if each.code == "no-cases"]
        assert finding.severity == "warning"
        assert "judge problems generate" in finding.message

    def test_too_few_different_inputs_are_refused(self):
        with pytest.raises(SignatureError, match="too few"):
            made("f(flag: bool) -> int")
        assert count_inputs([parse_signature("f(a: optional[bool]) -> int").returns]) == 1000

    def test_large_cases_stay_small_enough(self):
        for text in SIGNATURES:
            signature = parse_signature(text)
            depth = max(nesting(each.type) for each in signature.parameters)
            for _, *values in generated(made(text)):
                assert len(repr(values)) < 500_000, depth

    def test_a_drawn_array_has_its_dtype(self):
        (parameter,) = parse_signature("f(a: ndarray[f32, 2]) -> int").parameters
        names = {"np": np, "draw": random.Random(1), "size": 3}  # noqa: S311 - no secret
        drawn = eval(draw_code(parameter.type), names)  # noqa: S307 - our own text
        assert (drawn.shape, drawn.dtype) == ((3, 3), np.float32)

    def test_floats_are_compared_closely_and_all_else_exactly(self):
        kinds = {text: made(text).problem.checker.kind for text in SIGNATURES}
        assert kinds[SIGNATURES[0]] == "exact"
        assert kinds[SIGNATURES[4]] == "close"
