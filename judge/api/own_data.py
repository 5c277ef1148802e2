"""The caller's own data: an export of all of it, and the end of the account.

Both are for who is signed in with a cookie: no token reads everything or ends an account.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from judge.actions.erase_account import cancel_erasure, request_erasure
from judge.actions.export_data import LANE, request_export
from judge.api.deps import COOKIE, Parts, PartsDep, require_session
from judge.api.ids import EXPORT, read, show
from judge.api.networks import address_of
from judge.api.once import Once, OnceRoute
from judge.api.schemas.base import answers, asks, sending
from judge.api.schemas.own_data import (
    EXPORT_EXAMPLE,
    ErasureAnswer,
    ErasureRequest,
    ExportAnswer,
    export_answer,
)
from judge.api.sign_in_limit import is_wrong_password
from judge.db.queries.own_data import read_archive, select_export
from judge.db.types import now
from judge.domain.access import Caller
from judge.errors import Conflict

router = APIRouter(prefix="/me", tags=["me"], route_class=OnceRoute)
SessionCaller = Annotated[Caller, Depends(require_session)]


@router.post(
    "/export",
    status_code=202,
    summary="Export my data",
    responses=sending(
        answers({**EXPORT_EXAMPLE, "state": "queued"}, 202, 401, 403, 409, 429), "Location"
    ),
)
def add_export(
    response: Response, joined: PartsDep, caller: SessionCaller, once: Once
) -> ExportAnswer:
    """Have everything that this account left put into a zip; it is there for seven days.

    One at a time, and three a day; a new one takes the place of the one before.
    """
    try:
        export_id = once.ref or request_export(joined.database, caller.account_id, once.claim)
    except Conflict as error:
        if "export" in error.details:
            error.details["export"] = show(EXPORT, str(error.details["export"]))
        raise
    joined.bell.ring(f"lane:{LANE}")
    response.headers["Location"] = f"/api/v1/me/exports/{show(EXPORT, export_id)}"
    return _export(joined, caller, export_id)


@router.get(
    "/exports/{export_id}",
    summary="Read an export's state",
    responses=answers(EXPORT_EXAMPLE, 200, 401, 403, 404),
)
def show_export(export_id: str, joined: PartsDep, caller: SessionCaller) -> ExportAnswer:
    """Whether the zip is there, and until when."""
    return _export(joined, caller, read(EXPORT, export_id))


@router.get(
    "/exports/{export_id}/archive",
    summary="Download an export",
    response_class=Response,
    responses={
        200: {"content": {"application/zip": {"example": "PK (a zip archive)"}}},
        **{
            key: value
            for key, value in answers(None, 200, 401, 403, 404, 409).items()
            if key != 200
        },
    },
)
def download_export(export_id: str, joined: PartsDep, caller: SessionCaller) -> Response:
    """The zip: account.json, submissions/, judgements.json, scores.json, and what else there is.

    Nothing is in it that the account could not read by itself.
    """
    found = _export(joined, caller, read(EXPORT, export_id))
    with joined.database.read() as connection:
        archive = read_archive(connection, read(EXPORT, export_id))
    if archive is None:
        raise Conflict("export-not-ready", state=found.state)
    headers = {
        "Content-Disposition": 'attachment; filename="decode-judge-export.zip"',
        "Cache-Control": "private, no-store",
    }
    return Response(archive, headers=headers, media_type="application/zip")


@router.delete(
    "",
    status_code=202,
    summary="Erase my account",
    responses=answers({"erase_after": "2026-09-15T02:03:04.000005Z"}, 202, 401, 403, 409, 429),
    openapi_extra=asks({"password": "correct horse"}),
)
def erase_me(
    body: ErasureRequest, request: Request, joined: PartsDep, caller: SessionCaller
) -> ErasureAnswer:
    """After 14 days; until then its owner can sign in and restore it.

    At once all tokens and all other sessions end. Then name, address, password, drafts, runs,
    memberships, sources and what the boxes returned are gone for good; scores stay without a name.
    """
    cookie = request.cookies.get(COOKIE, "")
    with joined.sign_in_limit.attempt(caller.handle, address_of(request), is_wrong_password):
        erase_after = request_erasure(joined.database, caller, body.password, cookie)
    return ErasureAnswer(erase_after=erase_after)


@router.post(
    "/restore",
    status_code=204,
    summary="Keep my account after all",
    responses=answers(None, 204, 401, 403),
)
def restore_me(joined: PartsDep, caller: SessionCaller) -> None:
    """Take the wish to be erased back; tokens that ended stay ended."""
    cancel_erasure(joined.database, caller)


def _export(joined: Parts, caller: Caller, export_id: str) -> ExportAnswer:
    with joined.database.read() as connection:
        return export_answer(select_export(connection, caller.account_id, export_id, now()))
