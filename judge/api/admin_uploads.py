"""Uploading packages, and what their verification found.

The archive is read and linted in a process of its own (judge.api.intake); nothing of it is run, and
a verified.json in it counts for nothing. Its claims are proved by the verifier
(judge.worker.verifier), in boxes. Who may upload is asked before a byte of the body is read
(``admit_upload``), and how often an account may is counted there.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from judge.actions.upload_quota import count_upload
from judge.actions.verification import LANE, ask_again, is_open, store_upload
from judge.api.deps import Parts, PartsDep, ReadLocale, find_caller, parts, require
from judge.api.errors import HttpProblem
from judge.api.ids import REVISION, read, show
from judge.api.intake import refusal
from judge.api.once import Once, OnceRoute
from judge.api.schemas.base import answers
from judge.api.schemas.notices import NoticeAnswer, visibility_notices
from judge.api.schemas.uploads import (
    DRY_RUN_EXAMPLE,
    UPLOAD_EXAMPLE,
    VERIFICATION_EXAMPLE,
    UploadAnswer,
    VerificationAnswer,
    upload_answer,
)
from judge.api.waits import WaitSeconds
from judge.db.queries.problems import (
    find_problem,
    list_slugs,
    select_managed_revision,
    select_revision,
)
from judge.domain.access import Caller, Scope, may_manage_problem, visibility_for
from judge.errors import Conflict, Finding
from judge.packages.content import Content

router = APIRouter(tags=["admin"], route_class=OnceRoute)
Staff = Annotated[Caller, Depends(require(Scope.ADMIN_PROBLEMS))]
_ARCHIVE = {
    "requestBody": {
        "required": True,
        "content": {
            "application/octet-stream": {
                "schema": {"type": "string", "format": "binary"},
                "example": "PK (a zip or tar archive)",
            }
        },
    }
}


_UPLOADED: dict[int | str, dict[str, Any]] = {
    **answers(UPLOAD_EXAMPLE, 202, 401, 403, 409, 413, 415, 422, 429, 503),
    200: {
        "model": UploadAnswer,
        "description": "With `dry_run`: what was found, of a package that was not stored.",
        "content": {"application/json": {"example": DRY_RUN_EXAMPLE}},
    },
}


@router.post(
    "/admin/problems:import",
    status_code=202,
    summary="Upload a problem's package",
    responses=_UPLOADED,
    openapi_extra=_ARCHIVE,
)
async def upload_package(
    request: Request,
    joined: PartsDep,
    caller: Staff,
    response: Response,
    locale: ReadLocale,
    _once: Once,
    dry_run: Annotated[bool, Query(description="Only lint; store nothing.")] = False,
) -> UploadAnswer:
    """Store a zip or tar archive as a revision and have it verified.

    Whoever uploads the first revision of a problem owns it. Exactly the same package is the same
    revision. An archive that cannot be read, or has a lint error, is refused with every finding.
    """
    # Declared as a parameter it would be parsed here wherever a client calls it JSON.
    archive = await request.body()
    if dry_run:
        response.status_code = 200
        return await run_in_threadpool(_try, joined, caller, locale, archive)
    return await run_in_threadpool(_store, joined, caller, locale, archive)


def _try(joined: Parts, caller: Caller, locale: str, archive: bytes) -> UploadAnswer:
    content, findings = _read(joined, archive)
    with joined.database.read() as connection:
        there = find_problem(connection, content.slug)
    if there is not None and not may_manage_problem(caller, there.owner_id):
        raise Conflict("slug-taken", slug=content.slug)
    return upload_answer(content.slug, findings, None, "", _notices(content, caller, locale))


def _store(joined: Parts, caller: Caller, locale: str, archive: bytes) -> UploadAnswer:
    content, findings = _read(joined, archive)
    uploaded = store_upload(
        joined.database, content, caller, joined.settings.max_open_verifications
    )
    if uploaded.is_queued:
        joined.bell.ring(f"lane:{LANE}")
    with joined.database.read() as connection:
        stored = select_revision(connection, uploaded.revision_id)
    notices = _notices(content, caller, locale)
    return upload_answer(content.slug, findings, uploaded, stored.verify_state, notices)


def _notices(content: Content, caller: Caller, locale: str) -> list[NoticeAnswer]:
    """What its publication by the same caller would come to."""
    visibility = visibility_for(content.visibility, caller)
    return visibility_notices(content.visibility, visibility, locale)


@router.get(
    "/admin/revisions/{revision_id}/verify",
    summary="Read a revision's verification",
    responses=answers(VERIFICATION_EXAMPLE, 200, 401, 403, 404),
)
async def show_verification(
    revision_id: str, joined: PartsDep, caller: Staff, wait: WaitSeconds
) -> VerificationAnswer:
    """The report of the last verification; ``wait`` for the one that is running."""
    identifier = read(REVISION, revision_id)
    answer = await run_in_threadpool(_verification, joined, identifier, caller)
    if answer.is_running and wait > 0:

        def is_done() -> bool:
            return not _verification(joined, identifier, caller).is_running

        await joined.waiters.wait(f"revision:{identifier}", caller.account_id, wait, is_done)
        answer = await run_in_threadpool(_verification, joined, identifier, caller)
    return answer


@router.post(
    "/admin/revisions/{revision_id}/verify",
    status_code=202,
    summary="Verify a revision again",
    responses=answers({**VERIFICATION_EXAMPLE, "is_running": True}, 202, 401, 403, 404, 409, 429),
)
def verify_revision(
    revision_id: str, joined: PartsDep, caller: Staff, _once: Once
) -> VerificationAnswer:
    """Have every claim of the revision run once more; a proved one stays proved until then."""
    identifier = read(REVISION, revision_id)
    _verification(joined, identifier, caller)
    count_upload(joined.database, caller, joined.settings.max_uploads_per_hour)
    ask_again(joined.database, identifier, caller, joined.settings.max_open_verifications)
    joined.bell.ring(f"lane:{LANE}")
    return _verification(joined, identifier, caller)


def admit_upload(request: Request) -> None:
    """Let an upload's body be read, by its headers alone, and count it.

    Raises:
        Unauthenticated: nobody, or a token that is not good.
        Forbidden: a caller who may not upload.
        HttpProblem: 415 ``no-raw-archive`` for a form with a file in it.
        TooMany: ``too-many-uploads``.
    """
    joined = parts(request)
    caller = require(Scope.ADMIN_PROBLEMS)(find_caller(request, joined))
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind.startswith("multipart/"):
        raise HttpProblem(415, "no-raw-archive")
    count_upload(joined.database, caller, joined.settings.max_uploads_per_hour)


def _read(joined: Parts, archive: bytes) -> tuple[Content, tuple[Finding, ...]]:
    """What is stored of the package, and its warnings; one with an error is refused."""
    with joined.database.read() as connection:
        known = list_slugs(connection)
    examined = joined.intake.examine(archive, known)
    if examined.content is None:
        raise refusal(examined.findings)
    return examined.content, examined.findings


def _verification(joined: Parts, revision_id: str, caller: Caller) -> VerificationAnswer:
    with joined.database.read() as connection:
        stored = select_managed_revision(connection, revision_id, caller)
        return VerificationAnswer(
            revision=show(REVISION, revision_id),
            verify_state=stored.verify_state,
            is_running=is_open(connection, revision_id),
            report=stored.verify_report,
        )
