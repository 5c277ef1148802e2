"""Uploading packages, and what their verification found.

The archive is read and linted here; nothing of it is run, and a verified.json in it counts for
nothing. Its claims are proved by the verifier (judge.worker.verifier), in boxes.
"""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Query, Response
from starlette.concurrency import run_in_threadpool

from judge.actions.verification import LANE, ask_again, is_open, store_upload
from judge.api.deps import Parts, PartsDep, require
from judge.api.errors import HttpProblem
from judge.api.ids import REVISION, read, show
from judge.api.schemas.base import answers
from judge.api.schemas.uploads import (
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
from judge.domain.access import Caller, Scope, may_manage_problem
from judge.errors import Conflict, Finding, PackageInvalid
from judge.packages.archives import read_archive
from judge.packages.files import PROOF_NAME, PackageFiles
from judge.packages.lint import is_fit, lint
from judge.packages.package import Package, load

router = APIRouter(tags=["admin"])
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


@router.post(
    "/admin/problems:import",
    status_code=202,
    summary="Upload a problem's package",
    responses=answers(UPLOAD_EXAMPLE, 202, 401, 403, 409, 413, 422),
    openapi_extra=_ARCHIVE,
)
def upload(
    joined: PartsDep,
    caller: Staff,
    response: Response,
    archive: Annotated[bytes, Body(media_type="application/octet-stream")],
    dry_run: Annotated[bool, Query(description="Only lint; store nothing.")] = False,
) -> UploadAnswer:
    """Store a zip or tar archive as a revision and have it verified.

    Whoever uploads the first revision of a problem owns it. Exactly the same package is the same
    revision. An archive that cannot be read, or has a lint error, is refused with every finding.
    """
    package, findings = _read(joined, archive)
    if dry_run:
        with joined.database.read() as connection:
            there = find_problem(connection, package.slug)
        if there is not None and not may_manage_problem(caller, there.owner_id):
            raise Conflict("slug-taken", slug=package.slug)
        response.status_code = 200
        return upload_answer(package.slug, findings, None, "")
    uploaded = store_upload(joined.database, package, caller)
    if uploaded.is_queued:
        joined.bell.ring(f"lane:{LANE}")
    with joined.database.read() as connection:
        stored = select_revision(connection, uploaded.revision_id)
    return upload_answer(package.slug, findings, uploaded, stored.verify_state)


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

        await joined.waiters.wait(f"revision:{identifier}", wait, is_done)
        answer = await run_in_threadpool(_verification, joined, identifier, caller)
    return answer


@router.post(
    "/admin/revisions/{revision_id}/verify",
    status_code=202,
    summary="Verify a revision again",
    responses=answers({**VERIFICATION_EXAMPLE, "is_running": True}, 202, 401, 403, 404, 409),
)
def verify_again(revision_id: str, joined: PartsDep, caller: Staff) -> VerificationAnswer:
    """Have every claim of the revision run once more; a proved one stays proved until then."""
    identifier = read(REVISION, revision_id)
    _verification(joined, identifier, caller)
    ask_again(joined.database, identifier, caller)
    joined.bell.ring(f"lane:{LANE}")
    return _verification(joined, identifier, caller)


def _read(joined: Parts, archive: bytes) -> tuple[Package, tuple[Finding, ...]]:
    """The package without its proof, and its warnings; one with an error is refused."""
    try:
        files = {**read_archive(archive)}
        files.pop(PROOF_NAME, None)
        package = load(PackageFiles(files), "")
    except PackageInvalid as error:
        raise _refusal(error.findings) from None
    with joined.database.read() as connection:
        known = {*list_slugs(connection), package.slug}
    findings = lint(package, known)
    if not is_fit(findings):
        raise _refusal(findings)
    return package, findings


def _refusal(findings: tuple[Finding, ...]) -> HttpProblem:
    return HttpProblem(422, "package-invalid", findings=[asdict(one) for one in findings])


def _verification(joined: Parts, revision_id: str, caller: Caller) -> VerificationAnswer:
    with joined.database.read() as connection:
        stored = select_managed_revision(connection, revision_id, caller)
        return VerificationAnswer(
            revision=show(REVISION, revision_id),
            verify_state=stored.verify_state,
            is_running=is_open(connection, revision_id),
            report=stored.verify_report,
        )
