"""Taking the own data along, and going."""

from pydantic import Field

from judge.api.ids import EXPORT, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.api.schemas.choices import ExportState
from judge.db.queries.own_data import READY, Export


class ErasureRequest(RequestModel):
    """The password, so that nobody else's hand at an open page erases an account."""

    password: Text = Field(max_length=1024)


class ErasureAnswer(AnswerModel):
    """When the account will be erased, unless it is restored before."""

    erase_after: Moment


class ExportAnswer(AnswerModel):
    """An export: ``state`` is queued, ready or failed; ``archive`` is the zip's address."""

    id: str
    state: ExportState
    archive: str | None
    bytes: int | None
    created_at: Moment
    expires_at: Moment


def export_answer(export: Export) -> ExportAnswer:
    """An export as its owner sees it."""
    identifier = show(EXPORT, export.id)
    is_ready = export.state == READY
    return ExportAnswer(
        id=identifier,
        state=export.state,
        archive=f"/api/v1/me/exports/{identifier}/archive" if is_ready else None,
        bytes=export.size,
        created_at=export.created_at,
        expires_at=export.expires_at,
    )


EXPORT_EXAMPLE = {
    "id": "exp_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "state": "ready",
    "archive": "/api/v1/me/exports/exp_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f/archive",
    "bytes": 48213,
    "created_at": "2026-09-01T02:03:04.000005Z",
    "expires_at": "2026-09-08T02:03:04.000005Z",
}
