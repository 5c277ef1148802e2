"""What the workers report about themselves."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, select

from judge.db.tables import worker

# A heartbeat comes every few seconds; a worker that is silent for longer counts as gone.
LIVE_S = 30


@dataclass(frozen=True)
class LiveWorker:
    """A worker that sent a heartbeat lately; ``languages`` maps a language to its versions."""

    id: str
    host: str
    languages: dict[str, dict[str, str]]
    tier: str
    layers: Any
    self_test: str
    heartbeat_at: datetime
    is_draining: bool

    @property
    def is_ready(self) -> bool:
        """Whether it takes jobs and has proved that it judges an honest program rightly."""
        return self.self_test == "passed" and not self.is_draining


def list_live_workers(connection: Connection, moment: datetime) -> tuple[LiveWorker, ...]:
    """Workers whose last heartbeat is at most LIVE_S seconds before ``moment``."""
    rows = connection.execute(
        select(worker)
        .where(worker.c.heartbeat_at >= moment - timedelta(seconds=LIVE_S))
        .order_by(worker.c.started_at, worker.c.id)
    )
    return tuple(
        LiveWorker(
            id=row.id,
            host=row.host,
            languages=row.languages,
            tier=row.tier,
            layers=row.layers,
            self_test=row.self_test,
            heartbeat_at=row.heartbeat_at,
            is_draining=row.draining_at is not None,
        )
        for row in rows
    )
