"""Notices: what an account was told, and what each is about."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, null, select, tuple_

from judge.db.tables import feedback, notice, problem, rejudge, school_class


@dataclass(frozen=True)
class Notice:
    """One message to one account; ``ref`` is the id of what it is about."""

    id: str
    kind: str
    ref: str
    at: datetime
    read_at: datetime | None


@dataclass(frozen=True)
class Subject:
    """The problem or class behind a notice, and what is known of the matter now.

    ``name`` is a problem's slug or a class's name, ``summary`` a rejudge's, ``state`` that of a
    thread of feedback.
    """

    name: str
    is_problem: bool = True
    points: int = 0
    revision_id: str | None = None
    summary: dict[str, Any] | None = None
    state: str = ""


def list_notices(
    connection: Connection,
    account_id: str,
    after: tuple[datetime, str] | None,
    limit: int,
    *,
    only_unread: bool = False,
) -> tuple[Notice, ...]:
    """An account's notices, newest first, those behind ``after`` first."""
    query = (
        select(notice.c.id, notice.c.kind, notice.c.ref, notice.c.at, notice.c.read_at)
        .where(notice.c.account_id == account_id)
        .order_by(notice.c.at.desc(), notice.c.id.desc())
        .limit(limit)
    )
    if only_unread:
        query = query.where(notice.c.read_at.is_(None))
    if after is not None:
        query = query.where(tuple_(notice.c.at, notice.c.id) < after)
    return tuple(
        Notice(row.id, row.kind, row.ref, row.at, row.read_at) for row in connection.execute(query)
    )


def count_unread(connection: Connection, account_id: str) -> int:
    """How many notices an account has not read yet."""
    query = select(func.count()).where(
        notice.c.account_id == account_id, notice.c.read_at.is_(None)
    )
    return connection.scalar(query) or 0


def map_subjects(connection: Connection, notices: Sequence[Notice]) -> dict[str, Subject]:
    """What notices are about, by their ``ref``; one that is about nothing known here has none."""
    refs = {one.ref for one in notices}
    subjects = {
        row.id: Subject(
            name=row.slug,
            points=row.points,
            revision_id=row.published_revision_id,
            summary=row.summary,
            state=row.status or "",
        )
        for query in (_rejudges(refs), _threads(refs))
        for row in connection.execute(query)
    }
    classes = select(school_class.c.id, school_class.c.name).where(school_class.c.id.in_(refs))
    named = {row.id: Subject(row.name, is_problem=False) for row in connection.execute(classes)}
    return subjects | named


_PROBLEM = (problem.c.slug, problem.c.points, problem.c.published_revision_id)


def _rejudges(refs: Collection[str]) -> Select[Any]:
    return (
        select(rejudge.c.id, rejudge.c.summary, rejudge.c.state.label("status"), *_PROBLEM)
        .join(problem, problem.c.id == rejudge.c.problem_id)
        .where(rejudge.c.id.in_(refs))
    )


def _threads(refs: Collection[str]) -> Select[Any]:
    nothing = null().label("summary")
    return (
        select(feedback.c.id, nothing, feedback.c.status, *_PROBLEM)
        .join(problem, problem.c.id == feedback.c.problem_id)
        .where(feedback.c.id.in_(refs))
    )
