"""Runs: trying a source on the samples or on own input, for no score.

A run is its owner's alone, kept for a day, and opens nothing.
"""

from fastapi import APIRouter, Response
from starlette.concurrency import run_in_threadpool

from judge.actions.idempotency import KeyClaim
from judge.actions.runs import NewRun, start_run
from judge.api.desks import Desk, Reading, Writing
from judge.api.ids import RUN, read, show
from judge.api.once import Once, OnceRoute
from judge.api.schemas.base import answers, asks, sending
from judge.api.schemas.runs import RUN_EXAMPLE, RunAnswer, RunRequest, read_inputs, run_answer
from judge.api.waits import WaitSeconds
from judge.db.queries.problems import list_samples
from judge.db.queries.runs import is_run_final, select_own_run
from judge.db.queries.submissions import find_queue_position
from judge.queue.jobs import RUN_KIND

router = APIRouter(tags=["runs"], route_class=OnceRoute)


@router.post(
    "/problems/{slug}/runs",
    status_code=201,
    summary="Try a source",
    responses=sending(
        answers(RUN_EXAMPLE, 201, 400, 401, 403, 404, 409, 410, 413, 422, 429), "Location"
    ),
    openapi_extra=asks(
        {
            "language": "python",
            "source": "def sample_token(logits, k): ...",
            "cases": [{"logits": [1.0, 1.0, 0.0], "k": 2}],
            "reference": True,
        }
    ),
)
async def add_run(
    slug: str,
    body: RunRequest,
    response: Response,
    desk: Writing,
    wait: WaitSeconds,
    once: Once,
) -> RunAnswer:
    """Run a source on the samples or on own input; with `wait` the answer holds what came of it."""
    run_id = once.ref
    if run_id is None:
        run_id = await run_in_threadpool(_start, desk, slug, body, once.claim)
    await _wait(desk, run_id, wait)
    response.headers["Location"] = f"/api/v1/runs/{show(RUN, run_id)}"
    return await run_in_threadpool(_answer, desk, run_id)


@router.get(
    "/runs/{run_id}",
    summary="Read a run",
    responses=answers(RUN_EXAMPLE, 200, 401, 403, 404),
)
async def show_run(run_id: str, desk: Reading, wait: WaitSeconds) -> RunAnswer:
    """What came of a run, for its owner and for a day; with `wait` when it is over."""
    identifier = read(RUN, run_id)
    await run_in_threadpool(_answer, desk, identifier)
    await _wait(desk, identifier, wait)
    return await run_in_threadpool(_answer, desk, identifier)


def _start(desk: Desk, slug: str, body: RunRequest, claim: KeyClaim | None) -> str:
    """Store a run and wake a worker; the run's id."""
    new = NewRun(slug, body.language, body.source, body.cases, body.reference)
    started = start_run(desk.joined.database, desk.caller, new, claim)
    desk.joined.bell.ring(f"lane:{started.lane}")
    return started.run_id


async def _wait(desk: Desk, run_id: str, seconds: float) -> None:
    def is_done() -> bool:
        with desk.joined.database.read() as connection:
            return is_run_final(connection, run_id)

    await desk.joined.waiters.wait(f"run:{run_id}", desk.caller.account_id, seconds, is_done)


def _answer(desk: Desk, run_id: str) -> RunAnswer:
    with desk.joined.database.read() as connection:
        found = select_own_run(connection, run_id, desk.caller.account_id)
        samples = list_samples(connection, found.revision_id)
        position = find_queue_position(connection, found.id, RUN_KIND)
    return run_answer(found, read_inputs(found, samples, desk.locale), position, desk.locale)
