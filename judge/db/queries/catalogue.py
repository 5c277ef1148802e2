"""The catalogue: which published problems somebody is looking for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from judge.db.queries.problems import Problem, list_published, list_titles, list_topics
from judge.db.queries.scores import map_best_scores, map_submission_counts
from judge.domain.access import Caller, Sight
from judge.domain.catalogue import Standing, matches, standing
from judge.domain.problem import Localized
from judge.domain.progress import BestScore


@dataclass(frozen=True)
class Own:
    """What an account has done, by problem id; nothing for who is not signed in."""

    best: Mapping[str, BestScore]
    counts: Mapping[str, int]

    def standing(self, problem_id: str) -> Standing:
        """How far the account is with a problem."""
        best = self.best.get(problem_id)
        accepted = best is not None and best.first_accepted_at is not None
        return standing(self.counts.get(problem_id, 0), accepted=accepted)


@dataclass(frozen=True)
class Wanted:
    """Which problems are asked for; None is any. ``query`` are words of a title or slug."""

    topic: str | None = None
    standing: str | None = None
    query: str | None = None


EVERYTHING = Wanted()


def read_own(connection: Connection, caller: Caller | None) -> Own:
    """What the caller has done on all problems."""
    if caller is None:
        return Own({}, {})
    best = map_best_scores(connection, caller.account_id)
    return Own(best, map_submission_counts(connection, caller.account_id))


def list_wanted(
    connection: Connection,
    sight: Sight,
    own: Own,
    wanted: Wanted,
    page: tuple[tuple[int | str, ...] | None, int],
) -> tuple[Problem, ...]:
    """Published problems that pass, by position and slug.

    ``page`` is the key behind which to begin, and how many there are to be at most. What is wanted
    is looked for here: no database folds accents as people do.
    """
    after, limit = page
    if wanted == EVERYTHING:
        return list_published(connection, sight, after, limit)
    found: Sequence[Problem] = list_published(connection, sight, after)
    if wanted.standing is not None:
        found = [one for one in found if own.standing(one.id) == wanted.standing]
    if wanted.topic is not None:
        topics = list_topics(connection, [one.id for one in found])
        found = [one for one in found if wanted.topic in topics[one.id]]
    if wanted.query is not None:
        titles = list_titles(connection, [str(one.revision_id) for one in found])
        found = [one for one in found if _is_found(wanted.query, one, titles)]
    return tuple(found[:limit])


def _is_found(query: str, problem: Problem, titles: Mapping[str, Localized]) -> bool:
    return matches(query, (problem.slug, *titles[str(problem.revision_id)].values()))
