"""Does every example submission come to what its package says of it?"""

from collections.abc import Iterator, Sequence

from judge.domain.scoring import earned_of
from judge.domain.submission import CaseResult, Judgement
from judge.domain.verdicts import Verdict
from judge.errors import Finding
from judge.grading.proof.report import SubmissionRow
from judge.packages.package import Package
from judge.packages.submissions import REFERENCE, ExampleSubmission, Expectation, covers


def unexpected(
    package: Package, submission: ExampleSubmission, judgement: Judgement
) -> Iterator[Finding]:
    """What a judgement has in it that its package does not say, or lacks."""
    place = submission.place
    verdict = judgement.verdict
    if submission.is_accepted and verdict is not Verdict.ACCEPTED:
        message = f"{verdict}: {_first_failure(package, judgement)}"
        if verdict is Verdict.WRONG_ANSWER and package.tools.reference and place != REFERENCE:
            message += "; where this submission is right, the reference is wrong"
        yield Finding("accepted-rejected", place, message)
    if not submission.is_accepted and verdict is Verdict.ACCEPTED:
        message = "no test case catches this submission"
        if package.tools.reference:
            message += "; either one is missing, or the reference makes the same mistake"
        yield Finding("wrong-accepted", place, message)
    for expectation in submission.expectations:
        yield from _unmet(package, place, expectation, judgement)


def _unmet(
    package: Package, place: str, expectation: Expectation, judgement: Judgement
) -> Iterator[Finding]:
    seen, results = {judgement.verdict}, judgement.cases
    if expectation.group:
        results = tuple(_of_group(package, expectation.group, judgement.cases))
        seen = {result.verdict for result in results} - {Verdict.SKIPPED}
    shown = ", ".join(sorted(seen)) or "nothing"
    inside = f" in {expectation.group}" if expectation.group else ""
    if not seen & expectation.required:
        wanted = " or ".join(sorted(expectation.required))
        message = f"{place}: expected {wanted}{inside}, got {shown}"
        yield Finding("expectation-unmet", expectation.where, message)
    elif seen - expectation.permitted - {Verdict.ACCEPTED}:
        yield Finding("verdict-not-permitted", expectation.where, f"{place}: got {shown}{inside}")
    yield from _score_unmet(package, place, expectation, judgement)
    said = [result.message for result in results] + [judgement.compile.log]
    if expectation.message and not any(
        expectation.message.lower() in text.lower() for text in said
    ):
        message = f"{place}: nothing that was said{inside} holds {expectation.message!r}"
        yield Finding("message-unmet", expectation.where, message)


def _score_unmet(
    package: Package, place: str, expectation: Expectation, judgement: Judgement
) -> Iterator[Finding]:
    """A stated score, in the units of the groups' max_score, or a range of it."""
    if expectation.score is None:
        return
    earned = judgement.score.earned
    if expectation.group:
        problem = package.problem
        verdicts = {case.id: case.verdict for case in judgement.cases}
        inside = [group for group in problem.groups if covers(expectation.group, group.name)]
        earned = earned_of(inside, problem.groups, problem.cases, verdicts)
    low, high = expectation.score
    if not low <= earned <= high:
        wanted = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        of = f" of {expectation.group}" if expectation.group else ""
        message = f"{place}: expected a score{of} of {wanted}, got {earned}"
        yield Finding("score-unmet", expectation.where, message)


def _of_group(package: Package, pattern: str, results: Sequence[CaseResult]) -> list[CaseResult]:
    groups = {case.id: case.group for case in package.problem.cases}
    return [result for result in results if covers(pattern, groups[result.id])]


def row(
    package: Package, submission: ExampleSubmission, judgement: Judgement, *, as_expected: bool
) -> SubmissionRow:
    """The submission's line of the kill matrix."""
    groups = {case.id: case.group for case in package.problem.cases}
    passing = (Verdict.ACCEPTED, Verdict.SKIPPED)
    failed = {groups[case.id] for case in judgement.cases if case.verdict not in passing}
    return SubmissionRow(
        path=submission.path,
        language=submission.language,
        verdict=judgement.verdict.value,
        reason=judgement.reason.value,
        earned=judgement.score.earned,
        max=judgement.score.max,
        slowest_cpu_ms=max((case.cpu_ms for case in judgement.cases), default=0),
        failed_groups=tuple(sorted(failed)),
        as_expected=as_expected,
    )


def _first_failure(package: Package, judgement: Judgement) -> str:
    """Which case failed first, by its place and its title, and what came of it."""
    titles = {case.id: case.title.get("en", "") for case in package.problem.cases}
    for case in judgement.cases:
        if case.verdict is not Verdict.ACCEPTED:
            return f"{case.id} ({titles[case.id]}): {case.message or case.reason}"
    return judgement.compile.log


def not_judged_here(submission: ExampleSubmission) -> Finding:
    """A machine without the language's toolchain proves nothing about it."""
    message = f"{submission.language} is not judged on this machine; the submission was not run"
    return Finding("language-not-judged", submission.place, message)
