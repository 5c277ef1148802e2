"""The proof of a package: a clean one passes, and every false claim gives its finding."""

from collections.abc import Mapping

import pytest
from package_builder import JUDGE_YAML, PROBLEM_YAML, REFERENCE, case_text, case_texts, load_package

from judge.errors import Finding
from judge.grading.pipeline import Grader
from judge.grading.proof import ProofOptions, ProofReport, prove

Changes = Mapping[str, str | bytes | None]

GENERATOR = """\
def generate():
    return [
        ("sample/01", [1.0, 2.0, 3.0], 1.0),
        ("secret/10-basic/01", [4.0, 2.0], 3.0),
        ("secret/10-basic/02", [4.0, 2.5], 1.0),
        ("secret/20-edges/01", [3.0], 3.0),
    ]


def fresh(seed):
    return [float((seed * step) % 7) for step in range(1, 5)], float(seed % 5)
"""
FEW = ProofOptions(first_seed=1, fresh_inputs=5)
CLEAN: Changes = {"generators/cases.py": GENERATOR}


def proof(grader: Grader, changes: Changes | None = None) -> ProofReport:
    """What verification says of a clean package with some files changed."""
    package = load_package({**CLEAN, **(changes or {})})
    return prove(package, grader, lambda _: None, FEW)


def findings(grader: Grader, changes: Changes) -> dict[str, Finding]:
    """The findings of a changed package by code; it must not pass."""
    report = proof(grader, changes)
    assert not report.passed
    return {finding.code: finding for finding in report.findings}


def test_a_clean_package_proves_itself(grader: Grader) -> None:
    report = proof(grader)
    assert report.findings == ()
    assert (report.passed, report.slug, report.cases) == (True, "count_large", 4)
    assert (report.count(accepted=True), report.count(accepted=False)) == (1, 1)


def test_every_submission_has_a_row_with_the_groups_that_failed_it(grader: Grader) -> None:
    accepted, wrong = proof(grader).rows
    assert (accepted.path, accepted.verdict, accepted.earned) == (
        "accepted/loop.py",
        "accepted",
        100,
    )
    assert accepted.failed_groups == ()
    assert (wrong.path, wrong.verdict) == ("wrong_answer/not_strict.py", "wrong_answer")
    assert wrong.failed_groups == ("sample", "secret/20-edges")
    assert (wrong.earned, wrong.as_expected) == (40, True)


def test_what_is_being_proven_is_told(grader: Grader) -> None:
    told: list[str] = []
    prove(load_package(CLEAN), grader, told.append, FEW)
    assert told[1:4] == ["fresh inputs", "accepted/loop.py", "wrong_answer/not_strict.py"]


def test_a_wrong_reference_is_found(grader: Grader) -> None:
    changes = {"reference.py": REFERENCE.replace(">", ">=")}
    found = findings(grader, changes)
    assert found["reference-differs"].where == "data/secret/20-edges/01.ans"
    assert found["case-stale"].where == "data/secret/20-edges/01.ans:1"
    for code in ("reference-differs", "case-stale"):
        assert "write the cases anew" in found[code].message
        assert "is wrong" in found[code].message


@pytest.mark.parametrize(
    "reference",
    [
        "def count_large(values, limit):\n    return None\n",
        "raise RuntimeError('no reference')\n",
        "",
    ],
    ids=["returns nothing", "raises", "empty"],
)
def test_a_reference_that_gives_no_answer_is_found(grader: Grader, reference: str) -> None:
    found = findings(grader, {"reference.py": reference})
    assert {"reference-failed", "generator-failed"} <= set(found)


def test_a_case_that_the_generator_no_longer_makes_so_is_stale(grader: Grader) -> None:
    stale = case_texts("secret/10-basic/02", [4.0, 2.75], 1.0, 2)
    found = findings(grader, stale)
    assert found["case-stale"].where == "data/secret/10-basic/02.in:2"


def test_a_case_that_the_generator_does_not_make_is_extra(grader: Grader) -> None:
    found = findings(grader, case_texts("secret/20-edges/02", [2.0], 3.0, 0))
    assert found["case-extra"].where.startswith("data/secret/20-edges/02.")


def test_a_case_that_is_not_there_is_missing(grader: Grader) -> None:
    gone = {f"data/secret/10-basic/02.{suffix}": None for suffix in ("in", "ans")}
    assert findings(grader, gone)["case-missing"].where.startswith("data/secret/10-basic/02.")


@pytest.mark.parametrize(
    "generator",
    [
        "def generate():\n    return 1 // 0\n",
        "def generate():\n    return [('sample/01', 'no list', 1.0)]\n",
        "def other():\n    return []\n",
        "this is no Python\n",
        "import os\n\n\ndef generate():\n    os._exit(0)\n",
        "",
    ],
    ids=["raises", "wrong type", "no function", "no Python", "ends", "empty"],
)
def test_a_generator_that_fails_is_found(grader: Grader, generator: str) -> None:
    assert "generator-failed" in findings(grader, {"generators/cases.py": generator})


def test_of_a_generator_that_makes_other_cases_each_time_only_that_is_said(grader: Grader) -> None:
    """Not what differs from the committed cases: that follows."""
    flaky = GENERATOR.replace("[4.0, 2.5]", "[4.0, float(int(os.urandom(4).hex(), 16))]")
    found = findings(grader, {"generators/cases.py": f"import os\n\n\n{flaky}"})
    assert found["generator-flaky"].where == "generators/cases.py"
    assert not {"case-stale", "case-missing", "case-extra"} & set(found)


def test_a_wrong_submission_that_passes_is_found(grader: Grader) -> None:
    found = findings(grader, {"submissions/wrong_answer/survivor.py": REFERENCE})
    assert found["wrong-accepted"].where == "submissions/wrong_answer/survivor.py"
    assert "the reference makes the same mistake" in found["wrong-accepted"].message


def test_an_accepted_submission_that_fails_is_found(grader: Grader) -> None:
    found = findings(grader, {"submissions/accepted/other.py": REFERENCE.replace(">", "<")})
    assert found["accepted-rejected"].where == "submissions/accepted/other.py"
    assert "the reference is wrong" in found["accepted-rejected"].message


@pytest.mark.parametrize(
    ("expectation", "code"),
    [
        ("{required: [RTE]}", "expectation-unmet"),
        ("{required: [WA], secret/10-basic: {required: [WA]}}", "expectation-unmet"),
        ("{required: [WA], secret/20-edges: {required: [TLE]}}", "expectation-unmet"),
        ("{permitted: [TLE], required: [TLE, WA]}", "verdict-not-permitted"),
    ],
)
def test_an_expectation_that_is_not_met_is_found(
    grader: Grader, expectation: str, code: str
) -> None:
    text = f"accepted/loop.py: {{required: [AC]}}\nwrong_answer/not_strict.py: {expectation}\n"
    found = findings(grader, {"submissions/submissions.yaml": text})
    assert found[code].where.startswith("submissions/submissions.yaml:2")


def test_a_margin_that_is_too_small_is_found(grader: Grader) -> None:
    margins = (
        "def distance(case):\n    return min(abs(v - case['limit']) for v in case['values'])\n"
    )
    found = findings(grader, {"margins.py": margins})
    assert found["margin-too-small"].where == "data/secret/20-edges/01.in"
    assert "at least 1e-06 needed" in found["margin-too-small"].message


@pytest.mark.parametrize("distance", ["float('nan')", "-1.0", "0"])
def test_a_margin_that_is_no_distance_is_too_small(grader: Grader, distance: str) -> None:
    changes = {"margins.py": f"def distance(case):\n    return {distance}\n"}
    assert "margin-too-small" in findings(grader, changes)


def test_margins_that_fail_are_found(grader: Grader) -> None:
    changes = {"margins.py": "def distance(case):\n    raise ValueError(case['limit'])\n"}
    assert "margin-failed" in findings(grader, changes)


def test_margins_are_asked_only_where_a_minimum_is_stated(grader: Grader) -> None:
    judge_yaml = JUDGE_YAML.replace("margin: {min: 1.0e-6}\n", "")
    assert proof(grader, {"judge.yaml": judge_yaml, "margins.py": ""}).passed


def test_a_validator_that_refuses_a_case_is_found(grader: Grader) -> None:
    validator = (
        "def validate(case):\n    if len(case['values']) < 2:\n        raise ValueError('short')\n"
    )
    found = findings(grader, {"input_validators/validate.py": validator})
    assert found["case-invalid"].where == "data/secret/20-edges/01.in"
    assert "short" in found["case-invalid"].message


def test_a_validator_that_lets_an_invalid_input_pass_is_found(grader: Grader) -> None:
    changes = {"data/invalid_input/negative.in": case_text([1.0], -1.0)}
    where = findings(grader, changes)["invalid-input-accepted"].where
    assert where == "data/invalid_input/negative.in"


def test_an_invalid_input_that_the_types_refuse_needs_no_validator(grader: Grader) -> None:
    text = '{\n  "values": "none",\n  "limit": 1.0\n}\n'
    assert proof(grader, {"data/invalid_input/text.in": text}).passed


def test_a_submission_in_a_language_that_this_machine_lacks_is_not_taken_for_proved(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Grader, "languages", lambda self: {"python": {}})
    report = proof(grader, {"submissions/accepted/loop.cpp": "int main() {}\n"})
    assert [finding.code for finding in report.findings] == ["language-not-judged"]
    assert not report.passed


@pytest.mark.parametrize(("memory_mib", "found"), [(31, True), (32, False)])
def test_a_memory_limit_under_what_java_itself_needs_is_refused(
    grader: Grader, memory_mib: int, found: bool
) -> None:
    text = PROBLEM_YAML.replace("memory: 256", f"memory: {memory_mib}")
    text = text.replace("[python3]", "[python3, java]")
    report = proof(grader, {"problem.yaml": text})
    assert ("memory-under-floor" in {finding.code for finding in report.findings}) == found


def test_tools_of_a_package_run_in_a_box(grader: Grader) -> None:
    spying = "def validate(case):\n    open('/etc/passwd').read()\n"
    found = findings(grader, {"input_validators/validate.py": spying})
    assert "FileNotFoundError" in found["case-invalid"].message


@pytest.mark.parametrize(
    "path",
    [
        "secret/../../../escape/01",
        "/secret/10-basic/01",
        "secret/.git/01",
        "secret/10-basic",
        "elsewhere/01",
        "secret/10-basic/a\\x00b",
        "",
        "secret/10-basic/" + "x" * 300,
    ],
)
def test_a_generated_path_that_is_no_case_of_the_package_is_refused(
    grader: Grader, path: str
) -> None:
    generator = f'def generate():\n    return [("{path}", [1.0, 2.0, 3.0], 1.0)]\n'
    assert "generator-failed" in findings(grader, {"generators/cases.py": generator})


@pytest.mark.parametrize("answer", ["[]", '[("sample/01", [1.0], 1.0)] * 2'])
def test_a_generator_makes_some_cases_and_each_once(grader: Grader, answer: str) -> None:
    generator = f"def generate():\n    return {answer}\n"
    assert "generator-failed" in findings(grader, {"generators/cases.py": generator})
