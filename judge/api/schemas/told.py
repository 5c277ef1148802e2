"""Notices that an account got, in sentences."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StrictBool

from judge.actions.answer_feedback import REPLY_NOTICE
from judge.actions.audit import REJUDGE_NOTICE
from judge.actions.sort_feedback import STATUS_NOTICE
from judge.api.ids import CLASS, FEEDBACK, NOTICE, REJUDGE, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.api.schemas.choices import NoticeKind
from judge.db.queries.notices import Notice, Subject
from judge.domain.scoring import Score, points
from judge.i18n import has, text

_PREFIXES = {
    REJUDGE_NOTICE: REJUDGE,
    REPLY_NOTICE: FEEDBACK,
    STATUS_NOTICE: FEEDBACK,
    "class-invitation": CLASS,
}
_NO_SCORE = "–"  # noqa: RUF001 - what a table shows for no score
MAX_IDS = 200
_IDENTIFIER = f"^{NOTICE}_[0-9a-f]{{32}}$"


class ReadNoticesRequest(RequestModel):
    """Which notices were read: either these, or with ``all`` every one."""

    ids: list[Annotated[Text, Field(json_schema_extra={"pattern": _IDENTIFIER})]] = Field(
        default_factory=list, max_length=MAX_IDS
    )
    all: StrictBool = False


class MyNoticeAnswer(AnswerModel):
    """One notice: ``kind`` and ``ref`` for programs, ``message`` for people.

    ``problem`` is the slug of the problem that it is about, null if it is about none.
    """

    id: str
    kind: NoticeKind
    ref: str
    problem: str | None
    message: str
    at: Moment
    read_at: Moment | None


class MyNoticePage(AnswerModel):
    """A page of notices, newest first; ``unread`` counts all, not only those here."""

    items: list[MyNoticeAnswer]
    unread: int
    next: str | None


class UnreadAnswer(AnswerModel):
    """How many notices are unread now."""

    unread: int


def told_answer(
    notice: Notice, subject: Subject | None, title: str, account_id: str, locale: str
) -> MyNoticeAnswer:
    """One notice in the reader's words; ``title`` is the problem's or class's."""
    prefix = _PREFIXES.get(notice.kind)
    return MyNoticeAnswer(
        id=show(NOTICE, notice.id),
        kind=notice.kind,
        ref=notice.ref if prefix is None else show(prefix, notice.ref),
        problem=subject.name if subject is not None and subject.is_problem else None,
        message=_message(notice, subject, title, account_id, locale),
        at=notice.at,
        read_at=notice.read_at,
    )


def _message(
    notice: Notice, subject: Subject | None, title: str, account_id: str, locale: str
) -> str:
    key = f"told.{notice.kind}"
    if not has(key):
        key = "told.other"
    details: dict[str, object] = {"title": title}
    if subject is not None and notice.kind == REJUDGE_NOTICE:
        before, after = _scores(subject, account_id)
        details |= {"before": before, "after": after, "max": subject.points}
        if before == after:
            key = f"{key}-same"
    if subject is not None and notice.kind == STATUS_NOTICE:
        details["status"] = text(f"feedback_status.{subject.state}", locale)
    return text(key, locale, details)


def _scores(subject: Subject, account_id: str) -> tuple[str, str]:
    """What a rejudge made of an account's points."""
    accounts = (subject.summary or {}).get("accounts", [])
    found: Mapping[str, Any] = next(
        (one for one in accounts if one["account_id"] == account_id), {}
    )
    before, after = (_shown(found.get(name), subject.points) for name in ("before", "after"))
    return before, after


def _shown(fraction: list[int] | None, problem_points: int) -> str:
    if fraction is None:
        return _NO_SCORE
    return f"{points(Score(*fraction), problem_points):.2f}".rstrip("0").rstrip(".")


TOLD_EXAMPLE: dict[str, Any] = {
    "id": "ntc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "kind": "rejudge",
    "ref": "rej_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "problem": "sample_token",
    "message": "Sample a token was judged anew. Your score: 62.5 before, 100 now, of 100.",
    "at": "2026-09-01T02:03:04.000005Z",
    "read_at": None,
}
