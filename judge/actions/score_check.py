"""Whether the stored best scores are what the current judgements say.

Looking writes nothing and happens on one state of the database, so it may run beside a judge at
work. Repairing rebuilds the rows that differ, each in a transaction of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from judge.actions.audit import add_audit
from judge.actions.recompute import recompute
from judge.db.engine import Database
from judge.db.queries.scores import (
    hold_snapshot,
    list_without_row,
    map_all_best_scores,
    map_names,
    map_scored,
)
from judge.db.queries.unlocks import map_solution_openings
from judge.domain.progress import BestScore, best_of


@dataclass(frozen=True)
class Difference:
    """One account on one problem: what is stored, and what the judgements say; None is no score.

    Where neither has one, the row itself is missing that whoever submitted has.
    """

    account_id: str
    problem_id: str
    handle: str
    slug: str
    stored: BestScore | None
    rebuilt: BestScore | None


def find_differences(database: Database) -> tuple[Difference, ...]:
    """Every stored best score that is not what its judgements say, by handle and slug."""
    with database.read() as connection:
        hold_snapshot(connection)
        scored, stored = map_scored(connection), map_all_best_scores(connection)
        openings = map_solution_openings(connection)
        rebuilt = {key: best_of(found, openings.get(key)) for key, found in scored.items()}
        wrong = {key for key in {*stored, *rebuilt} if stored.get(key) != rebuilt.get(key)}
        wrong.update(list_without_row(connection))
        names = map_names(connection, wrong)
    found = [Difference(*key, *names[key], stored.get(key), rebuilt.get(key)) for key in wrong]
    return tuple(sorted(found, key=lambda one: (one.handle, one.slug)))


def repair(database: Database, differences: Sequence[Difference]) -> None:
    """Rebuild the rows that differ."""
    for one in differences:
        recompute(database, one.account_id, one.problem_id)
    if differences:
        with database.write() as connection:
            after = {"rows": len(differences)}
            add_audit(connection, None, "scores.repair", "best_score", {}, after)
