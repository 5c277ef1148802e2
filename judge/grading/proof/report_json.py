"""A report as JSON: what is stored with a revision, answered by the API and printed by the CLI."""

import json
from dataclasses import asdict
from typing import Any

from judge.errors import Finding
from judge.grading.proof.mutants import MutantRow
from judge.grading.proof.report import ProofReport
from judge.packages.findings import cut_short

# Stored with the revision and answered whole. It holds at most 200 findings (cut_short), and of a
# distribution one number a test case.
MAX_REPORT_BYTES = 1024 * 1024
FORMAT = "judge-report/1"
_FROM_RUN_TO_RUN = ("slowest_cpu_ms", "cpu_limit_ms", "first_seed")
_OF_SOME_CHECKERS = ("calibration", "power", "checker")


def report_to_json(report: ProofReport) -> dict[str, Any]:
    """Everything that was found, in plain values."""
    mutants = report.mutants
    stated = asdict(report)
    stated["findings"] = [asdict(one) for one in cut_short(report.findings)]
    for name in _OF_SOME_CHECKERS:
        if not stated[name]:
            del stated[name]
    if not mutants.declaration:
        del stated["mutants"]["declaration"]
    told = {
        "format": FORMAT,
        "passed": report.passed,
        **stated,
        "mutants": {
            **stated["mutants"],
            "findings": [asdict(one) for one in cut_short(mutants.findings)],
            "rows": [_row(row) for row in mutants.rows],
            "made": len(mutants.rows),
            "killed": mutants.killed,
            "equivalent": mutants.equivalent,
        },
    }
    return told if len(json.dumps(told)) <= MAX_REPORT_BYTES else _without_lines(told)


def _without_lines(told: dict[str, Any]) -> dict[str, Any]:
    """A report that is too large to be stored, without its lines for submissions and mutants."""
    left_off = len(told["rows"]) + len(told["mutants"]["rows"]) + len(told.get("power", ()))
    message = f"the report is too large: {left_off} lines on submissions and mutants are left off"
    finding = Finding("more-findings", "(package)", message, "warning")
    kept = {name: value for name, value in told.items() if name != "power"}
    mutants = {name: value for name, value in told["mutants"].items() if name != "declaration"}
    return {
        **kept,
        "findings": [*told["findings"], asdict(finding)],
        "rows": [],
        "mutants": {**mutants, "rows": [], "findings": []},
        "weak_groups": [],
    }


def _row(row: MutantRow) -> dict[str, Any]:
    """One mutant; of a power only where there is one."""
    stated = asdict(row)
    if row.power is None:
        del stated["power"]
    return stated


def steady_part(report: dict[str, Any]) -> dict[str, Any]:
    """A report without what differs from run to run: times and seeds. For golden files."""
    return {key: _steady(value) for key, value in report.items() if key not in _FROM_RUN_TO_RUN}


def _steady(value: Any) -> Any:
    if isinstance(value, dict):
        return steady_part(value)
    if isinstance(value, list | tuple):
        return [_steady(part) for part in value]
    return value
