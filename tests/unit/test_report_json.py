"""A report that is stored has an end, whatever was found."""

import json

from judge.errors import Finding
from judge.grading.proof import report_to_json, unproved
from judge.grading.proof.report import ProofReport, SubmissionRow
from judge.grading.proof.report_json import MAX_REPORT_BYTES
from judge.packages.findings import MAX_FINDINGS


def report(findings: int = 0, rows: int = 0) -> ProofReport:
    """One with so many findings and lines, each as long as a hostile package makes it."""
    found = tuple(Finding("mutant-survived", "reference.py", "x" * 5000) for _ in range(findings))
    line = SubmissionRow("p" * 200, "python", "accepted", "", 1, 1, 5, ("g" * 100,) * 50, True)
    empty = unproved("count_large", found, "0" * 64)
    return ProofReport(**{**vars(empty), "rows": (line,) * rows})


def test_findings_are_cut_short_and_the_last_says_how_many_are_left_off() -> None:
    told = report_to_json(report(findings=MAX_FINDINGS + 50))
    assert len(told["findings"]) == MAX_FINDINGS + 1
    assert told["findings"][-1]["message"] == "50 more findings are left off"
    assert told["passed"] is False


def test_a_report_that_is_too_large_keeps_its_findings_and_says_what_it_lost() -> None:
    told = report_to_json(report(findings=1, rows=2000))
    assert len(json.dumps(told)) <= MAX_REPORT_BYTES
    assert [one["code"] for one in told["findings"]] == ["mutant-survived", "more-findings"]
    assert told["findings"][-1]["message"].startswith("the report is too large: 2000 lines")
    assert told["rows"] == []


def test_any_other_report_is_told_whole() -> None:
    told = report_to_json(report(findings=3, rows=5))
    assert (len(told["findings"]), len(told["rows"])) == (3, 5)
