"""Does a package prove itself? Every claim that it makes is run.

Owns the proof of one package: the generator reproduces the committed cases, the reference gives
the expected answers, the validator accepts every case and refuses every invalid input, every case
keeps its margin, and every example submission comes to what submissions.yaml says, in the groups
that it names.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from judge.domain.checkers import check
from judge.domain.submission import CaseResult, Judgement
from judge.domain.values import Value
from judge.domain.verdicts import Verdict
from judge.errors import Finding
from judge.grading.engines import jvm, python_engine
from judge.grading.pipeline import Grader
from judge.grading.tools import ToolFailure, Tools
from judge.harness.languages import JAVA
from judge.packages import writer
from judge.packages.package import Package
from judge.packages.submissions import ExampleSubmission, Expectation, covers

OnProgress = Callable[[str], None]
_CASE_PATH = re.compile(r"(?:sample|secret/[a-z0-9][a-z0-9-]{0,63})/[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True)
class SubmissionRow:
    """One line of the kill matrix: what a submission came to, and which groups failed it."""

    path: str
    language: str
    verdict: str
    earned: int
    max: int
    slowest_cpu_ms: int
    failed_groups: tuple[str, ...]
    as_expected: bool


@dataclass(frozen=True)
class ProofReport:
    """Everything that verification found; ``passed`` only without an error."""

    slug: str
    content_hash: str
    cases: int
    findings: tuple[Finding, ...]
    rows: tuple[SubmissionRow, ...]

    @property
    def passed(self) -> bool:
        """Whether the package may be published."""
        return not any(finding.severity == "error" for finding in self.findings)

    def count(self, *, accepted: bool) -> int:
        """How many example submissions came, as they should, to accepted (or to a rejection)."""
        return sum(
            row.as_expected and (row.verdict == Verdict.ACCEPTED) == accepted for row in self.rows
        )


def prove(package: Package, grader: Grader, on_progress: OnProgress) -> ProofReport:
    """Run every claim of a package.

    Raises:
        JudgeBroken: the sandbox broke; nothing was learned about the package.
    """
    findings = list(_prove_memory(package))
    on_progress("generator, reference, validator, margins")
    with grader.boxes.open(python_engine.KIND) as box:
        tools = Tools(box, package.problem.signature)
        findings.extend(_prove_generator(package, tools))
        findings.extend(_prove_cases(package, tools))
        findings.extend(_prove_invalid_inputs(package, tools))
    rows: list[SubmissionRow] = []
    judged = grader.languages()
    for submission in package.submissions:
        on_progress(submission.path)
        if submission.language not in judged:
            findings.append(_not_judged_here(submission))
            continue
        judgement = grader.grade(package.problem, submission.source, submission.language)
        unexpected = list(_unexpected(package, submission, judgement))
        findings.extend(unexpected)
        rows.append(_row(package, submission, judgement, as_expected=not unexpected))
    problem = package.problem
    return ProofReport(
        problem.slug, package.content_hash, len(problem.cases), tuple(findings), tuple(rows)
    )


def generated_cases(package: Package, tools: Tools) -> list[writer.GeneratedCase] | ToolFailure:
    """What generator and reference make together: path, arguments, expected value."""
    made = tools.generate(package.tools.generator)
    if isinstance(made, ToolFailure):
        return made
    wrong = _wrong_paths([path for path, _ in made])
    if wrong:
        return ToolFailure(wrong)
    cases: list[writer.GeneratedCase] = []
    for path, arguments in made:
        answer = tools.refer(package.tools.reference, arguments)
        if isinstance(answer, ToolFailure):
            return ToolFailure(f"reference.py on {path}: {answer.message}")
        cases.append((path, arguments, answer[0]))
    return cases


def _wrong_paths(paths: Sequence[str]) -> str:
    """What is wrong with the paths of generated cases: they become files on the disk."""
    if not paths:
        return "generate() made no case"
    for path in paths:
        if not _CASE_PATH.fullmatch(path):
            return (
                f"generate() made a case at {path!r:.80}; expected sample/01 or secret/20-ties/01"
            )
    twice = {path for path in paths if paths.count(path) > 1}
    return f"generate() made {min(twice)} twice" if twice else ""


def _prove_memory(package: Package) -> Iterator[Finding]:
    """A limit under which a language's own machinery does not run would fail every learner."""
    problem = package.problem
    floor_kb = jvm.MEMORY_FLOOR_KB
    if JAVA in problem.languages and problem.limits.memory_kb < floor_kb:
        message = f"Java needs a memory limit of at least {floor_kb // 1024} MiB"
        yield Finding("memory-under-floor", "problem.yaml", message)


def _prove_generator(package: Package, tools: Tools) -> Iterator[Finding]:
    cases = generated_cases(package, tools)
    if isinstance(cases, ToolFailure):
        yield Finding("generator-failed", "generators/cases.py", cases.message)
        return
    yield from writer.compare(package.files, package.problem.signature, cases)


def _prove_cases(package: Package, tools: Tools) -> Iterator[Finding]:
    minimum = package.judge_yaml.margin.min if package.judge_yaml.margin else None
    for case in package.problem.cases:
        where = f"data/{case.id}.in"
        refused = tools.validate(package.tools.validator, case.arguments)
        if refused is not None:
            yield Finding("case-invalid", where, refused.message)
        answer = tools.refer(package.tools.reference, case.arguments)
        yield from _compare_answer(package, case.id, case.expected, answer)
        if minimum is None:
            continue
        distance = tools.distance(package.tools.margins, case.arguments)
        if isinstance(distance, ToolFailure):
            yield Finding("margin-failed", where, distance.message)
        elif not distance >= minimum:
            message = f"distance {distance:.3g} from a decision edge, at least {minimum:.3g} needed"
            yield Finding("margin-too-small", where, message)


def _compare_answer(
    package: Package, case_id: str, expected: Value, answer: tuple[Value] | ToolFailure
) -> Iterator[Finding]:
    where = f"data/{case_id}.ans"
    if isinstance(answer, ToolFailure):
        yield Finding("reference-failed", where, answer.message)
        return
    problem = package.problem
    compared = check(problem.checker, problem.signature.returns, expected, answer[0])
    if not compared.passed:
        yield Finding("reference-differs", where, compared.message)


def _prove_invalid_inputs(package: Package, tools: Tools) -> Iterator[Finding]:
    for invalid in package.invalid_inputs:
        if invalid.arguments is None:
            continue  # the signature's types refuse it already
        if tools.validate(package.tools.validator, invalid.arguments) is None:
            where = f"data/invalid_input/{invalid.name}.in"
            yield Finding("invalid-input-accepted", where, "the validator lets this input pass")


def _unexpected(
    package: Package, submission: ExampleSubmission, judgement: Judgement
) -> Iterator[Finding]:
    place = f"submissions/{submission.path}"
    verdict = judgement.verdict
    if submission.is_accepted and verdict is not Verdict.ACCEPTED:
        yield Finding("accepted-rejected", place, f"{verdict}: {_first_failure(judgement)}")
    if not submission.is_accepted and verdict is Verdict.ACCEPTED:
        yield Finding("wrong-accepted", place, "no test case catches this submission")
    for expectation in submission.expectations:
        yield from _unmet(package, place, expectation, judgement)


def _unmet(
    package: Package, place: str, expectation: Expectation, judgement: Judgement
) -> Iterator[Finding]:
    seen = {judgement.verdict}
    if expectation.group:
        results = _of_group(package, expectation.group, judgement.cases)
        seen = {result.verdict for result in results} - {Verdict.SKIPPED}
    shown = ", ".join(sorted(seen)) or "nothing"
    inside = f" in {expectation.group}" if expectation.group else ""
    if not seen & expectation.required:
        wanted = " or ".join(sorted(expectation.required))
        message = f"{place}: expected {wanted}{inside}, got {shown}"
        yield Finding("expectation-unmet", expectation.where, message)
    elif seen - expectation.permitted - {Verdict.ACCEPTED}:
        yield Finding("verdict-not-permitted", expectation.where, f"{place}: got {shown}{inside}")


def _of_group(package: Package, pattern: str, results: Sequence[CaseResult]) -> list[CaseResult]:
    groups = {case.id: case.group for case in package.problem.cases}
    return [result for result in results if covers(pattern, groups[result.id])]


def _row(
    package: Package, submission: ExampleSubmission, judgement: Judgement, *, as_expected: bool
) -> SubmissionRow:
    groups = {case.id: case.group for case in package.problem.cases}
    passing = (Verdict.ACCEPTED, Verdict.SKIPPED)
    failed = {groups[case.id] for case in judgement.cases if case.verdict not in passing}
    return SubmissionRow(
        path=submission.path,
        language=submission.language,
        verdict=judgement.verdict.value,
        earned=judgement.score.earned,
        max=judgement.score.max,
        slowest_cpu_ms=max((case.cpu_ms for case in judgement.cases), default=0),
        failed_groups=tuple(sorted(failed)),
        as_expected=as_expected,
    )


def _first_failure(judgement: Judgement) -> str:
    for case in judgement.cases:
        if case.verdict is not Verdict.ACCEPTED:
            return f"{case.id}: {case.message or case.reason}"
    return judgement.compile.log


def _not_judged_here(submission: ExampleSubmission) -> Finding:
    message = f"{submission.language} is not judged on this machine; the submission was not run"
    return Finding("language-not-judged", f"submissions/{submission.path}", message)
