"""Runs: what their owner reads, and what a worker needs of one."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, select

from judge.db.tables import problem, revision, run
from judge.db.types import now
from judge.errors import NotFound

OPEN_STATES = ("queued", "running")


@dataclass(frozen=True)
class Run:
    """One run without its source; ``results`` is None until there are some."""

    id: str
    account_id: str
    slug: str
    revision_id: str
    revision_number: int
    signature: dict[str, Any]
    checker: dict[str, Any]
    language: str
    inputs: dict[str, Any]
    state: str
    results: dict[str, Any] | None
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime

    @property
    def is_final(self) -> bool:
        """Whether waiting any longer would change nothing."""
        return self.state not in OPEN_STATES


@dataclass(frozen=True)
class RunWork:
    """One run to be made; ``inputs`` is None for the samples."""

    run_id: str
    revision_id: str
    language: str
    source: str
    inputs: list[Any] | None
    wants_reference: bool


def select_own_run(connection: Connection, run_id: str, account_id: str) -> Run:
    """An account's run, for as long as it is kept.

    Raises:
        NotFound: there is none, it is somebody else's, or its time is over.
    """
    row = connection.execute(
        select(
            *(column for column in run.c if column.name != "source"),
            problem.c.slug,
            revision.c.number,
            revision.c.signature,
            revision.c.checker,
        )
        .join(problem, problem.c.id == run.c.problem_id)
        .join(revision, revision.c.id == run.c.revision_id)
        .where(run.c.id == run_id, run.c.account_id == account_id, run.c.expires_at > now())
    ).one_or_none()
    if row is None:
        raise NotFound("run-not-found")
    return _run(row)


def is_run_final(connection: Connection, run_id: str) -> bool:
    """Whether a run has come to its end, or is gone."""
    state = connection.scalar(select(run.c.state).where(run.c.id == run_id))
    return state not in OPEN_STATES


def count_open_runs(connection: Connection, account_id: str) -> int:
    """How many runs of an account wait or run; one that was lost on the way counts no day long."""
    query = select(func.count()).where(
        run.c.account_id == account_id,
        run.c.state.in_(OPEN_STATES),
        run.c.created_at > now() - timedelta(hours=1),
    )
    return connection.scalar(query) or 0


def count_recent_runs(connection: Connection, account_id: str, seconds: float) -> int:
    """How many runs an account began within the last seconds."""
    began = now() - timedelta(seconds=seconds)
    query = select(func.count()).where(run.c.account_id == account_id, run.c.created_at > began)
    return connection.scalar(query) or 0


def find_run_work(connection: Connection, run_id: str) -> RunWork | None:
    """What a job of kind ``run`` refers to; None if it was deleted meanwhile."""
    query = select(run.c.id, run.c.revision_id, run.c.language, run.c.source, run.c.inputs)
    row = connection.execute(query.where(run.c.id == run_id)).one_or_none()
    if row is None:
        return None
    cases = row.inputs["cases"]
    return RunWork(
        run_id=row.id,
        revision_id=row.revision_id,
        language=row.language,
        source=row.source,
        inputs=cases if isinstance(cases, list) else None,
        wants_reference=row.inputs["reference"],
    )


def _run(row: Any) -> Run:
    return Run(
        id=row.id,
        account_id=row.account_id,
        slug=row.slug,
        revision_id=row.revision_id,
        revision_number=row.number,
        signature=row.signature,
        checker=row.checker,
        language=row.language,
        inputs=row.inputs,
        state=row.state,
        results=row.results,
        created_at=row.created_at,
        finished_at=row.finished_at,
        expires_at=row.expires_at,
    )
