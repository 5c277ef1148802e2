"""Feedback: what authors send, and what each side of a thread sees of it."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field, StrictBool

from judge.api.ids import FEEDBACK, REVISION, SUBMISSION, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.api.schemas.choices import LanguageId, LanguageName, LocaleId, ThreadKind, ThreadState
from judge.api.schemas.problems import RevisionAnswer, revision_answer
from judge.db.queries.feedback import Message, Thread
from judge.domain.access import Caller
from judge.domain.feedback import MAX_BODY_CHARS, FeedbackKind, FeedbackState

_MAX_ID = 36
_MAX_HANDLE = 64


def _identifier(prefix: str) -> Any:
    """A field for an identifier; whether there is such a thing is not for a shape to say."""
    pattern = f"^{prefix}_[0-9a-f]{{32}}$"
    return Field(default=None, max_length=_MAX_ID, json_schema_extra={"pattern": pattern})


class FeedbackRequest(RequestModel):
    """Feedback on a problem.

    With ``submission``, an own one on this problem, the thread has its revision and language; else
    those that are named here, else the published revision.
    """

    kind: FeedbackKind
    body: Text = Field(min_length=1, max_length=MAX_BODY_CHARS)
    submission: Text | None = _identifier(SUBMISSION)
    revision: Text | None = _identifier(REVISION)
    language: LanguageName | None = None


class MessageRequest(RequestModel):
    """One more message; ``internal`` makes it a note that only staff reads."""

    body: Text = Field(min_length=1, max_length=MAX_BODY_CHARS)
    internal: StrictBool = False


class FeedbackPatch(RequestModel):
    """What is to be changed: ``assignee`` is a handle or null, ``duplicate_of`` another thread."""

    status: FeedbackState | None = None
    assignee: Text | None = Field(default=None, max_length=_MAX_HANDLE)
    duplicate_of: Text | None = _identifier(FEEDBACK)


class FeedbackItem(AnswerModel):
    """A thread without its messages; ``excerpt`` is the beginning of the first one.

    ``author`` (a handle), ``assignee`` and ``duplicate_of`` are for who handles the thread and null
    for others. ``author`` is null as well once the account was erased.
    """

    id: str
    problem: str
    revision: RevisionAnswer
    language: LanguageId | None
    locale: LocaleId
    submission: str | None
    kind: ThreadKind
    status: ThreadState
    excerpt: str
    is_mine: bool
    author: str | None
    assignee: str | None
    duplicate_of: str | None
    created_at: Moment
    updated_at: Moment


class FeedbackMessageAnswer(AnswerModel):
    """One message; ``by`` is author or staff, ``handle`` is for who handles the thread."""

    by: Literal["author", "staff"]
    handle: str | None
    body: str
    internal: bool
    at: Moment


class FeedbackAnswer(FeedbackItem):
    """A whole thread, oldest message first."""

    messages: list[FeedbackMessageAnswer]


class FeedbackCounts(AnswerModel):
    """How many threads of each status there are."""

    new: int
    open: int
    fixed: int
    declined: int
    duplicate: int


class FeedbackPage(AnswerModel):
    """A page of threads, newest first; ``counts`` only where they are asked for."""

    items: list[FeedbackItem]
    counts: FeedbackCounts | None
    next: str | None


def feedback_item(thread: Thread, caller: Caller) -> FeedbackItem:
    """One thread of a list, as the caller may see it."""
    return FeedbackItem(**_common(thread, caller))


def feedback_answer(thread: Thread, messages: Sequence[Message], caller: Caller) -> FeedbackAnswer:
    """A whole thread, as the caller may see it; ``messages`` hold no note unless they may."""
    shown = [
        FeedbackMessageAnswer(
            by="staff" if one.by_staff else "author",
            handle=one.handle if thread.is_handled else None,
            body=one.body,
            internal=one.is_internal,
            at=one.at,
        )
        for one in messages
    ]
    return FeedbackAnswer(**_common(thread, caller), messages=shown)


def _common(thread: Thread, caller: Caller) -> dict[str, Any]:
    is_handled = thread.is_handled
    original = thread.duplicate_of
    return {
        "id": show(FEEDBACK, thread.id),
        "problem": thread.slug,
        "revision": revision_answer(thread.revision_id, thread.revision_number),
        "language": thread.language or None,
        "locale": thread.locale,
        "submission": None
        if thread.submission_id is None
        else show(SUBMISSION, thread.submission_id),
        "kind": thread.kind.value,
        "status": thread.state.value,
        "excerpt": thread.excerpt,
        "is_mine": thread.account_id == caller.account_id,
        "author": thread.handle if is_handled else None,
        "assignee": thread.assignee if is_handled else None,
        "duplicate_of": show(FEEDBACK, original) if is_handled and original else None,
        "created_at": thread.created_at,
        "updated_at": thread.updated_at,
    }


FEEDBACK_ITEM_EXAMPLE: dict[str, Any] = {
    "id": "fbk_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "problem": "sample_token",
    "revision": {"id": "rev_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f", "number": 1},
    "language": "python",
    "locale": "en",
    "submission": "sub_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "kind": "statement",
    "status": "open",
    "excerpt": "Step 3 does not say what happens to ties.",
    "is_mine": False,
    "author": "ada",
    "assignee": "grace",
    "duplicate_of": None,
    "created_at": "2026-09-01T02:03:04.000005Z",
    "updated_at": "2026-09-02T02:03:04.000005Z",
}
FEEDBACK_EXAMPLE: dict[str, Any] = {
    **FEEDBACK_ITEM_EXAMPLE,
    "messages": [
        {
            "by": "author",
            "handle": "ada",
            "body": "Step 3 does not say what happens to ties.",
            "internal": False,
            "at": "2026-09-01T02:03:04.000005Z",
        }
    ],
}
COUNTS_EXAMPLE = {"new": 3, "open": 2, "fixed": 14, "declined": 1, "duplicate": 0}
