"""The best score of an account on a problem, always rebuilt from all current judgements.

Never an addition to what was there: however often and in whatever order this runs, the row says
the same. Writers take turns (judge.actions.score_turn), so the last one to commit has seen the
others' results, and ``updated_at`` grows in the order in which changes become visible.
"""

from collections.abc import Mapping

from sqlalchemy import Connection, exists, select, update

from judge.actions.score_turn import next_score_moment, take_score_turn
from judge.db.engine import Database
from judge.db.inserts import insert_if_absent
from judge.db.queries.accounts import lock_account
from judge.db.queries.scores import find_best_score, list_scored
from judge.db.queries.unlocks import find_solution_opening
from judge.db.tables import best_score, judgement
from judge.domain.progress import BestScore, best_of

_UNSCORED: Mapping[str, object] = {
    "score_num": None,
    "score_den": None,
    "judgement_id": None,
    "revision_id": None,
    "submissions": 0,
    "first_accepted_at": None,
    "after_solution": False,
}


def recompute(database: Database, account_id: str, problem_id: str) -> None:
    """Rebuild one row of best_score in a transaction of its own."""
    with database.write() as connection:
        recompute_within(connection, account_id, problem_id)


def recompute_within(connection: Connection, account_id: str, problem_id: str) -> None:
    """Rebuild one row of best_score inside the caller's transaction."""
    take_score_turn(connection)
    lock_account(connection, account_id)
    opened_at = find_solution_opening(connection, account_id, problem_id)
    best = best_of(list_scored(connection, account_id, problem_id), opened_at)
    begin_score(connection, account_id, problem_id)
    if best == find_best_score(connection, account_id, problem_id):
        return
    here = (best_score.c.account_id == account_id) & (best_score.c.problem_id == problem_id)
    values = _UNSCORED if best is None else _values(best)
    moment = next_score_moment(connection)
    connection.execute(update(best_score).where(here).values(**values, updated_at=moment))


def begin_score(connection: Connection, account_id: str, problem_id: str) -> None:
    """Make the row of whoever submits for the first time; without a score, which is not 0."""
    is_there = exists().where(
        best_score.c.account_id == account_id, best_score.c.problem_id == problem_id
    )
    if connection.scalar(select(is_there)):
        return
    take_score_turn(connection)
    key = {"account_id": account_id, "problem_id": problem_id}
    moment = next_score_moment(connection)
    insert_if_absent(connection, best_score, {**key, **_UNSCORED, "updated_at": moment})


def _values(best: BestScore) -> dict[str, object]:
    return {
        "score_num": best.score.earned,
        "score_den": best.score.max,
        "judgement_id": best.judgement_id,
        "revision_id": select(judgement.c.revision_id)
        .where(judgement.c.id == best.judgement_id)
        .scalar_subquery(),
        "submissions": best.submissions,
        "first_accepted_at": best.first_accepted_at,
        "after_solution": best.after_solution,
    }
