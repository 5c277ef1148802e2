"""All claims of one package, in the order in which their failure tells most."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from judge.domain.problem import Mode, Problem
from judge.domain.submission import Judgement
from judge.domain.verdicts import Verdict
from judge.errors import CheckerBroken, Finding, JudgeError
from judge.grading.engines import jvm, python_engine
from judge.grading.pipeline import Grader
from judge.grading.proof import (
    agreement,
    calibration,
    cases,
    examples,
    generator,
    mutants,
    power,
    times,
    tolerance,
)
from judge.grading.proof.checker_trial import BUDGET_S, CheckerTrial, try_checker
from judge.grading.proof.power import PowerRow
from judge.grading.proof.report import ProofReport, SubmissionRow, unproved
from judge.grading.tools import Tools
from judge.harness.languages import JAVA
from judge.packages.checker_program import FOLDER as CHECKER_FOLDER
from judge.packages.package import Package
from judge.packages.submissions import ExampleSubmission

OnProgress = Callable[[str], None]
_SEEDS = 10**9


class ProofStopped(JudgeError):
    """Raised by a caller's ``on_progress`` to end a proof; nothing was learned about the package.

    Args:
        step: what was about to begin.
    """

    def __init__(self, step: str) -> None:
        super().__init__(f"stopped before: {step}")
        self.step = step

    def finding(self, after_s: float) -> Finding:
        """For a proof that took too long."""
        message = f"the proof took more than {after_s:.0f} s; it was stopped before: {self.step}"
        return Finding("proof-too-long", "", message)


@dataclass(frozen=True)
class ProofOptions:
    """How much a proof looks at.

    Attributes:
        first_seed: of the fresh inputs, to repeat what an earlier proof found; else a new one.
        fresh_inputs: on how many the accepted submissions and the reference must agree.
        all_groups: whether mutants run on every case, so that the report names every group that
            catches each.
    """

    first_seed: int | None = None
    fresh_inputs: int = 200
    all_groups: bool = False


DEFAULTS = ProofOptions()


def prove(
    package: Package,
    grader: Grader,
    on_progress: OnProgress,
    options: ProofOptions = DEFAULTS,
) -> ProofReport:
    """Run every claim of a package; of one whose own checker breaks only that is said.

    Raises:
        JudgeBroken: the sandbox broke; nothing was learned about the package.
    """
    trial: CheckerTrial | None = None
    try:
        with grader.open_check(package.problem, BUDGET_S) as check_value:
            if check_value is not None:
                trial = try_checker(package.problem, check_value, on_progress)
        if trial is None or not trial.broken:
            return replace(_prove(package, grader, on_progress, options), checker=trial)
        broken = trial.broken
    except CheckerBroken as error:
        broken = str(error)
    found = Finding("checker-broken", CHECKER_FOLDER, broken)
    return replace(unproved(package.slug, (found,), package.content_hash), checker=trial)


def _prove(
    package: Package, grader: Grader, on_progress: OnProgress, options: ProofOptions
) -> ProofReport:
    seed = secrets.randbelow(_SEEDS) if options.first_seed is None else options.first_seed
    is_drawn = calibration.is_distribution(package.problem)
    if is_drawn:
        package = replace(package, problem=calibration.calibrated(package.problem, on_progress))
    findings = [*_memory_suffices(package), *tolerance.tolerance_is_representable(package)]
    on_progress("generator, reference, validator, margins")
    fresh = None
    if package.problem.mode is Mode.FUNCTION:
        with grader.boxes.open(python_engine.KIND) as box:
            tools = Tools(box, package.problem.signature, package.reference_signature)
            findings.extend(generator.reproduces(package, tools))
            findings.extend(cases.cases_hold(package, tools))
            findings.extend(cases.invalid_inputs_refused(package, tools))
            on_progress("fresh inputs")
            inputs = options.fresh_inputs
            inputs = min(inputs, calibration.FRESH_INPUTS) if is_drawn else inputs
            fresh = agreement.fresh_problem(package, tools, seed, inputs)
    if is_drawn and isinstance(fresh, Problem):
        fresh = calibration.calibrated_fresh(fresh, on_progress)
    if isinstance(fresh, Finding):
        findings.append(fresh)
        fresh = None
    rows, said = _try_examples(package, fresh, grader, on_progress)
    findings.extend(said)
    powers = _powers(package, rows, grader, on_progress) if is_drawn else ()
    findings.extend(power.weak(powers))
    findings.extend(times.time_limit_has_room(package, rows))
    findings.extend(times.time_limit_is_no_waste(package, rows))
    killed = mutants.kill_mutants(
        package, grader, on_progress, fresh=fresh, full=options.all_groups
    )
    findings.extend(killed.findings)
    return ProofReport(
        slug=package.slug,
        content_hash=package.content_hash,
        cases=len(package.problem.cases),
        findings=tuple(findings),
        rows=rows,
        mutants=killed,
        fresh_inputs=0 if fresh is None else len(fresh.cases),
        first_seed=seed,
        weak_groups=_weak_groups(package.problem, rows, killed),
        calibration=package.problem.calibration,
        power=powers,
    )


def _try_examples(
    package: Package, fresh: Problem | None, grader: Grader, on_progress: OnProgress
) -> tuple[tuple[SubmissionRow, ...], list[Finding]]:
    """Every example submission on the package's cases; the accepted ones on fresh ones, too."""
    rows: list[SubmissionRow] = []
    findings: list[Finding] = []
    judged = grader.languages()
    for submission in package.submissions:
        on_progress(submission.path)
        if submission.language not in judged:
            findings.append(examples.not_judged_here(submission))
            continue
        judgement, near = _judge_example(package.problem, submission, grader)
        unexpected = list(examples.unexpected(package, submission, judgement))
        findings.extend((*unexpected, *near))
        rows.append(examples.row(package, submission, judgement, as_expected=not unexpected))
        if fresh is not None and submission.is_accepted and not unexpected:
            again = grader.grade(fresh, submission.source, submission.language)
            findings.extend(agreement.disagreements(submission, again))
    return tuple(rows), findings


def _judge_example(
    problem: Problem, submission: ExampleSubmission, grader: Grader
) -> tuple[Judgement, list[Finding]]:
    """Its judgement; one that is said to be right is tried with a tenth of the tolerance first."""
    near: list[Finding] = []
    if submission.is_accepted and tolerance.has_tolerance(problem.checker):
        strict = grader.grade(tolerance.tightened(problem), submission.source, submission.language)
        if strict.verdict is Verdict.ACCEPTED:
            return strict, near
        near = [tolerance.near_tolerance(submission, strict)]
    return grader.grade(problem, submission.source, submission.language), near


def _powers(
    package: Package, rows: Sequence[SubmissionRow], grader: Grader, on_progress: OnProgress
) -> tuple[PowerRow, ...]:
    """Of every wrong answer how surely a distribution's rule catches it."""
    failed = {row.path: row.failed_groups for row in rows if row.verdict == Verdict.WRONG_ANSWER}
    powers: list[PowerRow] = []
    for submission in package.submissions:
        if submission.path not in failed:
            continue
        on_progress(f"power against {submission.path}")
        groups = failed[submission.path]
        cases = [case for case in package.problem.cases if case.group in groups]
        found = power.power_against(package.problem, submission, cases, grader)
        powers += [] if found is None else [found]
    return tuple(powers)


def _weak_groups(
    problem: Problem, rows: Sequence[SubmissionRow], killed: mutants.MutantsReport
) -> tuple[str, ...]:
    """Groups that nothing wrong depends on: without them no wrong program would pass."""
    wrong = [row.failed_groups for row in rows if row.verdict != Verdict.ACCEPTED]
    if killed.is_full:
        wrong += [row.failed_groups for row in killed.rows if row.is_killed]
    return mutants.weak_groups(problem, wrong)


def _memory_suffices(package: Package) -> Iterator[Finding]:
    """A limit under which a language's own machinery does not run would fail every learner."""
    problem = package.problem
    floor_kb = jvm.MEMORY_FLOOR_KB
    if JAVA in problem.languages and problem.limits.memory_kb < floor_kb:
        message = f"Java needs a memory limit of at least {floor_kb // 1024} MiB"
        yield Finding("memory-under-floor", "problem.yaml", message)
