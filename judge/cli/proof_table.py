"""A proof's report on a terminal: the kill matrix, what survived, what is weak, what is wrong."""

from collections.abc import Iterator

from judge.domain.verdicts import Verdict
from judge.grading.proof import ProofReport
from judge.grading.proof.mutants import MutantRow
from judge.grading.proof.power import LEAST_POWER


def print_report(report: ProofReport) -> None:
    """Print one report; its last line says whether the package is proved."""
    parts = (_submissions, _power, _mutants, _checker, _weak)
    for line in (line for part in parts for line in part(report)):
        print(line)
    for finding in report.findings:
        print(finding)
    for line in _declaration(report):
        print(line)
    caught = f"{report.count(accepted=True)} accepted, {report.count(accepted=False)} rejected"
    state = "proved" if report.passed else "not proved"
    print(f"{report.slug}: {state}; {report.cases} cases, {caught} as expected")


def _submissions(report: ProofReport) -> Iterator[str]:
    """One line a submission: which groups caught it."""
    for row in report.rows:
        mark = "ok  " if row.as_expected else "FAIL"
        groups = "" if row.verdict == Verdict.ACCEPTED else "  " + ", ".join(row.failed_groups)
        yield f"{mark} {row.path:<52} {row.verdict:<22} {row.earned:>3}/{row.max}{groups}"


def _power(report: ProofReport) -> Iterator[str]:
    """One line a wrong submission to a distribution: how surely it is caught, and where."""
    for row in report.power:
        mark = "ok  " if row.suffices else "FAIL"
        chance = f">= {LEAST_POWER}" if row.suffices else f"{row.power:.5f}"
        yield f"{mark} {f'power: {row.path}':<52} {chance:<22} {row.case}, {row.draws} draws"


def _mutants(report: ProofReport) -> Iterator[str]:
    """One line a kind of change: how many mutants, and the groups that caught them."""
    kinds: dict[str, list[MutantRow]] = {}
    for row in report.mutants.rows:
        kinds.setdefault(row.operator, []).append(row)
    for operator, rows in kinds.items():
        killed = sum(row.is_killed for row in rows)
        groups = sorted({group for row in rows for group in row.failed_groups})
        mark = "ok  " if all(row.is_killed or row.equivalent for row in rows) else "FAIL"
        name = f"mutants: {operator}"
        yield f"{mark} {name:<52} {f'{killed} of {len(rows)} killed':<22} {', '.join(groups)}"
    powers = [row.power for row in report.mutants.rows if row.power is not None]
    if powers:
        sure = sum(one >= LEAST_POWER for one in powers)
        said = f"{sure} of {len(powers)} >= {LEAST_POWER}"
        yield f"     {'power: mutants that tokens betray':<52} {said:<22} least {min(powers):.5f}"


def _checker(report: ProofReport) -> Iterator[str]:
    """What the package's own checker said of odd values, and some that it calls right."""
    trial = report.checker
    if trial is None:
        return
    said = f"{trial.right} of {trial.asked} called right"
    mark = "FAIL" if trial.broken else "ok  "
    yield f"{mark} {'odd values for the checker':<52} {said:<22}".rstrip()
    for words in trial.shown:
        yield f"     called right: {words}"


def _declaration(report: ProofReport) -> Iterator[str]:
    if report.mutants.declaration:
        yield "to declare the mutants that survived equivalent, each with its reason:"
        yield from report.mutants.declaration.splitlines()


def _weak(report: ProofReport) -> Iterator[str]:
    if report.fresh_inputs:
        seed = f"seeds from {report.first_seed}"
        yield f"ok   reference and accepted submissions on {report.fresh_inputs} inputs, {seed}"
    if report.mutants.rows:
        made = report.mutants
        survived = len(made.rows) - made.killed - made.equivalent
        yield (
            f"{'FAIL' if survived else 'ok  '} {len(made.rows)} mutants: {made.killed} killed, "
            f"{made.equivalent} declared equivalent, {survived} survived"
        )
    if report.weak_groups:
        yield (
            f"weak groups: {', '.join(report.weak_groups)} (whatever fails there fails elsewhere, "
            "too; nothing needs to be done)"
        )
