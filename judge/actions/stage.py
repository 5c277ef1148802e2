"""Saying how far a judgement is, while it runs."""

from sqlalchemy import select, update

from judge.actions.events import add_event
from judge.db.engine import Database
from judge.db.tables import judgement
from judge.db.types import now
from judge.queue.jobs import SUBMISSION, Claim, is_held

STAGES = ("queued", "claimed", "compiling", "running")


def set_stage(database: Database, claim: Claim, stage: str, done: int, planned: int) -> bool:
    """Set a judgement's state and progress; false if the claim is lost or judging is over.

    Args:
        database: where to.
        claim: a claim of kind ``submission`` or ``rejudge_item``.
        stage: ``claimed``, ``compiling`` or ``running``; ``queued`` before a job is given back.
        done: test cases that are finished.
        planned: test cases in all; 0 leaves the planned number as it was submitted.
    """
    if stage not in STAGES:
        raise ValueError(f"{stage!r} is not a stage of a running judgement")
    with database.write() as connection:
        if not is_held(connection, claim):
            return False
        row = connection.execute(
            select(
                judgement.c.submission_id,
                judgement.c.state,
                judgement.c.tests_done,
                judgement.c.tests_planned,
                judgement.c.started_at,
            ).where(judgement.c.id == claim.ref_id)
        ).one()
        if row.state in ("judged", "cancelled"):
            return False
        connection.execute(
            update(judgement)
            .where(judgement.c.id == claim.ref_id)
            .values(
                state=stage,
                tests_done=done,
                tests_planned=planned or row.tests_planned,
                started_at=row.started_at or now(),
            )
        )
        # A rejudge's progress is nothing that the learner follows.
        has_moved = (row.state, row.tests_done) != (stage, done)
        if has_moved and claim.kind == SUBMISSION:
            counts = {"done": done, "planned": planned or row.tests_planned}
            add_event(connection, row.submission_id, stage, counts)
    return True
