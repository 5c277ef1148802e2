"""Submitting: one transaction makes the submission, its judgement, the job and the first event.

After it the caller rings ``lane:<language>``. A submission that breaks a rule is refused before
anything is stored, so it costs nothing and unlocks nothing.
"""

import hashlib
from dataclasses import dataclass

from sqlalchemy import Connection, insert

from judge.actions.events import add_event
from judge.actions.idempotency import KeyClaim, keep_ref
from judge.actions.queued_judgement import queued_judgement
from judge.actions.recompute import begin_score
from judge.actions.time_zones import find_time_zone
from judge.db.engine import Database
from judge.db.queries.accounts import select_account
from judge.db.queries.problems import Revision, count_cases, select_visible_problem
from judge.db.queries.workers import list_live_workers, read_availability
from judge.db.tables import judgement, submission
from judge.db.types import new_id, now
from judge.domain.access import Caller
from judge.domain.limits import MAX_SOURCE_BYTES
from judge.errors import Conflict, Invalid, TooLarge, flaw
from judge.harness.languages import LANGUAGES
from judge.queue.jobs import SUBMIT, enqueue


@dataclass(frozen=True)
class NewSubmission:
    """What a learner hands in; ``revision_id`` is the text that the learner read, if known."""

    slug: str
    language: str
    source: str
    revision_id: str | None = None
    accept_new: bool = False
    via: str = "api"


@dataclass(frozen=True)
class Submitted:
    """Ids of what was stored, and the lane to ring."""

    submission_id: str
    judgement_id: str
    lane: str


def submit(
    database: Database, caller: Caller, new: NewSubmission, claim: KeyClaim | None = None
) -> Submitted:
    """Store a submission and queue it; with a claim it is named there.

    Raises:
        TooLarge: the source has more than MAX_SOURCE_BYTES bytes of UTF-8.
        Invalid: the source is no text that can be judged, or the language is not offered.
        NotFound: the caller can see no such problem.
        Gone: it was retired, and the caller is no staff.
        Conflict: the problem has another revision than the one that was read, the workers'
            machines lack what the language needs, or the claim was taken over.
    """
    check_source(new.source)
    if not new.source.strip():
        raise Invalid("invalid-source", flaw("/source", "blank"))
    with database.write() as connection:
        revision = select_target(connection, caller, new)
        submission_id = _insert_submission(connection, caller, new, revision)
        judgement_id = _insert_judgement(connection, submission_id, revision)
        begin_score(connection, caller.account_id, revision.problem_id)
        enqueue(
            connection,
            kind="submission",
            ref_id=judgement_id,
            account_id=caller.account_id,
            lane=new.language,
            priority=SUBMIT,
        )
        add_event(connection, submission_id, "queued", {})
        keep_ref(connection, claim, submission_id)
    return Submitted(submission_id, judgement_id, new.language)


def select_target(connection: Connection, caller: Caller, new: NewSubmission) -> Revision:
    """The revision that a source is for, if it can be judged now (raises as ``submit``)."""
    revision = select_visible_problem(connection, new.slug, caller).revision
    if new.revision_id not in (None, revision.id) and not new.accept_new:
        raise Conflict("revision-changed", revision=revision.id)
    offered = offered_languages(revision)
    if new.language not in offered:
        named = flaw("/language", "language-not-offered", languages=offered)
        raise Invalid("language-not-offered", named, languages=offered)
    _check_available(connection, caller, new.language)
    return revision


def _check_available(connection: Connection, caller: Caller, language: str) -> None:
    """Refuse what would wait for nobody; while no worker lives it is not known and may wait."""
    availability = read_availability(list_live_workers(connection, now()))
    fix = availability.missing.get(language)
    if fix is None:
        return
    known = tuple(availability.toolchains)
    if caller.role.is_staff:
        raise Conflict(
            "language-unavailable", variant="staff", language=language, fix=fix, available=known
        )
    raise Conflict("language-unavailable", variant="learner", language=language, available=known)


def offered_languages(revision: Revision) -> tuple[str, ...]:
    """Languages that the problem allows and this judge knows, in the problem's order."""
    return tuple(language for language in revision.languages if language in LANGUAGES)


def check_source(source: str) -> None:
    """Refuse a source that cannot be kept or judged.

    Raises:
        TooLarge: it has more than MAX_SOURCE_BYTES bytes of UTF-8.
        Invalid: it holds half a character or a NUL.
    """
    try:
        encoded = source.encode()
    except UnicodeEncodeError:
        raise Invalid("invalid-source", flaw("/source", "lone-surrogate")) from None
    if len(encoded) > MAX_SOURCE_BYTES:
        named = flaw("/source", "too-many-bytes", max_bytes=MAX_SOURCE_BYTES)
        raise TooLarge("source-too-large", named, max_bytes=MAX_SOURCE_BYTES, bytes=len(encoded))
    if "\0" in source:
        raise Invalid("invalid-source", flaw("/source", "nul-character"))


def _insert_submission(
    connection: Connection, caller: Caller, new: NewSubmission, revision: Revision
) -> str:
    submission_id, moment = new_id(), now()
    zone = find_time_zone(select_account(connection, caller.account_id).time_zone)
    connection.execute(
        insert(submission).values(
            id=submission_id,
            account_id=caller.account_id,
            problem_id=revision.problem_id,
            revision_id=revision.id,
            language=new.language,
            source=new.source,
            source_hash=hashlib.sha256(new.source.encode()).hexdigest(),
            created_at=moment,
            local_date=moment.astimezone(zone).date(),
            via=new.via,
        )
    )
    return submission_id


def _insert_judgement(connection: Connection, submission_id: str, revision: Revision) -> str:
    planned = count_cases(connection, revision.id)
    values = queued_judgement(submission_id, revision.id, planned, 1, "submit")
    connection.execute(insert(judgement).values(values))
    return str(values["id"])
