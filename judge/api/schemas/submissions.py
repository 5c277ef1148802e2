"""Submissions and their results as a viewer sees them."""

import json
from typing import Any

from pydantic import Field

from judge.api.ids import ACCOUNT, REVISION, SUBMISSION, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.api.schemas.choices import (
    AskedLanguage,
    CaseVerdict,
    CaseVisibility,
    FinalVerdict,
    JudgementCause,
    JudgementState,
    LanguageId,
    Lockable,
    ReasonName,
)
from judge.api.schemas.problems import RevisionAnswer, in_locale, revision_answer
from judge.db.queries.submissions import CurrentJudgement, Submission
from judge.domain.access import CaseDetail, VisibleCase
from judge.domain.scoring import points
from judge.domain.verdicts import Verdict
from judge.i18n import reason_title, verdict_title


class SubmissionRequest(RequestModel):
    """A source for a problem.

    With ``revision`` (from the problem's answer) the judge refuses if the problem was changed
    meanwhile; ``accept_new`` submits nevertheless. What is wrong with a source itself is said by
    judge.actions.submit.
    """

    language: AskedLanguage
    source: str
    revision: Text | None = Field(
        default=None, json_schema_extra={"pattern": f"^{REVISION}_[0-9a-f]{{32}}$"}
    )
    accept_new: bool = False


class TestsAnswer(AnswerModel):
    """How many test cases passed, of how many."""

    __test__ = False

    passed: int
    total: int


class CompileAnswer(AnswerModel):
    """Whether the source compiled, with the compiler's words on the caller's own file."""

    ok: bool
    log: str


class ExceptionAnswer(AnswerModel):
    """The exception of a runtime_error; `line` is in the submitted file, 0 if not known or told."""

    name: str
    line: int


class CaseDetailAnswer(AnswerModel):
    """What is shown only for samples and revealed cases, and to staff.

    ``returned`` is JSON text; one that ends in ``~`` was cut. ``note`` is what the problem's own
    checker said; only staff find anything in it.
    """

    message: str
    arguments: Any
    expected: Any
    returned: str | None
    stdout: str
    stderr: str
    cpu_ms: int
    wall_ms: int
    memory_kb: int
    note: str


class CaseAnswer(AnswerModel):
    """One test case; ``detail`` is None where it is withheld."""

    ordinal: int
    title: str
    group: str
    visibility: CaseVisibility
    verdict: CaseVerdict
    verdict_title: str
    reason: ReasonName
    reason_title: str
    hint: str
    error: ExceptionAnswer | None
    detail: CaseDetailAnswer | None


class JudgementAnswer(AnswerModel):
    """Which judgement of the submission this is, what judged it, and on which revision.

    A judgement that is not current does not count, or does not count any more.
    """

    seq: int
    cause: JudgementCause
    is_current: bool
    revision: RevisionAnswer
    started_at: Moment | None
    finished_at: Moment | None
    toolchain: dict[str, str]


class ResultAnswer(AnswerModel):
    """What a judgement came to; ``score`` is None until it has one.

    ``verdict`` and ``reason`` are codes and never change; their titles are for people to read.
    """

    state: JudgementState
    verdict: FinalVerdict | None
    verdict_title: str | None
    reason: ReasonName
    reason_title: str
    score: float | None
    max_score: int
    tests: TestsAnswer


class JudgementItem(ResultAnswer, JudgementAnswer):
    """A judgement with its result and without its test cases."""


class JudgementList(AnswerModel):
    """A submission's judgements, the first one first."""

    items: list[JudgementItem]


class HandedInAnswer(AnswerModel):
    """What was handed in: by whom, for which revision of a problem, and when."""

    id: str
    account: str
    handle: str
    problem: str
    language: LanguageId
    revision: RevisionAnswer
    created_at: Moment


class SubmissionItem(ResultAnswer, HandedInAnswer):
    """A submission without its test cases; ``score`` is None until it has one.

    ``verdict`` and ``reason`` are codes and never change; their titles are for people to read.
    """

    cpu_ms: int | None
    memory_kb: int | None
    source_hash: str


class SubmissionAnswer(SubmissionItem):
    """A submission with everything that the caller may see of its result."""

    queue_position: int | None
    tests_done: int
    compile_step: CompileAnswer | None = Field(serialization_alias="compile")
    cases: list[CaseAnswer]
    judgement: JudgementAnswer


class NewSubmissionAnswer(SubmissionAnswer):
    """A submission that was just stored, with what it opened."""

    unlocked: list[Lockable]


class RetryAnswer(AnswerModel):
    """A submission that waits to be judged once more."""

    id: str
    state: JudgementState
    retries_left: int


class RevealAnswer(AnswerModel):
    """A revealed case; ``reveals_left`` on this problem is None for staff, who need none."""

    case: CaseAnswer
    reveals_left: int | None


class SubmissionPage(AnswerModel):
    """A page of submissions, newest first."""

    items: list[SubmissionItem]
    next: str | None


def submission_item(submission: Submission, locale: str) -> SubmissionItem:
    """A submission without its test cases."""
    return SubmissionItem(**_common(submission, locale))


def submission_answer(
    submission: Submission,
    cases: tuple[VisibleCase, ...],
    queue_position: int | None,
    locale: str,
) -> SubmissionAnswer:
    """A whole submission; ``cases`` come from judge.domain.access.visible_cases."""
    judgement = submission.judgement
    return SubmissionAnswer(
        **_common(submission, locale),
        queue_position=queue_position,
        tests_done=judgement.tests_done,
        compile_step=None
        if judgement.compile_ok is None
        else CompileAnswer(ok=judgement.compile_ok, log=judgement.compile_log),
        cases=[case_answer(case, locale) for case in cases],
        judgement=_judgement(judgement),
    )


def case_answer(case: VisibleCase, locale: str) -> CaseAnswer:
    """One test case as judge.domain.access lets the viewer see it."""
    error = None
    if case.error_class or case.error_line:
        error = ExceptionAnswer(name=case.error_class, line=case.error_line)
    return CaseAnswer(
        ordinal=case.ordinal,
        title=in_locale(case.title, locale),
        group=case.group,
        visibility=case.visibility.value,
        verdict=case.verdict.value,
        verdict_title=verdict_title(case.verdict, locale),
        reason=case.reason.value,
        reason_title=reason_title(case.reason, locale),
        hint=in_locale(case.hint, locale),
        error=error,
        detail=None if case.detail is None else _detail(case.detail),
    )


def judgement_item(judgement: CurrentJudgement, problem_points: int, locale: str) -> JudgementItem:
    """One judgement of several."""
    return JudgementItem(
        **dict(_judgement(judgement)), **_result(judgement, problem_points, locale)
    )


def _common(submission: Submission, locale: str) -> dict[str, Any]:
    judgement = submission.judgement
    return {
        "id": show(SUBMISSION, submission.id),
        "account": show(ACCOUNT, submission.account_id),
        "handle": submission.handle,
        "problem": submission.slug,
        "language": submission.language,
        "revision": revision_answer(submission.revision_id, submission.revision_number),
        "created_at": submission.created_at,
        **_result(judgement, submission.points, locale),
        "cpu_ms": judgement.cpu_ms,
        "memory_kb": judgement.memory_kb,
        "source_hash": submission.source_hash,
    }


def _result(judgement: CurrentJudgement, problem_points: int, locale: str) -> dict[str, Any]:
    score, verdict = judgement.score, judgement.verdict
    return {
        "state": judgement.state,
        "verdict": None if verdict is None else verdict.value,
        "verdict_title": None if verdict is None else verdict_title(verdict, locale),
        "reason": judgement.reason.value,
        "reason_title": reason_title(judgement.reason, locale),
        "score": None if score is None else points(score, problem_points),
        "max_score": problem_points,
        "tests": TestsAnswer(passed=judgement.tests_passed, total=judgement.tests_planned),
    }


def _judgement(judgement: CurrentJudgement) -> JudgementAnswer:
    # Of the judge's own failure only staff may read more, in the log.
    is_fault = judgement.verdict is Verdict.INTERNAL_ERROR
    return JudgementAnswer(
        seq=judgement.seq,
        cause=judgement.cause,
        is_current=judgement.is_current,
        revision=revision_answer(judgement.revision_id, judgement.revision_number),
        started_at=judgement.started_at,
        finished_at=judgement.finished_at,
        toolchain={} if is_fault else judgement.toolchain,
    )


def _detail(detail: CaseDetail) -> CaseDetailAnswer:
    return CaseDetailAnswer(
        message=detail.message,
        arguments=json.loads(detail.arguments),
        expected=json.loads(detail.expected),
        returned=detail.returned,
        stdout=detail.stdout,
        stderr=detail.stderr,
        cpu_ms=detail.cpu_ms,
        wall_ms=detail.wall_ms,
        memory_kb=detail.memory_kb,
        note=detail.note,
    )


ITEM_EXAMPLE: dict[str, Any] = {
    "id": "sub_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "account": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "handle": "ada",
    "problem": "sample_token",
    "language": "python",
    "revision": {"id": "rev_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f", "number": 1},
    "created_at": "2026-09-01T02:03:04.000005Z",
    "state": "judged",
    "verdict": "wrong_answer",
    "verdict_title": "Wrong answer",
    "reason": "wrong_value",
    "reason_title": "Wrong value",
    "score": 62.5,
    "max_score": 100,
    "tests": {"passed": 31, "total": 40},
    "cpu_ms": 12,
    "memory_kb": 2048,
    "source_hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
}
JUDGED_EXAMPLE: dict[str, Any] = {
    "seq": 1,
    "cause": "submit",
    "is_current": True,
    "revision": {"id": "rev_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f", "number": 1},
    "started_at": "2026-09-01T02:03:04.010000Z",
    "finished_at": "2026-09-01T02:03:04.150000Z",
    "toolchain": {"tier": "A", "python": "3.11.2"},
}
SUBMISSION_EXAMPLE: dict[str, Any] = {
    **ITEM_EXAMPLE,
    "queue_position": None,
    "tests_done": 40,
    "compile": {"ok": True, "log": ""},
    "cases": [
        {
            "ordinal": 5,
            "title": "Marks on an edge · 2",
            "group": "secret/30-exact-edges",
            "visibility": "hidden",
            "verdict": "wrong_answer",
            "verdict_title": "Wrong answer",
            "reason": "wrong_value",
            "reason_title": "Wrong value",
            "hint": "",
            "error": None,
            "detail": None,
        }
    ],
    "judgement": JUDGED_EXAMPLE,
}
JUDGEMENT_EXAMPLE: dict[str, Any] = {
    **JUDGED_EXAMPLE,
    **{
        name: ITEM_EXAMPLE[name]
        for name in (
            "state",
            "verdict",
            "verdict_title",
            "reason",
            "reason_title",
            "score",
            "max_score",
            "tests",
        )
    },
}
RETRY_EXAMPLE: dict[str, Any] = {
    "id": "sub_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "state": "queued",
    "retries_left": 2,
}
REVEAL_EXAMPLE: dict[str, Any] = {
    "case": {
        **SUBMISSION_EXAMPLE["cases"][0],
        "visibility": "reveal_on_fail",
        "detail": {
            "message": "return value: expected 1, got 0",
            "arguments": {"logits": [1.0, 1.0], "k": 1},
            "expected": 1,
            "returned": "0",
            "stdout": "",
            "stderr": "",
            "cpu_ms": 3,
            "wall_ms": 4,
            "memory_kb": 64,
            "note": "",
        },
    },
    "reveals_left": 1,
}
