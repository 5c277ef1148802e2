"""The best score of an account on a problem, always rebuilt from all current judgements.

Never an addition to what was there: however often and in whatever order this runs, the row says
the same. Writers take turns per account, so the last one to commit has seen the others' results.
"""

from sqlalchemy import Connection, delete, insert, update

from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.queries.scores import find_best_score, list_scored
from judge.db.queries.unlocks import find_solution_opening
from judge.db.tables import best_score
from judge.db.types import now
from judge.domain.progress import best_of


def recompute(database: Database, account_id: str, problem_id: str) -> None:
    """Rebuild one row of best_score in a transaction of its own."""
    with database.write() as connection:
        recompute_within(connection, account_id, problem_id)


def recompute_within(connection: Connection, account_id: str, problem_id: str) -> None:
    """Rebuild one row of best_score inside the caller's transaction."""
    lock_account(connection, account_id)
    opened_at = find_solution_opening(connection, account_id, problem_id)
    best = best_of(list_scored(connection, account_id, problem_id), opened_at)
    stored = find_best_score(connection, account_id, problem_id)
    if best == stored:
        return
    here = (best_score.c.account_id == account_id) & (best_score.c.problem_id == problem_id)
    if best is None:
        connection.execute(delete(best_score).where(here))
        return
    values = {
        "score_num": best.score.earned,
        "score_den": best.score.max,
        "judgement_id": best.judgement_id,
        "submissions": best.submissions,
        "first_accepted_at": best.first_accepted_at,
        "after_solution": best.after_solution,
        "updated_at": now(),
    }
    if stored is None:
        connection.execute(
            insert(best_score).values(account_id=account_id, problem_id=problem_id, **values)
        )
    else:
        connection.execute(update(best_score).where(here).values(values))
