"""A report as JSON: what is stored with a revision, answered by the API and printed by the CLI."""

from dataclasses import asdict
from typing import Any

from judge.grading.proof.mutants import MutantRow
from judge.grading.proof.report import ProofReport

FORMAT = "judge-report/1"
_FROM_RUN_TO_RUN = ("slowest_cpu_ms", "cpu_limit_ms", "first_seed")
_OF_SOME_CHECKERS = ("calibration", "power", "checker")


def report_to_json(report: ProofReport) -> dict[str, Any]:
    """Everything that was found, in plain values."""
    mutants = report.mutants
    stated = asdict(report)
    for name in _OF_SOME_CHECKERS:
        if not stated[name]:
            del stated[name]
    if not mutants.declaration:
        del stated["mutants"]["declaration"]
    return {
        "format": FORMAT,
        "passed": report.passed,
        **stated,
        "mutants": {
            **stated["mutants"],
            "rows": [_row(row) for row in mutants.rows],
            "made": len(mutants.rows),
            "killed": mutants.killed,
            "equivalent": mutants.equivalent,
        },
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
