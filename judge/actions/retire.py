"""Taking a problem from the learners, giving it back, and changing what is the problem's own.

Points, position and state belong to the problem, not to a revision: changing them judges nothing
anew, because points are the share of a score times the problem's points whenever they are read.
Other points make other scores, so whoever asks what changed since is given them.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, update

from judge.actions.audit import add_audit
from judge.actions.score_turn import next_score_moment, take_score_turn
from judge.db.engine import Database
from judge.db.queries.problems import Problem, lock_problem, select_managed_problem, select_problem
from judge.db.tables import best_score, problem
from judge.domain.access import Caller, Role, may_change_shown
from judge.domain.scoring import MAX_POINTS
from judge.errors import Conflict, Forbidden, Invalid, flaw

PUBLISHED, RETIRED = "published", "retired"
MAX_POSITION = 1_000_000


@dataclass(frozen=True)
class ProblemChange:
    """What is to be changed; None leaves it as it is."""

    points: int | None = None
    position: int | None = None
    state: str | None = None


def change_problem(
    database: Database,
    caller: Caller | None,
    slug: str,
    change: ProblemChange,
    expected: Problem | None = None,
) -> Problem:
    """Change a problem; None as the caller is whoever runs the judge.

    Args:
        database: where to.
        caller: who changes it.
        slug: which problem.
        change: what is to be changed.
        expected: the problem as the caller has read it; a change in between is refused.

    Raises:
        NotFound: there is no such problem, or it is not the caller's to change.
        Forbidden: ``published-to-all``: a teacher's problem that an admin shows to everybody.
        Conflict: ``problem-changed``; ``not-published`` if nothing of it was ever published.
        Invalid: a number or state that cannot be.
    """
    _check(change)
    with database.write() as connection:
        found = _select(connection, slug, caller)
        before = lock_problem(connection, found.id)
        if caller is not None and not may_change_shown(caller, before.visibility):
            raise Forbidden("published-to-all")
        if expected is not None and before != expected:
            raise Conflict("problem-changed", slug=slug)
        if change.state is not None and before.revision_id is None:
            raise Conflict("not-published", slug=slug)
        was = {"points": before.points, "position": before.position, "state": before.state}
        wanted = _wanted(change)
        values = {name: value for name, value in wanted.items() if value != was[name]}
        if not values:
            return before
        connection.execute(update(problem).where(problem.c.id == before.id).values(**values))
        if "points" in values:
            _touch_scores(connection, before.id)
        kept = {name: was[name] for name in values}
        add_audit(connection, caller, "problem.change", f"problem:{slug}", kept, values)
        return select_problem(connection, before.id)


def retire(database: Database, caller: Caller | None, slug: str) -> Problem:
    """Take a problem from the learners; their submissions and scores stay readable to them.

    Raises:
        NotFound: there is no such problem, or it is not the caller's to change.
        Forbidden: as ``change_problem``.
        Conflict: ``not-published``.
    """
    return change_problem(database, caller, slug, ProblemChange(state=RETIRED))


def restore(database: Database, caller: Caller | None, slug: str) -> Problem:
    """Give a retired problem back, with the revision that it had.

    Raises:
        NotFound: there is no such problem, or it is not the caller's to change.
        Forbidden: as ``change_problem``.
        Conflict: ``not-published``.
    """
    return change_problem(database, caller, slug, ProblemChange(state=PUBLISHED))


def _touch_scores(connection: Connection, problem_id: str) -> None:
    take_score_turn(connection)
    of_problem = (best_score.c.problem_id == problem_id) & best_score.c.judgement_id.is_not(None)
    moment = next_score_moment(connection)
    connection.execute(update(best_score).where(of_problem).values(updated_at=moment))


def _select(connection: Connection, slug: str, caller: Caller | None) -> Problem:
    # Whoever runs the judge has the rights of an admin, but no account.
    return select_managed_problem(connection, slug, caller or Caller("", "", Role.ADMIN))


def _wanted(change: ProblemChange) -> dict[str, int | str]:
    wanted = {"points": change.points, "position": change.position, "state": change.state}
    return {name: value for name, value in wanted.items() if value is not None}


def _check(change: ProblemChange) -> None:
    flaws = []
    for name, value, least, most in (
        ("points", change.points, 1, MAX_POINTS),
        ("position", change.position, 0, MAX_POSITION),
    ):
        if value is not None and not least <= value <= most:
            flaws.append(flaw(f"/{name}", "between", least=least, most=most))
    if change.state not in (None, PUBLISHED, RETIRED):
        flaws.append(flaw("/state", "choice", choices=(PUBLISHED, RETIRED)))
    if flaws:
        raise Invalid("invalid-request", *flaws)
