"""The worker rows: what each judge worker says of itself.

Owns writing the table ``worker``; the web side reads it (it may not probe anything itself) and
takes a row whose heartbeat is old for a worker that is gone. Never decides who gets a job.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, update

from judge.db.engine import Database
from judge.db.tables import worker
from judge.db.types import now

PENDING = "pending"
PASSED = "passed"
FAILED = "failed"


@dataclass(frozen=True)
class SelfTest:
    """What the self-test came to: ``verdict`` is pending, passed or failed; ``report`` says why."""

    verdict: str
    report: Mapping[str, str]


@dataclass(frozen=True)
class WorkerInfo:
    """One judge worker as it describes itself.

    ``languages`` maps a language that it judges to its versions, ``missing`` one that it cannot
    judge to the command that would install it. ``tier`` is empty where it could start no sandbox.
    ``fix`` says what its machine needs for tier A of the sandbox, or for any where it has none;
    nothing where it has tier A.
    """

    id: str
    host: str
    process_id: int
    languages: Mapping[str, Mapping[str, str]]
    tier: str
    layers: tuple[str, ...]
    self_test: SelfTest
    missing: Mapping[str, str] = field(default_factory=dict)
    fix: str = ""


def register(database: Database, info: WorkerInfo) -> None:
    """Write the worker's row, or write it anew."""
    moment = now()
    values = {
        "host": info.host,
        "process_id": info.process_id,
        "languages": {name: dict(versions) for name, versions in info.languages.items()},
        "tier": info.tier,
        "layers": list(info.layers),
        "self_test": info.self_test.verdict,
        "self_test_report": dict(info.self_test.report),
        "heartbeat_at": moment,
        "draining_at": None,
        "missing": dict(info.missing),
        "fix": info.fix,
    }
    with database.write() as connection:
        known = connection.execute(update(worker).where(worker.c.id == info.id).values(values))
        if known.rowcount == 0:
            connection.execute(insert(worker).values(id=info.id, started_at=moment, **values))


def keep_row(database: Database, info: WorkerInfo) -> None:
    """Say that the worker lives; whoever tidied up may have taken a frozen one for a dead one."""
    if not beat(database, info.id):
        register(database, info)


def beat(database: Database, worker_id: str) -> bool:
    """Say that the worker lives; false if its row is gone."""
    with database.write() as connection:
        beaten = connection.execute(
            update(worker).where(worker.c.id == worker_id).values(heartbeat_at=now())
        )
        return beaten.rowcount == 1


def begin_drain(database: Database, worker_id: str) -> None:
    """Say that the worker takes no further jobs."""
    with database.write() as connection:
        connection.execute(update(worker).where(worker.c.id == worker_id).values(draining_at=now()))


def remove(database: Database, worker_id: str) -> None:
    """Delete the row of a worker that has left or died."""
    with database.write() as connection:
        connection.execute(delete(worker).where(worker.c.id == worker_id))


def remove_silent(database: Database, older_than_s: float) -> None:
    """Delete the rows of workers that have not been heard of for ``older_than_s`` seconds."""
    with database.write() as connection:
        connection.execute(delete(worker).where(worker.c.heartbeat_at < _before(older_than_s)))


def _before(seconds: float) -> datetime:
    return now() - timedelta(seconds=seconds)
