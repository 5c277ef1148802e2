"""Classes with what a viewer has to do with them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, func, select, tuple_

from judge.db.queries.classes import ACTIVE
from judge.db.tables import membership, school_class
from judge.domain.access import Caller, may_find_class
from judge.errors import NotFound


@dataclass(frozen=True)
class SchoolClass:
    """One class; ``role`` and ``state`` are the viewer's membership, None without one."""

    id: str
    name: str
    locale: str
    time_zone: str
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None
    members: int
    role: str | None
    state: str | None


def list_classes(
    connection: Connection,
    viewer: Caller,
    everybodys: bool,
    after: tuple[datetime, str] | None,
    limit: int,
) -> tuple[SchoolClass, ...]:
    """Classes that the viewer has joined, teaches or is invited to, the newest first.

    Args:
        connection: where to read.
        viewer: who asks.
        everybodys: all classes of the judge, for who may read them.
        after: the (created_at, id) behind which to begin.
        limit: at most so many.
    """
    query = _classes(viewer.account_id)
    if not everybodys:
        query = query.where(_MINE.c.account_id.is_not(None))
    if after is not None:
        query = query.where(tuple_(school_class.c.created_at, school_class.c.id) < after)
    query = query.order_by(school_class.c.created_at.desc(), school_class.c.id.desc())
    return tuple(map(_class, connection.execute(query.limit(limit))))


def select_class(connection: Connection, class_id: str, viewer: Caller) -> SchoolClass:
    """A class as a viewer finds it.

    Raises:
        NotFound: there is none, or the viewer has nothing to do with it.
    """
    query = _classes(viewer.account_id).where(school_class.c.id == class_id)
    row = connection.execute(query).one_or_none()
    if row is None or not may_find_class(viewer, class_id, is_invited=row.state is not None):
        raise NotFound("class-not-found")
    return _class(row)


def select_taught_class(connection: Connection, class_id: str, viewer: Caller) -> SchoolClass:
    """A class for who teaches it.

    Raises:
        NotFound: there is none, or the viewer does not teach it.
    """
    found = select_class(connection, class_id, viewer)
    if not viewer.teaches(class_id):
        raise NotFound("class-not-found")
    return found


def lock_class(connection: Connection, class_id: str) -> None:
    """Let writers of a class and its members take turns on PostgreSQL."""
    query = select(school_class.c.id).where(school_class.c.id == class_id)
    connection.execute(query.with_for_update(key_share=True))


def find_class_by_code(connection: Connection, code_hash: str) -> str | None:
    """The class that a join code opens, unless it is archived."""
    query = select(school_class.c.id).where(
        school_class.c.join_code_hash == code_hash, school_class.c.archived_at.is_(None)
    )
    found: str | None = connection.scalar(query)
    return found


_MINE = membership.alias("mine")


def _classes(account_id: str) -> Select[Any]:
    of_class = and_(membership.c.class_id == school_class.c.id, membership.c.state == ACTIVE)
    members = select(func.count()).select_from(membership).where(of_class).scalar_subquery()
    is_mine = and_(_MINE.c.class_id == school_class.c.id, _MINE.c.account_id == account_id)
    return select(
        *(column for column in school_class.c if column.name != "join_code_hash"),
        members.label("members"),
        _MINE.c.role,
        _MINE.c.state,
    ).select_from(school_class.outerjoin(_MINE, is_mine))


def _class(row: Any) -> SchoolClass:
    return SchoolClass(
        id=row.id,
        name=row.name,
        locale=row.locale,
        time_zone=row.time_zone,
        created_at=row.created_at,
        updated_at=row.updated_at,
        archived_at=row.archived_at,
        members=row.members,
        role=row.role,
        state=row.state,
    )
