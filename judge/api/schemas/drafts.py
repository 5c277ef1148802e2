"""Drafts as their owner sees them."""

from typing import Any

from judge.api.ids import REVISION, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.api.schemas.choices import LanguageId
from judge.db.queries.drafts import Draft


class DraftRequest(RequestModel):
    """A source to keep; ``revision`` is the problem's text that it was written for.

    Without it that is the published one. What is wrong with a source itself is said by
    judge.actions.submit.
    """

    source: str
    revision: Text | None = None


class DraftAnswer(AnswerModel):
    """A draft; its ETag is ``etag`` in quotes."""

    language: LanguageId
    source: str
    revision: str | None
    etag: str
    updated_at: Moment


def draft_answer(found: Draft) -> DraftAnswer:
    """A draft for its owner."""
    base_id = found.base_revision_id
    return DraftAnswer(
        language=found.language,
        source=found.source,
        revision=None if base_id is None else show(REVISION, base_id),
        etag=found.etag,
        updated_at=found.updated_at,
    )


DRAFT_EXAMPLE: dict[str, Any] = {
    "language": "python",
    "source": "def sample_token(logits, k): ...",
    "revision": "rev_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "etag": "01990c1e5b7f7c3e9a1d2f3b4c5d6e80",
    "updated_at": "2026-09-01T02:03:04.000005Z",
}
