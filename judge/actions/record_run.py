"""Recording a run: its results, in the one transaction that ends the job, if the claim still holds.

Nothing else is written: no submission, no judgement, no score, no event. A run that was deleted
meanwhile ends without a trace.
"""

from typing import Any

from sqlalchemy import Connection, select, update

from judge.actions.kept_texts import (
    MAX_LOG_CHARACTERS,
    MAX_MESSAGE_CHARACTERS,
    MAX_OUTPUT_CHARACTERS,
    clean,
    json_head,
)
from judge.db.engine import Database
from judge.db.tables import job, run
from judge.db.types import now
from judge.domain.runs import RunCase, RunResult
from judge.domain.signatures import Signature
from judge.domain.submission import CaseResult
from judge.queue.jobs import RUN_KIND, Claim, finish, is_held
from judge.queue.losses import settle


def set_run_state(database: Database, claim: Claim, state: str) -> bool:
    """Say that a run runs, or is queued again; false if the claim is lost."""
    with database.write() as connection:
        if not is_held(connection, claim):
            return False
        connection.execute(update(run).where(run.c.id == claim.ref_id).values(state=state))
    return True


def record_run(database: Database, claim: Claim, signature: Signature, result: RunResult) -> bool:
    """Store what came of a run and end its job; false if the claim is lost: nothing is written."""
    results = _results(signature, result)
    with database.write() as connection:
        if not finish(connection, claim):
            return False
        _end(connection, claim.ref_id, "judged", results)
    return True


def record_run_fault(database: Database, claim: Claim, detail: str) -> bool:
    """End a run because the judge itself failed; ``detail`` is for whoever reads the database."""
    with database.write() as connection:
        if not finish(connection, claim):
            return False
        _end(connection, claim.ref_id, "failed", {"fault": clean(detail, MAX_MESSAGE_CHARACTERS)})
    return True


def record_run_lost(database: Database, job_id: str) -> str | None:
    """Fail the run of a parked job; its id for exactly one caller, None also for other jobs."""
    with database.write() as connection:
        row = connection.execute(select(job.c.kind, job.c.ref_id).where(job.c.id == job_id)).one()
        if row.kind != RUN_KIND or not settle(connection, job_id):
            return None
        fault = {"fault": "the judge worker was lost three times"}
        _end(connection, row.ref_id, "failed", fault)
    return str(row.ref_id)


def _end(connection: Connection, run_id: str, state: str, results: dict[str, Any]) -> None:
    connection.execute(
        update(run)
        .where(run.c.id == run_id)
        .values(state=state, results=results, finished_at=now())
    )


def _results(signature: Signature, result: RunResult) -> dict[str, Any]:
    judged = result.judgement
    return {
        "verdict": None if judged is None else judged.verdict.value,
        "reason": "" if judged is None else judged.reason.value,
        "compile": None
        if judged is None
        else {
            "ok": judged.compile.ok,
            "log": clean(judged.compile.log, MAX_LOG_CHARACTERS),
        },
        "toolchain": {} if judged is None else judged.runner,
        "cases": [_case(signature, one) for one in result.cases],
    }


def _case(signature: Signature, one: RunCase) -> dict[str, Any]:
    reference = json_head(signature.returns, one.reference).decode() if one.has_reference else None
    return {
        "refusal": clean(one.refusal, MAX_MESSAGE_CHARACTERS),
        "reference": reference,
        "result": None if one.result is None else _result(signature, one.result),
    }


def _result(signature: Signature, result: CaseResult) -> dict[str, Any]:
    returned = None
    if result.has_returned:
        returned = json_head(signature.returns, result.returned).decode()
    return {
        "verdict": result.verdict.value,
        "reason": result.reason.value,
        "message": clean(result.message, MAX_MESSAGE_CHARACTERS),
        "error_class": clean(result.error_class, 64),
        "error_line": result.error_line,
        "cpu_ms": result.cpu_ms,
        "wall_ms": result.wall_ms,
        "memory_kb": result.memory_kb,
        "returned": returned,
        "stdout": clean(result.stdout, MAX_OUTPUT_CHARACTERS),
        "stderr": clean(result.stderr, MAX_OUTPUT_CHARACTERS),
    }
