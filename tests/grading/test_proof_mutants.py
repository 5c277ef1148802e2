"""Mutants of a reference are caught by a case, or declared equivalent with a reason."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from package_builder import JUDGE_YAML, REFERENCE, load_package

from judge.domain.problem import Mode
from judge.domain.verdicts import Verdict
from judge.errors import Finding
from judge.grading.pipeline import Grader
from judge.grading.proof import report_to_json, unproved
from judge.grading.proof.mutants import (
    LEAST_CPU_MS,
    MutantsReport,
    kill_mutants,
    weak_groups,
)
from judge.harness import mutants as harness
from judge.packages.lint import lint
from judge.packages.package import Package

# One change of this one makes no difference: a count is never negative.
FIRST_DECLARED = JUDGE_YAML.count("\n") + 4
UNSIGNED = """\
def count_large(values, limit):
    return abs(sum(value > limit for value in values))
"""
SURVIVOR = "dropped-call:2:12:1"
COUNTING = """\
def count_large(values, limit):
    position = 0
    found = 0
    while position < len(values):
        if values[position] > limit:
            found += 1
        position += 1
    return found
"""


def package(reference: str = REFERENCE, equivalent: Mapping[str, str] | None = None) -> Package:
    """A clean package with another reference and some declarations."""
    lines = [f'    - {{id: "{id_}", reason: {text}}}\n' for id_, text in (equivalent or {}).items()]
    judge_yaml = JUDGE_YAML + "mutants:\n  required_kill: all\n"
    if lines:
        judge_yaml += "  equivalent:\n" + "".join(lines)
    return load_package({"reference.py": reference, "judge.yaml": judge_yaml})


def report(grader: Grader, one: Package, *, full: bool = False) -> MutantsReport:
    return kill_mutants(one, grader, lambda _: None, full=full)


def findings(grader: Grader, one: Package) -> dict[str, Finding]:
    return {finding.code: finding for finding in report(grader, one).findings}


def test_every_mutant_of_a_well_tested_reference_is_killed(grader: Grader) -> None:
    found = report(grader, package())
    assert found.findings == ()
    assert found.killed == len(found.rows) == found.changes > 3
    row = {row.after: row for row in found.rows}["value >= limit"]
    assert (row.operator, row.line, row.before) == ("comparison", 2, "value > limit")
    assert (row.verdict, row.first_case) == (Verdict.WRONG_ANSWER, "sample/01")
    assert row.failed_groups == ("sample",)


def test_a_full_run_names_every_group_that_catches_a_mutant(grader: Grader) -> None:
    found = report(grader, package(), full=True)
    row = {row.after: row for row in found.rows}["value >= limit"]
    assert (row.first_case, row.failed_groups) == ("sample/01", ("sample", "secret/20-edges"))
    assert found.is_full


def test_a_mutant_that_no_case_catches_is_found(grader: Grader) -> None:
    found = report(grader, package(UNSIGNED))
    (finding,) = found.findings
    assert (finding.code, finding.where, finding.severity) == (
        "mutant-survived",
        "reference.py:2",
        "error",
    )
    assert SURVIVOR in finding.message
    assert "-> sum((value > limit for value in values))" in finding.message
    assert found.killed == len(found.rows) - 1


def test_the_lines_of_its_declaration_can_be_pasted_as_they_are(grader: Grader) -> None:
    """At the end of a judge.yaml without any; lint then asks for the reason."""
    plain = load_package({"reference.py": UNSIGNED})
    lines = report(grader, plain).declaration
    assert lines.startswith("# judge.yaml, at its end\nmutants:\n  equivalent:\n")
    assert f'- id: "{SURVIVOR}"\n' in lines
    pasted = load_package({"reference.py": UNSIGNED, "judge.yaml": JUDGE_YAML + lines})
    found = report(grader, pasted)
    assert (found.findings, found.equivalent, found.declaration) == ((), 1, "")
    (placeholder,) = (one for one in lint(pasted) if one.code == "placeholder")
    assert placeholder.severity == "error"
    assert placeholder.where == f"judge.yaml:{JUDGE_YAML.count(chr(10)) + 5}"


def test_the_report_as_json_holds_the_lines_where_one_survived(grader: Grader) -> None:
    def mutants(found: MutantsReport) -> dict[str, object]:
        return dict(report_to_json(replace(unproved("x", ()), mutants=found))["mutants"])

    survived = report(grader, package(UNSIGNED))
    assert mutants(survived)["declaration"] == survived.declaration
    assert "declaration" not in mutants(MutantsReport())


def test_one_that_was_declared_equivalent_may_survive(grader: Grader) -> None:
    found = report(grader, package(UNSIGNED, {SURVIVOR: "a count is never negative"}))
    assert found.findings == ()
    assert found.equivalent == 1
    (row,) = (row for row in found.rows if not row.is_killed)
    assert row.equivalent == "a count is never negative"


def test_a_declaration_of_no_mutant_is_found(grader: Grader) -> None:
    finding = findings(grader, package(equivalent={"sign:9:9:1": "none"}))["equivalent-unknown"]
    assert finding.where == f"judge.yaml:{FIRST_DECLARED}"
    assert "sign:9:9:1" in finding.message


def test_a_declaration_that_a_case_refutes_is_found(grader: Grader) -> None:
    finding = findings(grader, package(equivalent={"comparison:2:16:1": "no difference"}))[
        "equivalent-killed"
    ]
    assert (finding.severity, finding.where) == ("error", f"judge.yaml:{FIRST_DECLARED}")
    assert "comparison:2:16:1" in finding.message
    assert "sample/01" in finding.message


def test_a_mutant_that_loops_for_ever_is_killed_under_a_small_limit(grader: Grader) -> None:
    found = report(grader, package(COUNTING))
    verdicts = {(row.line, row.after): row.verdict for row in found.rows}
    assert verdicts[7, "pass"] == Verdict.TIME_LIMIT_EXCEEDED
    assert LEAST_CPU_MS <= found.cpu_limit_ms < package().problem.limits.cpu_ms


@pytest.mark.parametrize(
    "reference",
    [
        "this is no Python\n",
        "def count_large(values, limit):\n    return " + "(" * 150 + "1" + ")" * 150 + "\n",
        "def count_large(values, limit):\n    return 1 // 0\n",
        "def other(values, limit):\n    return 0\n",
        REFERENCE.replace(">", "<"),
        "def count_large(values, limit):\n    return " + "+".join(["1"] * 5000) + "\n",
    ],
    ids=["no Python", "nested", "raises", "no function", "wrong", "deep"],
)
def test_where_the_reference_itself_fails_no_mutant_runs(grader: Grader, reference: str) -> None:
    found = report(grader, package(reference))
    assert [finding.code for finding in found.findings] == ["mutants-not-run"]
    assert found.rows == ()


def test_a_machine_without_python_proves_nothing(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Grader, "languages", lambda self: {"cpp": {}})
    assert "mutants-not-run" in findings(grader, package())


def test_what_has_no_function_to_mutate_has_no_mutants(grader: Grader) -> None:
    one = package()
    stdio = replace(one, problem=replace(one.problem, mode=Mode.STDIO))
    assert report(grader, stdio) == report(grader, package("\n")) == MutantsReport()


def test_of_very_many_some_run_and_that_is_told(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harness, "MOST_MUTANTS", 5)
    found = report(grader, package(COUNTING))
    assert len(found.rows) <= 5 < found.changes
    (sampled,) = (finding for finding in found.findings if finding.code == "mutants-sampled")
    assert sampled.severity == "warning"
    assert str(found.changes) in sampled.message


def test_one_that_is_declared_runs_also_where_only_some_do(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harness, "MOST_MUTANTS", 2)
    found = report(grader, package(UNSIGNED, {SURVIVOR: "a count is never negative"}))
    assert SURVIVOR in {row.id for row in found.rows}


def test_a_group_is_weak_that_costs_nothing_wrong_all_its_points() -> None:
    """The samples give no points, so a wrong program that fails them loses none there."""
    problem = package().problem
    assert weak_groups(problem, []) == ("secret/10-basic", "secret/20-edges")
    both = [("secret/10-basic", "secret/20-edges"), ("sample",), ()]
    assert weak_groups(problem, both) == ("secret/10-basic", "secret/20-edges")
    alone = ("sample", "secret/20-edges")
    assert weak_groups(problem, [*both, alone]) == ("secret/10-basic",)
