"""What the workers report about themselves, and what follows for languages and isolation."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from judge.db.tables import worker

# A heartbeat comes every few seconds; a worker that is silent for longer counts as gone.
LIVE_S = 30
# From the strongest on (docs/security.md); what stands in neither place is weaker than both.
SAFE_TIER = "A"
_TIERS = (SAFE_TIER, "B")


@dataclass(frozen=True)
class LiveWorker:
    """A worker that sent a heartbeat lately.

    ``languages`` maps a language to its versions, ``missing`` one that the worker's machine cannot
    judge to the command that would install it. ``tier`` is empty where no sandbox could be started;
    ``fix`` says what the machine needs for tier A, or for any where it has none; nothing where it
    has tier A.
    """

    id: str
    host: str
    languages: dict[str, dict[str, str]]
    missing: dict[str, str]
    tier: str
    layers: list[str]
    fix: str
    self_test: str
    heartbeat_at: datetime
    is_draining: bool

    @property
    def is_ready(self) -> bool:
        """Whether it takes jobs and has proved that it judges an honest program rightly."""
        return self.self_test == "passed" and not self.is_draining


@dataclass(frozen=True)
class Availability:
    """What can be judged now.

    ``toolchains`` has every language that a ready worker judges. ``missing`` has the languages that
    ready workers report as missing and that no live worker judges, with the command that would
    install them: what is sent in one of these would wait for nobody.
    """

    toolchains: dict[str, dict[str, str]]
    missing: dict[str, str]


@dataclass(frozen=True)
class Isolation:
    """What holds of every submission, whichever ready worker takes it.

    ``tier`` is the weakest tier of a ready worker, ``layers`` are those that all of them have,
    ``fix`` is what a worker of that tier needs for tier A, and ``tiers`` counts the ready workers
    by tier.
    """

    tier: str
    layers: tuple[str, ...]
    fix: str
    tiers: dict[str, int]


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
            missing=row.missing,
            tier=row.tier,
            layers=row.layers,
            fix=row.fix,
            self_test=row.self_test,
            heartbeat_at=row.heartbeat_at,
            is_draining=row.draining_at is not None,
        )
        for row in rows
    )


def read_availability(workers: Iterable[LiveWorker]) -> Availability:
    """What live workers make of the languages, all of them together."""
    live = tuple(workers)
    ready = [each for each in live if each.is_ready]
    # One that drains or tests itself may be back in a moment: its languages are not missing.
    judged = {language for each in live for language in each.languages}
    return Availability(
        toolchains={
            language: toolchain for each in ready for language, toolchain in each.languages.items()
        },
        missing={
            language: remedy
            for each in ready
            for language, remedy in each.missing.items()
            if language not in judged
        },
    )


def read_isolation(workers: Iterable[LiveWorker]) -> Isolation | None:
    """What the ready ones of some workers promise together; None if none is ready."""
    ready = [worker for worker in workers if worker.is_ready]
    if not ready:
        return None
    weakest = max(ready, key=_weakness)
    fixes = [worker.fix for worker in ready if worker.tier == weakest.tier and worker.fix]
    return Isolation(
        tier=weakest.tier,
        layers=tuple(
            layer for layer in weakest.layers if all(layer in other.layers for other in ready)
        ),
        fix=fixes[0] if fixes else "",
        tiers=dict(sorted(Counter(worker.tier for worker in ready).items())),
    )


def _weakness(worker: LiveWorker) -> int:
    return _TIERS.index(worker.tier) if worker.tier in _TIERS else len(_TIERS)
