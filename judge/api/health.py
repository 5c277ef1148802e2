"""Liveness and readiness, for whoever watches the service."""

from fastapi import APIRouter

from judge.api.deps import PartsDep
from judge.api.errors import HttpProblem
from judge.api.schemas.base import AnswerModel, answers
from judge.db.queries.workers import list_live_workers, read_availability, read_isolation
from judge.db.types import now

router = APIRouter(tags=["health"])


class Alive(AnswerModel):
    """The process answers."""

    alive: bool


class Ready(AnswerModel):
    """The service can judge: ``tier`` and ``layers`` say how every submission is boxed.

    Where workers differ, ``tier`` is the weakest one's, ``layers`` are what all have, and ``tiers``
    counts the workers by tier. ``fix`` says what the machine needs for tier A, nothing in tier A.
    ``missing`` has the languages that no worker's machine can judge, with what would install them.
    """

    ready: bool
    workers: int
    tier: str
    layers: list[str]
    fix: str
    tiers: dict[str, int]
    languages: list[str]
    missing: dict[str, str]


# Whoever only looks whether there is an answer asks so; it stands in no document.
@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", summary="Is the process alive", responses=answers({"alive": True}))
def check_health() -> Alive:
    """Answers as long as the process runs; looks at nothing else."""
    return Alive(alive=True)


@router.head("/readyz", include_in_schema=False)
@router.get(
    "/readyz",
    summary="Can submissions be judged",
    responses=answers(
        {
            "ready": True,
            "workers": 2,
            "tier": "A",
            "layers": ["userns", "seccomp"],
            "fix": "",
            "tiers": {"A": 2},
            "languages": ["cpp", "python"],
            "missing": {"java": "apt-get install default-jdk-headless"},
        },
        200,
        503,
    ),
)
def check_readiness(joined: PartsDep) -> Ready:
    """Ready if the database answers and takes writes and a live worker passed its self-test.

    Where none did because its machine offers no sandbox, the 503's ``fix`` says what to do there.
    """
    if not joined.database.answers():
        raise HttpProblem(503, "not-ready", variant="database", database=False)
    with joined.database.read() as connection:
        workers = list_live_workers(connection, now())
    if not joined.database.takes_writes():
        raise HttpProblem(503, "not-ready", variant="storage", database=True, storage=False)
    isolation = read_isolation(workers)
    if isolation is None:
        fixes = [worker.fix for worker in workers if not worker.tier and worker.fix]
        raise HttpProblem(
            503,
            "not-ready",
            variant="workers",
            database=True,
            workers=len(workers),
            fix=fixes[0] if fixes else "",
        )
    availability = read_availability(workers)
    return Ready(
        ready=True,
        workers=sum(isolation.tiers.values()),
        tier=isolation.tier,
        layers=list(isolation.layers),
        fix=isolation.fix,
        tiers=isolation.tiers,
        languages=sorted(availability.toolchains),
        missing=availability.missing,
    )
