"""Recording a judgement: results, event and best score in the one transaction that ends the job.

Fenced: the first statement is judge.queue.jobs.finish; if the claim was lost meanwhile, somebody
else judges or has judged, and nothing is written. Results are stored in full; who may read what is
decided when they are read (judge.domain.access). A judgement that failed by the judge's own fault
is internal_error: it has no score, and it counts for nothing. So does one that claims more than its
own cases show (judge.actions.judgement_check).

The judgement of a rejudge changes nothing that its learner sees until the rejudge is applied: no
event, no best score. One that was cancelled meanwhile gets no result.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from judge.actions.events import add_event
from judge.actions.judgement_check import check_judgement
from judge.actions.kept_texts import (
    MAX_LOG_CHARACTERS,
    MAX_MESSAGE_CHARACTERS,
    MAX_NOTE_CHARACTERS,
    MAX_OUTPUT_CHARACTERS,
    clean,
    json_head,
)
from judge.actions.recompute import recompute_within
from judge.actions.rejudge_apply import apply_if_done
from judge.db.engine import Database
from judge.db.queries.judging import RecordTarget, is_cancelled, select_record_target
from judge.db.queries.rejudges import find_rejudge_of, lock_rejudge
from judge.db.tables import job, judgement, test_result
from judge.db.types import now
from judge.domain.signatures import parse_type
from judge.domain.submission import CaseResult, Judgement
from judge.domain.verdicts import Reason, Verdict
from judge.errors import JudgeBroken
from judge.queue.jobs import REJUDGE_ITEM, SUBMISSION, Claim, finish
from judge.queue.losses import settle

_NOTHING: Mapping[str, str] = {}


def record(database: Database, claim: Claim, result: Judgement) -> bool:
    """Store a judgement and end its job; false if the claim is lost: then nothing is written.

    Raises:
        JudgeBroken: the judgement contradicts itself or its revision; nothing is written.
    """
    with database.read() as connection:
        target = select_record_target(connection, claim.ref_id)
    check_judgement(result, frozenset(target.case_ids), target.for_full_score)
    rows = [_result_row(target, case) for case in result.cases]
    with database.write() as connection:
        rejudge_id = _lock_rejudge(connection, claim.kind, target)
        if not finish(connection, claim):
            return False
        if rejudge_id is not None and is_cancelled(connection, target.judgement_id):
            return True
        connection.execute(
            update(judgement)
            .where(judgement.c.id == target.judgement_id)
            .values(_values(result) | {"started_at": _started(claim)})
        )
        if rows:
            connection.execute(insert(test_result), rows)
        if rejudge_id is not None:
            apply_if_done(connection, rejudge_id)
        else:
            _conclude(connection, target, result.verdict, result.passed, len(result.cases))
    return True


def drop_cancelled(database: Database, claim: Claim) -> bool:
    """End the job of a judgement that was cancelled; false if it was not, and nothing is written.

    A claim that is lost meanwhile needs nothing either: whoever holds it comes here too.
    """
    with database.write() as connection:
        if not is_cancelled(connection, claim.ref_id):
            return False
        finish(connection, claim)
    return True


def record_fault(
    database: Database, claim: Claim, detail: str, runner: Mapping[str, str] = _NOTHING
) -> bool:
    """End a job as internal_error because the judge itself failed; false if the claim is lost.

    ``detail`` is for staff and stands in the judgement's toolchain beside ``runner``, what was to
    judge it; never in the compile log.
    """
    with database.read() as connection:
        target = select_record_target(connection, claim.ref_id)
    with database.write() as connection:
        rejudge_id = _lock_rejudge(connection, claim.kind, target)
        if not finish(connection, claim):
            return False
        _fail(connection, target, rejudge_id, detail, runner)
    return True


def record_lost(database: Database, job_id: str) -> str | None:
    """End a parked job as internal_error; the submission's id for exactly one caller, else None."""
    with database.write() as connection:
        row = connection.execute(select(job.c.kind, job.c.ref_id).where(job.c.id == job_id)).one()
        if row.kind not in (SUBMISSION, REJUDGE_ITEM):
            settle(connection, job_id)
            return None
        target = select_record_target(connection, row.ref_id)
        rejudge_id = _lock_rejudge(connection, row.kind, target)
        if not settle(connection, job_id):
            return None
        _fail(connection, target, rejudge_id, "the judge worker was lost three times", _NOTHING)
        return target.submission_id


def _lock_rejudge(connection: Connection, kind: str, target: RecordTarget) -> str | None:
    """The rejudge that a job belongs to, locked before anything else is; None for a submission."""
    if kind != REJUDGE_ITEM:
        return None
    rejudge_id = find_rejudge_of(connection, target.judgement_id)
    if rejudge_id is None:
        raise JudgeBroken(f"the judgement {target.judgement_id} belongs to no rejudge")
    lock_rejudge(connection, rejudge_id)
    return rejudge_id


def _fail(
    connection: Connection,
    target: RecordTarget,
    rejudge_id: str | None,
    detail: str,
    runner: Mapping[str, str],
) -> None:
    if rejudge_id is not None and is_cancelled(connection, target.judgement_id):
        return
    connection.execute(
        update(judgement)
        .where(judgement.c.id == target.judgement_id)
        .values(
            state="judged",
            verdict=Verdict.INTERNAL_ERROR.value,
            reason=Reason.JUDGE_FAULT.value,
            # How far it came would tell on which case it broke.
            tests_done=0,
            toolchain={**runner, "fault": clean(detail, MAX_MESSAGE_CHARACTERS)},
            finished_at=now(),
        )
    )
    if rejudge_id is not None:
        apply_if_done(connection, rejudge_id)
    else:
        _conclude(connection, target, Verdict.INTERNAL_ERROR, 0, len(target.case_ids))


def _conclude(
    connection: Connection, target: RecordTarget, verdict: Verdict, passed: int, planned: int
) -> None:
    add_event(
        connection,
        target.submission_id,
        "judged",
        {"verdict": verdict.value, "passed": passed, "planned": planned},
    )
    recompute_within(connection, target.account_id, target.problem_id)


def _started(claim: Claim) -> ColumnElement[datetime]:
    """When judging began: as it was told, or else when the job was claimed."""
    claimed_at = select(job.c.claimed_at).where(job.c.id == claim.job_id).scalar_subquery()
    return func.coalesce(judgement.c.started_at, claimed_at)


def _values(result: Judgement) -> dict[str, Any]:
    is_fault = result.verdict is Verdict.INTERNAL_ERROR
    return {
        "state": "judged",
        "tests_done": len(result.cases),
        "tests_passed": result.passed,
        "verdict": result.verdict.value,
        "reason": result.reason.value,
        "score_num": None if is_fault else result.score.earned,
        "score_den": None if is_fault else result.score.max,
        "cpu_ms": max((case.cpu_ms for case in result.cases), default=0),
        "memory_kb": max((case.memory_kb for case in result.cases), default=0),
        "compile_ok": result.compile.ok,
        "compile_log": clean(result.compile.log, MAX_LOG_CHARACTERS),
        "toolchain": result.runner,
        "finished_at": now(),
    }


def _result_row(target: RecordTarget, case: CaseResult) -> dict[str, Any]:
    return {
        "judgement_id": target.judgement_id,
        "test_case_id": target.case_ids[case.id],
        "verdict": case.verdict.value,
        "reason": case.reason.value,
        "message": clean(case.message, MAX_MESSAGE_CHARACTERS),
        "error_class": clean(case.error_class, 64),
        "error_line": case.error_line,
        "cpu_ms": case.cpu_ms,
        "wall_ms": case.wall_ms,
        "memory_kb": case.memory_kb,
        "got_blob": _got(target, case),
        "stdout_head": clean(case.stdout, MAX_OUTPUT_CHARACTERS),
        "stderr_head": clean(case.stderr, MAX_OUTPUT_CHARACTERS),
        "note": clean(case.note, MAX_NOTE_CHARACTERS),
    }


def _got(target: RecordTarget, case: CaseResult) -> bytes | None:
    """The head of the returned value as JSON text."""
    return json_head(parse_type(target.returns), case.returned) if case.has_returned else None
