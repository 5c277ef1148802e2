"""Is every generated mutant of the reference caught by a test case, or declared equivalent?

A mutant is graded as a Python submission is, under a limit taken from the reference's own time:
one that loops for ever must not cost a whole time limit. The first case that fails decides, so
most mutants cost a few cases; who wants to know every group that catches one asks for full runs.

A mutant of a distribution's function may be caught, or not, by luck. One that its tokens betray is
killed only if some case rejects it nearly always (judge.grading.proof.power).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from judge.domain.problem import Mode, Problem
from judge.domain.submission import Judgement
from judge.domain.verdicts import Verdict
from judge.errors import Finding
from judge.grading.draws import KIND
from judge.grading.engines import python_engine
from judge.grading.pipeline import Grader
from judge.grading.proof.declarations import declaration
from judge.grading.proof.power import LEAST_POWER, power_against
from judge.grading.tools import ToolFailure, Tools
from judge.harness.languages import PYTHON
from judge.harness.mutants import Mutant, Mutants
from judge.packages.package import Package
from judge.packages.submissions import ExampleSubmission

REFERENCE_NAME = "reference.py"
# The reference may take as long as a package's tools may; a mutant a multiple of its slowest case.
REFERENCE_CPU_MS = 20_000
TIMES_THE_REFERENCE = 10
LEAST_CPU_MS = 200
_TELL_EVERY = 25


@dataclass(frozen=True)
class MutantRow:
    """What one mutant came to.

    Attributes:
        id: ``operator:line:column:n``, with the place in reference.py.
        operator: the kind of change.
        line: line of reference.py.
        before: the place that was changed, as one short line.
        after: what stands there instead.
        verdict: of the whole mutant; ``accepted`` means that it survived.
        first_case: the case that kills it; empty where none does.
        failed_groups: the groups that it failed, in the package's order; after a run that stopped
            at the first failure only that one's.
        equivalent: the reason for which it was declared equivalent, or empty.
        power: how surely the best case of a distribution rejects it; None where its tokens do not
            say that it is wrong.
    """

    id: str
    operator: str
    line: int
    before: str
    after: str
    verdict: str
    first_case: str
    failed_groups: tuple[str, ...]
    equivalent: str
    power: float | None = None

    @property
    def is_killed(self) -> bool:
        """Whether a test case catches it, and not by luck."""
        is_sure = self.power is None or self.power >= LEAST_POWER
        return self.verdict != Verdict.ACCEPTED and is_sure


@dataclass(frozen=True)
class MutantsReport:
    """All mutants of one reference.

    Attributes:
        rows: one a mutant, in the order of the text.
        findings: what is wrong with tests or declarations.
        changes: how many changes are possible; more than rows where only some were made.
        cpu_limit_ms: limit of CPU time under which each case of a mutant ran.
        is_full: whether each mutant ran on every case.
        declaration: lines for judge.yaml that declare every survivor equivalent, but for the
            reasons; empty where none survived.
    """

    rows: tuple[MutantRow, ...] = ()
    findings: tuple[Finding, ...] = ()
    changes: int = 0
    cpu_limit_ms: int = 0
    is_full: bool = False
    declaration: str = ""

    @property
    def killed(self) -> int:
        """How many a test case catches."""
        return sum(row.is_killed for row in self.rows)

    @property
    def equivalent(self) -> int:
        """How many survived, as was declared with a reason."""
        return sum(not row.is_killed and bool(row.equivalent) for row in self.rows)


def kill_mutants(
    package: Package,
    grader: Grader,
    on_progress: Callable[[str], None],
    *,
    fresh: Problem | None = None,
    full: bool = False,
) -> MutantsReport:
    """Make the reference's mutants in a box and grade each.

    One that is declared equivalent must be right on the ``fresh`` inputs, too. ``full`` runs every
    case of every mutant, for the kill matrix. A package without a reference, and one whose programs
    read standard input, has no mutants.

    Raises:
        JudgeBroken: the sandbox broke; nothing was learned about the package.
    """
    problem, reference = package.problem, package.tools.reference
    if problem.mode is Mode.STDIO or not reference.strip():
        return MutantsReport()
    if PYTHON not in grader.languages():
        return _not_run("python is not judged on this machine; no mutant was run")
    declared = {one.id: one.reason for one in package.judge_yaml.mutants.equivalent}
    with grader.boxes.open(python_engine.KIND) as box:
        made = Tools(box, problem.signature, package.reference_signature).mutate(
            reference, tuple(declared)
        )
    if isinstance(made, ToolFailure):
        return _not_run(f"no mutants can be made: {made.message}")
    unchanged = grader.grade(_under_limit(problem, REFERENCE_CPU_MS), reference.encode(), PYTHON)
    if unchanged.verdict is not Verdict.ACCEPTED:
        return _not_run(f"{unchanged.verdict} as a submission; no mutant was run")
    slowest_ms = max(case.cpu_ms for case in unchanged.cases)
    limited = _under_limit(problem, max(LEAST_CPU_MS, TIMES_THE_REFERENCE * slowest_ms))
    rows: list[MutantRow] = []
    for number, mutant in enumerate(made.made):
        if number % _TELL_EVERY == 0:
            on_progress(f"mutants of {REFERENCE_NAME}: {number} of {len(made.made)}")
        reason = declared.get(mutant.id, "")
        judgement = grader.grade(
            limited, mutant.source.encode(), PYTHON, stop_at_first_failure=not full
        )
        if reason and fresh is not None and judgement.verdict is Verdict.ACCEPTED:
            again = _under_limit(fresh, limited.limits.cpu_ms)
            judgement = grader.grade(again, mutant.source.encode(), PYTHON)
        row = _row(problem, mutant, judgement, reason)
        rows.append(replace(row, power=_power(limited, mutant, row, grader)))
    findings = (*_sampled(made), *_survivors(rows), *_wrong_declarations(package, rows))
    survivors = [row.id for row in rows if not row.is_killed and not row.equivalent]
    return MutantsReport(
        rows=tuple(rows),
        findings=findings,
        changes=made.changes,
        cpu_limit_ms=limited.limits.cpu_ms,
        is_full=full,
        declaration=declaration(package.files, package.judge_yaml_text, survivors),
    )


def weak_groups(problem: Problem, failed_groups: Iterable[Collection[str]]) -> tuple[str, ...]:
    """Scoring groups without anything wrong that would have all points but for them.

    ``failed_groups`` are those of wrong submissions and mutants that ran on every case.
    """
    scoring = {group.name for group in problem.groups if group.max_score}
    costs = [scoring.intersection(failed) for failed in failed_groups]
    alone = {name for failed in costs if len(failed) == 1 for name in failed}
    return tuple(sorted(scoring - alone))


def _not_run(message: str) -> MutantsReport:
    return MutantsReport(findings=(Finding("mutants-not-run", REFERENCE_NAME, message),))


def _under_limit(problem: Problem, cpu_ms: int) -> Problem:
    return replace(problem, limits=replace(problem.limits, cpu_ms=cpu_ms), time_factors={})


def _row(problem: Problem, mutant: Mutant, judgement: Judgement, equivalent: str) -> MutantRow:
    groups = {case.id: case.group for case in problem.cases}
    passing = (Verdict.ACCEPTED, Verdict.SKIPPED)
    failed = [case.id for case in judgement.cases if case.verdict not in passing]
    return MutantRow(
        id=mutant.id,
        operator=mutant.operator,
        line=mutant.line,
        before=mutant.before,
        after=mutant.after,
        verdict=judgement.verdict.value,
        first_case=failed[0] if failed else "",
        failed_groups=tuple(dict.fromkeys(groups[case] for case in failed if case in groups)),
        equivalent=equivalent,
    )


def _power(problem: Problem, mutant: Mutant, row: MutantRow, grader: Grader) -> float | None:
    """How surely a distribution's cases reject a mutant, beginning with the one that did."""
    if problem.checker.kind != KIND or row.verdict != Verdict.WRONG_ANSWER:
        return None
    cases = sorted(problem.cases, key=lambda case: case.id != row.first_case)
    source = ExampleSubmission(mutant.id, PYTHON, mutant.source.encode(), ())
    found = power_against(problem, source, cases, grader)
    return None if found is None else found.power


def _sampled(made: Mutants) -> tuple[Finding, ...]:
    if not made.are_chosen:
        return ()
    message = f"{made.changes} changes are possible; {len(made.made)} of them, evenly chosen, ran"
    return (Finding("mutants-sampled", REFERENCE_NAME, message, "warning"),)


def _survivors(rows: Sequence[MutantRow]) -> list[Finding]:
    return [
        Finding(
            "mutant-survived",
            f"{REFERENCE_NAME}:{row.line}",
            f"{_how(row)} {row.id}: {row.before} -> {row.after}; add one that does, or "
            "declare it equivalent in judge.yaml with the lines of the report's declaration",
        )
        for row in rows
        if not row.is_killed and not row.equivalent
    ]


def _how(row: MutantRow) -> str:
    if row.power is None:
        return "no test case catches"
    return f"no test case catches with a chance above {row.power:.5f}, {LEAST_POWER} needed,"


def _wrong_declarations(package: Package, rows: Sequence[MutantRow]) -> Iterator[Finding]:
    """Declarations that no mutant has, and those that a test case refutes."""
    by_id = {row.id: row for row in rows}
    for index, declared in enumerate(package.judge_yaml.mutants.equivalent):
        where = package.judge_yaml_text.where(("mutants", "equivalent", index))
        row = by_id.get(declared.id)
        if row is None:
            message = f"mutants.equivalent: no mutant is called {declared.id}"
            yield Finding("equivalent-unknown", where, message)
        elif row.is_killed:
            message = f"mutants.equivalent: {row.id} is not equivalent, {row.first_case} catches it"
            yield Finding("equivalent-killed", where, message)
