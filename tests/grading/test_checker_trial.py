"""A package's own checker has to answer whatever a learner's program may return."""

from dataclasses import replace

import pytest
from grading_packages import PACKAGES
from package_builder import JUDGE_YAML, load_package
from test_prove import CLEAN, proof

from judge.cli.proof_table import print_report
from judge.domain.problem import CheckerProgram, CheckerSpec, Problem
from judge.grading.pipeline import Grader
from judge.grading.proof import ProofReport, prove, report_to_json, unproved
from judge.grading.proof.checker_trial import BUDGET_S, CheckerTrial, try_checker
from judge.packages.files import read_folder
from judge.packages.kattis.importing import import_package
from judge.packages.package import load

CUSTOM = JUDGE_YAML.replace("{kind: exact}", "{kind: custom}")
SAME = "def check(arguments, returned, expected):\n    return returned == expected\n"
# Right for all values but a negative one, for which math.sqrt raises.
ROOT = "import math\n\ndef check(arguments, returned, expected):\n" + (
    "    return abs(math.sqrt(returned) - math.sqrt(expected)) < 1e-9\n"
)


def report(grader: Grader, check: str) -> ProofReport:
    return proof(grader, {"judge.yaml": CUSTOM, "output_validator/check.py": check})


def function_problem(check: str) -> Problem:
    return load_package({"judge.yaml": CUSTOM, "output_validator/check.py": check}).problem


def trial(grader: Grader, problem: Problem, budget_s: float = BUDGET_S) -> CheckerTrial:
    with grader.open_check(problem, budget_s) as check_value:
        assert check_value is not None
        return try_checker(problem, check_value, lambda _: None)


class TestOfAFunction:
    def test_one_that_answers_everything_is_proved_and_counted(self, grader: Grader) -> None:
        found = report(grader, SAME)
        assert found.findings == ()
        assert found.checker is not None
        assert report_to_json(found)["checker"]["asked"] == found.checker.asked
        assert (found.checker.right, found.checker.broken) == (0, "")
        assert found.checker.asked > 4 * len(found.rows)

    def test_one_that_raises_is_not_proved_and_the_value_is_shown(self, grader: Grader) -> None:
        found = report(grader, ROOT)
        (finding,) = found.findings
        assert (finding.code, finding.where, finding.severity) == (
            "checker-broken",
            "output_validator",
            "error",
        )
        assert finding.message == (
            "gives no answer on sample/01: -1: ValueError: math domain error"
        )
        assert not found.passed

    def test_what_is_odd_and_called_right_is_shown_and_no_finding(self, grader: Grader) -> None:
        lenient = "def check(arguments, returned, expected):\n    return returned >= expected\n"
        found = trial(grader, function_problem(lenient))
        assert (found.right, found.broken) == (9, "")
        assert f"sample/01: {2**31}" in found.shown

    def test_a_problem_without_one_has_no_trial(self, grader: Grader) -> None:
        found = proof(grader)
        assert found.checker is None
        assert "checker" not in report_to_json(found)

    def test_one_that_is_slow_with_everything_is_stopped(self, grader: Grader) -> None:
        found = trial(grader, function_problem(SAME), budget_s=1e-3)
        assert found.asked == 2
        assert found.broken.startswith("gives no answer on sample/01: ")
        assert found.broken.endswith(": its answers took more than 0.001 s in all")

    def test_the_table_shows_how_many_are_called_right(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tried = CheckerTrial(20, 2, ("sample/01: -1", "sample/01: 0"), "")
        print_report(replace(unproved("count_large", ()), checker=tried))
        lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
        assert lines[:3] == [
            "ok odd values for the checker 2 of 20 called right",
            "called right: sample/01: -1",
            "called right: sample/01: 0",
        ]


class TestOfAProgram:
    @pytest.mark.slow
    def test_a_validator_of_kattis_answers_whatever_is_printed(self, grader: Grader) -> None:
        made = import_package(read_folder(PACKAGES / "stdio_pair"), "stdio_pair")
        found = trial(grader, load(made.files, made.slug).problem)
        assert found.broken == ""
        assert found.asked > 50

    @pytest.mark.parametrize(
        ("source", "broken"),
        [
            ("number = int(sys.stdin.read())\nsys.exit(43)", "gives no answer on sample/1: ''"),
            ("number = float(sys.stdin.read() or 0)\nsys.exit(43)", r"'\n': "),
            ("text = sys.stdin.read()\nsys.exit(43 if len(text) < 10**6 else 1)", "'1111"),
            ("text = sys.stdin.read()\nsys.exit(1 if '\\0' in text else 43)", r"'\x00'"),
        ],
        ids=["nothing", "a line", "too much", "a NUL"],
    )
    def test_one_that_breaks_on_an_output_is_found(
        self, grader: Grader, source: str, broken: str
    ) -> None:
        made = import_package(read_folder(PACKAGES / "stdio_pair"), "stdio_pair")
        program = CheckerProgram("python", (("validate.py", f"import sys\n{source}\n".encode()),))
        problem = replace(
            load(made.files, made.slug).problem,
            checker=CheckerSpec("custom"),
            checker_program=program,
        )
        assert broken in trial(grader, problem).broken


def test_a_proof_stops_at_a_checker_that_breaks(grader: Grader) -> None:
    package = load_package({**CLEAN, "judge.yaml": CUSTOM, "output_validator/check.py": ROOT})
    steps: list[str] = []
    prove(package, grader, steps.append)
    assert steps == ["odd values for the checker: sample/01"]
