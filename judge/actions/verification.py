"""Verifying stored revisions: asking for it, and writing what came of it.

Owns the verify jobs and the two columns of a revision that may change, its state and its report.
Proving itself is judge.grading.proof's, in a process of its own (judge.worker.verifier). A report
makes a revision publishable only if it passed and speaks of exactly the stored content; a fault of
the judge leaves the revision unproved and says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import IntegrityError

from judge.actions.revisions import FAILED, PENDING, PROVED, store_revision
from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.queries.problems import Revision, select_revision
from judge.db.tables import job, revision
from judge.domain.access import Caller
from judge.errors import Conflict, TooMany
from judge.packages.content import Content
from judge.queue import jobs
from judge.queue.jobs import Claim, finish
from judge.queue.losses import settle

KIND = "verify"
LANE = "verify"
# A proof takes a minute or more: sooner nothing will have ended.
RETRY_AFTER_S = 60
# Of what an exception says; some quote what they met.
_MAX_DETAIL = 1000
_OPEN = job.c.state.in_(("queued", "claimed"))


@dataclass(frozen=True)
class Uploaded:
    """What became of an upload.

    ``is_known`` says that exactly this package was stored before; ``is_queued`` that it is being
    verified now, and the lane is to be rung.
    """

    problem_id: str
    revision_id: str
    number: int
    is_known: bool
    is_queued: bool


def store_upload(
    database: Database, content: Content, uploader: Caller, most_open: int
) -> Uploaded:
    """Store a package as a revision and let it be verified, unless it is proved already.

    A proof that came with the package counts for nothing: anybody can write one. ``most_open`` is
    how many verifications of the uploader may wait or run at once.

    Raises:
        Conflict: ``slug-taken``: the problem is not the uploader's to change.
        TooMany: ``too-many-verifications``; nothing is stored then.
    """
    try:
        return _store(database, content, uploader, most_open)
    except IntegrityError:
        # Somebody stored the same problem at the same moment (PostgreSQL): now it is there.
        return _store(database, content, uploader, most_open)


def _store(database: Database, content: Content, uploader: Caller, most_open: int) -> Uploaded:
    with database.write() as connection:
        lock_account(connection, uploader.account_id)
        owner, stored = store_revision(connection, content, uploader, PENDING)
        wants = stored.verify_state != PROVED and not is_open(connection, stored.id)
        is_known = not wants or _was_asked_for(connection, stored.id)
        if wants:
            _ask(connection, stored, uploader, most_open)
    return Uploaded(owner.id, stored.id, stored.number, is_known, wants)


def ask_again(database: Database, revision_id: str, caller: Caller, most_open: int) -> Revision:
    """Verify a stored revision once more, also a proved one, which stays proved until then.

    Raises:
        Conflict: ``verification-open``: it is being verified.
        TooMany: ``too-many-verifications``.
    """
    try:
        with database.write() as connection:
            lock_account(connection, caller.account_id)
            stored = select_revision(connection, revision_id)
            if is_open(connection, revision_id):
                raise Conflict("verification-open")
            _ask(connection, stored, caller, most_open)
    except IntegrityError:
        raise Conflict("verification-open") from None
    return stored


def record_report(
    database: Database, claim: Claim, report: Mapping[str, Any], *, passed: bool
) -> bool:
    """Write a report and end its job; false, and nothing written, if the claim is lost."""
    with database.write() as connection:
        if not finish(connection, claim):
            return False
        stored = select_revision(connection, claim.ref_id)
        proves = passed and report["content_hash"] == stored.content_hash
        _write(connection, stored, PROVED if proves else FAILED, report)
    return True


def record_fault(database: Database, claim: Claim, detail: str) -> bool:
    """End a job that the judge could not do; false if the claim is lost."""
    with database.write() as connection:
        if not finish(connection, claim):
            return False
        _write_fault(connection, claim.ref_id, detail)
    return True


def record_lost(database: Database, job_id: str) -> str | None:
    """Close a parked verify job; the revision's id for exactly one caller, else None."""
    with database.write() as connection:
        if not settle(connection, job_id):
            return None
        revision_id: str = connection.execute(
            select(job.c.ref_id).where(job.c.id == job_id)
        ).scalar_one()
        _write_fault(connection, revision_id, "the verifier was lost three times")
    return revision_id


def _ask(connection: Connection, stored: Revision, caller: Caller, most_open: int) -> None:
    """The caller has locked the account: nobody else counts or adds before the end."""
    query = select(func.count()).where(
        job.c.account_id == caller.account_id, job.c.kind == KIND, _OPEN
    )
    if (connection.scalar(query) or 0) >= most_open:
        raise TooMany("too-many-verifications", seconds=RETRY_AFTER_S, most=most_open)
    if stored.verify_state == FAILED:
        connection.execute(
            update(revision).where(revision.c.id == stored.id).values(verify_state=PENDING)
        )
    jobs.enqueue(
        connection,
        kind=KIND,
        ref_id=stored.id,
        account_id=caller.account_id,
        lane=LANE,
        priority=jobs.VERIFY,
    )


def is_open(connection: Connection, revision_id: str) -> bool:
    """Whether a verification waits or runs."""
    query = select(job.c.id).where(job.c.kind == KIND, job.c.ref_id == revision_id, _OPEN)
    return connection.scalar(query) is not None


def _was_asked_for(connection: Connection, revision_id: str) -> bool:
    query = select(job.c.id).where(job.c.kind == KIND, job.c.ref_id == revision_id).limit(1)
    return connection.scalar(query) is not None


def _write(connection: Connection, stored: Revision, state: str, report: Mapping[str, Any]) -> None:
    """What an earlier proof measured is kept: a published revision is judged with it."""
    earlier = (stored.verify_report or {}).get("calibration")
    kept = {"calibration": earlier} if earlier else {}
    connection.execute(
        update(revision)
        .where(revision.c.id == stored.id)
        .values(verify_state=state, verify_report={**kept, **report})
    )


def _write_fault(connection: Connection, revision_id: str, detail: str) -> None:
    """The judge's own fault takes no proof away that was there before."""
    stored = select_revision(connection, revision_id)
    if stored.verify_state == PROVED:
        return
    message = f"the judge could not verify this; ask again later: {detail[:_MAX_DETAIL]}"
    finding = {"code": "judge-fault", "where": "", "message": message, "severity": "error"}
    report = {"passed": False, "content_hash": "", "findings": [finding]}
    _write(connection, stored, FAILED, report)
