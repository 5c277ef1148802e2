"""Scores in bulk, out of best_score alone: never by looking through submissions, except as_of.

Rows are plain tuples and built by the ten thousand; judge.api.score_text gives them words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, select, tuple_

from judge.db.queries.classes import ACTIVE, LEARNER, has_opened
from judge.db.queries.scores import map_scores_as_of
from judge.db.tables import (
    account,
    assignment,
    best_score,
    membership,
    problem,
    revision,
)


@dataclass(frozen=True)
class ScoreFilter:
    """Which rows are asked for; None asks for all.

    Attributes:
        account_id: only this account's.
        slug: only on this problem.
        changed_since: only what changed after this time.
        as_of: as if nothing had been handed in after this time.
        opened_by: of a class only what it was given by this time.
    """

    account_id: str | None = None
    slug: str | None = None
    changed_since: datetime | None = None
    as_of: datetime | None = None
    opened_by: datetime | None = None


class ScoreRow(NamedTuple):
    """One account on one problem; without a judgement that counts the score is None, not 0."""

    account_id: str
    handle: str
    external_id: str | None
    slug: str
    points: int
    score_num: int | None
    score_den: int | None
    submissions: int
    first_accepted_at: datetime | None
    after_solution: bool
    revision: int | None
    updated_at: datetime | None

    @property
    def key(self) -> tuple[str, str]:
        """What rows are in order of."""
        return self.handle.lower(), self.slug


def list_score_rows(
    connection: Connection, wanted: ScoreFilter, after: tuple[str, str] | None, limit: int
) -> list[ScoreRow]:
    """Accounts and problems with at least one submission, in order of (handle, slug).

    Args:
        connection: where to read.
        wanted: which of them.
        after: the (handle in lower case, slug) behind which to begin.
        limit: at most so many rows.
    """
    query = _best(account.c.handle, problem.c.slug, problem.c.points)
    query = query.join(account, account.c.id == best_score.c.account_id)
    query = query.join(problem, problem.c.id == best_score.c.problem_id)
    if wanted.account_id is not None:
        query = query.where(best_score.c.account_id == wanted.account_id)
    if wanted.slug is not None:
        query = query.where(problem.c.slug == wanted.slug)
    if wanted.changed_since is not None:
        query = query.where(best_score.c.updated_at > wanted.changed_since)
    if after is not None:
        query = query.where(tuple_(account.c.handle_key, problem.c.slug) > after)
    query = query.order_by(account.c.handle_key, problem.c.slug).limit(limit)
    found = connection.execute(query).all()
    keys = [(row.account_id, row.problem_id) for row in found]
    rows = [
        ScoreRow(row.account_id, row.handle, None, row.slug, row.points, *row[2 : 2 + _VALUES])
        for row in found
    ]
    return rows if wanted.as_of is None else _as_of(connection, wanted.as_of, keys, rows)


def list_class_scores(
    connection: Connection,
    class_id: str,
    wanted: ScoreFilter,
    after: tuple[str, str] | None,
    limit: int,
) -> list[ScoreRow]:
    """Every learner of a class on every problem that it was given, with submissions or without.

    In order as above. ``changed_since`` also gives the rows of who has joined since, and of
    problems that were given since: what they changed to is new to whoever asks.
    """
    learners = _learners(connection, class_id, wanted)
    problems = _problems(connection, class_id, wanted)
    if after is not None:
        learners = [one for one in learners if one.handle.lower() >= after[0]]
    if wanted.changed_since is None and problems:
        # So many fill the page, the first one of them perhaps with the end of its rows only.
        learners = learners[: limit // len(problems) + 2]
    best = _map_best(connection, [one.id for one in learners], [one.id for one in problems])
    rows: list[ScoreRow] = []
    keys: list[tuple[str, str]] = []
    for learner in learners:
        who = (learner.id, learner.handle, learner.external_id)
        is_first = after is not None and learner.handle.lower() == after[0]
        for given in problems:
            if is_first and after is not None and given.slug <= after[1]:
                continue
            key = (learner.id, given.id)
            values = best.get(key, _NOTHING)
            if not _is_wanted(wanted, learner, given, values):
                continue
            rows.append(ScoreRow(*who, given.slug, given.points, *values))
            keys.append(key)
        if len(rows) >= limit:
            break
    keys, rows = keys[:limit], rows[:limit]
    return rows if wanted.as_of is None else _as_of(connection, wanted.as_of, keys, rows)


_NOTHING = (None, None, 0, None, False, None, None)
_VALUES = len(_NOTHING)


def _best(*columns: Any) -> Select[Any]:
    """Keys and values of best_score with the number of the revision, then ``columns``."""
    return select(
        best_score.c.account_id,
        best_score.c.problem_id,
        best_score.c.score_num,
        best_score.c.score_den,
        best_score.c.submissions,
        best_score.c.first_accepted_at,
        best_score.c.after_solution,
        revision.c.number,
        best_score.c.updated_at,
        *columns,
    ).outerjoin(revision, revision.c.id == best_score.c.revision_id)


def _map_best(
    connection: Connection, account_ids: Sequence[str], problem_ids: Sequence[str]
) -> dict[tuple[str, str], tuple[Any, ...]]:
    """Values by account and problem id, perhaps of other problems as well.

    Looking for the accounts alone the database reads a short piece of the key's index for each;
    with the problems it would look for every pair.
    """
    query = _best().where(best_score.c.account_id.in_(account_ids))
    if len(problem_ids) == 1:
        query = query.where(best_score.c.problem_id == problem_ids[0])
    return {
        (account, problem): (number, den, count, first, after, revision, at)
        for account, problem, number, den, count, first, after, revision, at in connection.execute(
            query
        )
    }


def _learners(connection: Connection, class_id: str, wanted: ScoreFilter) -> list[Any]:
    query = (
        select(account.c.id, account.c.handle, membership.c.external_id, membership.c.joined_at)
        .join(membership, membership.c.account_id == account.c.id)
        .where(
            membership.c.class_id == class_id,
            membership.c.role == LEARNER,
            membership.c.state == ACTIVE,
        )
    )
    if wanted.account_id is not None:
        query = query.where(account.c.id == wanted.account_id)
    return sorted(connection.execute(query).all(), key=lambda one: one.handle.lower())


def _problems(connection: Connection, class_id: str, wanted: ScoreFilter) -> list[Any]:
    query = (
        select(
            problem.c.id,
            problem.c.slug,
            problem.c.points,
            assignment.c.created_at,
            assignment.c.opens_at,
        )
        .join(assignment, assignment.c.problem_id == problem.c.id)
        .where(assignment.c.class_id == class_id)
    )
    if wanted.slug is not None:
        query = query.where(problem.c.slug == wanted.slug)
    if wanted.opened_by is not None:
        query = query.where(has_opened(wanted.opened_by))
    return sorted(connection.execute(query).all(), key=lambda one: one.slug)


def _is_wanted(wanted: ScoreFilter, learner: Any, given: Any, values: Sequence[Any]) -> bool:
    """Whether a row changed since, if that is asked; for who sees it then only, when it opened."""
    since = wanted.changed_since
    if since is None:
        return True
    opened_at = None if wanted.opened_by is None else given.opens_at
    is_opened = opened_at is not None and opened_at > since
    return is_opened or _is_new(since, learner, given, values)


def _is_new(since: datetime, learner: Any, given: Any, values: Sequence[Any]) -> bool:
    updated_at: datetime | None = values[-1]
    has_changed = updated_at is not None and updated_at > since
    has_joined = learner.joined_at is not None and learner.joined_at > since
    return has_changed or has_joined or given.created_at > since


def _as_of(
    connection: Connection,
    as_of: datetime,
    keys: Sequence[tuple[str, str]],
    rows: Sequence[ScoreRow],
) -> list[ScoreRow]:
    """The same rows with what they would say if nothing had been handed in since."""
    accounts, problems = {key[0] for key in keys}, {key[1] for key in keys}
    best = map_scores_as_of(connection, as_of, accounts, problems)
    past = []
    for key, row in zip(keys, rows, strict=True):
        one, number = best.get(key, (None, None))
        past.append(
            row._replace(
                score_num=None if one is None else one.score.earned,
                score_den=None if one is None else one.score.max,
                submissions=0 if one is None else one.submissions,
                first_accepted_at=None if one is None else one.first_accepted_at,
                after_solution=one is not None and one.after_solution,
                revision=number,
                updated_at=None,
            )
        )
    return past
