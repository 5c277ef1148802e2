"""Beginning a run: one transaction makes the run and its job.

A run is private, gives no score and opens nothing; it is kept for a day. After this the caller
rings ``lane:<language>``. A run that breaks a rule is refused before anything is stored.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import insert

from judge.actions.idempotency import KeyClaim, keep_ref
from judge.actions.submit import NewSubmission, check_source, select_target
from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.queries.problems import Revision, list_samples
from judge.db.queries.runs import count_open_runs, count_recent_runs
from judge.db.tables import run
from judge.db.types import new_id, now
from judge.domain.access import Caller, may_ask_reference
from judge.domain.runs import takes_own_input
from judge.domain.signatures import signature_from_json
from judge.domain.values import arguments_to_json, read_arguments
from judge.errors import Conflict, Invalid, TooLarge, TooMany, flaw
from judge.queue.jobs import RUN, RUN_KIND, SUBMIT, enqueue

SAMPLES = "samples"
KEPT_FOR = timedelta(hours=24)
MAX_CASES = 10
MAX_CASES_BYTES = 64 * 1024
# Of one account that wait or run at once; the next may begin when one has ended.
MAX_OPEN = 4
_RETRY_AFTER_S = 2
# An object may have thousands of members that are no arguments; an answer names not all of them.
_MAX_FLAWS = 50
# Whoever runs more than so many in a minute waits in one line with what is handed in.
_PROMPT_RUNS = 6


@dataclass(frozen=True)
class NewRun:
    """A source to try on SAMPLES, or on a list of JSON objects of named arguments."""

    slug: str
    language: str
    source: str
    cases: object = SAMPLES
    wants_reference: bool = False


@dataclass(frozen=True)
class StartedRun:
    """The run's id, and the lane to ring."""

    run_id: str
    lane: str


def start_run(
    database: Database, caller: Caller, new: NewRun, claim: KeyClaim | None = None
) -> StartedRun:
    """Store a run and queue it; its id is kept with the claim of an Idempotency-Key.

    Raises:
        TooLarge: source or cases are too large.
        Invalid: ``bad-arguments``: a case does not fit the signature; ``own-input-not-offered``,
            ``reference-not-offered``; or as for a submission.
        NotFound, Gone, Conflict: as for a submission; ``no-samples``.
        TooMany: ``too-many-runs``.
    """
    check_source(new.source)
    with database.write() as connection:
        lock_account(connection, caller.account_id)
        wanted = NewSubmission(new.slug, new.language, new.source)
        revision = select_target(connection, caller, wanted)
        cases = _read_cases(revision, new.cases)
        if cases == SAMPLES and not list_samples(connection, revision.id):
            raise Conflict("no-samples")
        _check_reference(revision, caller, new)
        if count_open_runs(connection, caller.account_id) >= MAX_OPEN:
            raise TooMany("too-many-runs", seconds=_RETRY_AFTER_S, most=MAX_OPEN)
        is_prompt = count_recent_runs(connection, caller.account_id, 60) < _PROMPT_RUNS
        run_id, moment = new_id(), now()
        connection.execute(
            insert(run).values(
                id=run_id,
                account_id=caller.account_id,
                problem_id=revision.problem_id,
                revision_id=revision.id,
                language=new.language,
                source=new.source,
                inputs={"cases": cases, "reference": new.wants_reference},
                state="queued",
                created_at=moment,
                expires_at=moment + KEPT_FOR,
            )
        )
        enqueue(
            connection,
            kind=RUN_KIND,
            ref_id=run_id,
            account_id=caller.account_id,
            lane=new.language,
            priority=RUN if is_prompt else SUBMIT,
        )
        keep_ref(connection, claim, run_id)
    return StartedRun(run_id, new.language)


def _check_reference(revision: Revision, caller: Caller, new: NewRun) -> None:
    is_offered = bool(revision.reveal.get("reference", False))
    if new.wants_reference and not may_ask_reference(is_offered, caller.role):
        raise Invalid("reference-not-offered", flaw("/reference", "reference-not-offered"))


def _read_cases(revision: Revision, cases: object) -> str | list[dict[str, Any]]:
    """SAMPLES, or each case's arguments in the one way of writing them."""
    if cases == SAMPLES:
        return SAMPLES
    if not isinstance(cases, list) or not cases:
        raise Invalid("bad-arguments", flaw("/cases", "cases", most=MAX_CASES))
    if len(cases) > MAX_CASES:
        named = flaw("/cases", "too-many-items", max_length=MAX_CASES)
        raise TooLarge("too-many-cases", named, max_cases=MAX_CASES, cases=len(cases))
    if not takes_own_input(revision.checker):
        raise Invalid("own-input-not-offered", flaw("/cases", "own-input-not-offered"))
    read = _read_arguments(revision, cases)
    size = len(json.dumps(read, ensure_ascii=False, separators=(",", ":")).encode())
    if size > MAX_CASES_BYTES:
        named = flaw("/cases", "too-many-bytes", max_bytes=MAX_CASES_BYTES)
        raise TooLarge("cases-too-large", named, max_bytes=MAX_CASES_BYTES, bytes=size)
    return read


def _read_arguments(revision: Revision, cases: Sequence[object]) -> list[dict[str, Any]]:
    signature = signature_from_json(revision.signature)
    read, flaws = [], []
    for index, case in enumerate(cases):
        arguments, mismatches = read_arguments(signature, case, f"/cases/{index}")
        flaws += [
            flaw(one.pointer, "argument", variant=one.code, **one.details) for one in mismatches
        ]
        if not flaws:
            read.append(arguments_to_json(signature, arguments))
    if flaws:
        raise Invalid("bad-arguments", *flaws[:_MAX_FLAWS])
    return read
