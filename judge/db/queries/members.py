"""Who is in a class."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, select, tuple_

from judge.db.queries.classes import ACTIVE, TEACHER
from judge.db.tables import account, membership
from judge.domain.access import Role


@dataclass(frozen=True)
class Member:
    """One account's place in a class; ``state`` is invited or active."""

    account_id: str
    handle: str
    display_name: str
    role: str
    state: str
    external_id: str | None
    joined_at: datetime | None


@dataclass(frozen=True)
class Person:
    """An active account that a list may name."""

    account_id: str
    handle: str
    role: Role


def list_members(
    connection: Connection, class_id: str, after: tuple[str, str] | None, limit: int | None
) -> tuple[Member, ...]:
    """A class's members and invited accounts, by handle.

    Args:
        connection: where to read.
        class_id: which class.
        after: the (handle_key, account id) behind which to begin.
        limit: at most so many; None for all.
    """
    query = _members().where(membership.c.class_id == class_id)
    if after is not None:
        query = query.where(tuple_(account.c.handle_key, account.c.id) > after)
    query = query.order_by(account.c.handle_key, account.c.id).limit(limit)
    return tuple(map(_member, connection.execute(query)))


def find_member(connection: Connection, class_id: str, account_id: str) -> Member | None:
    """One account's place in a class, if it has one."""
    query = _members().where(
        membership.c.class_id == class_id, membership.c.account_id == account_id
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _member(row)


def count_teachers(connection: Connection, class_id: str) -> int:
    """How many people teach a class and can sign in."""
    query = (
        select(func.count())
        .select_from(membership.join(account))
        .where(
            membership.c.class_id == class_id,
            membership.c.role == TEACHER,
            membership.c.state == ACTIVE,
            account.c.state == "active",
            account.c.role != Role.LEARNER.value,
        )
    )
    return connection.scalar(query) or 0


def map_people(connection: Connection, handles: Collection[str]) -> dict[str, Person]:
    """Active accounts with these handles, by the handle in lower case."""
    keys = {handle.lower() for handle in handles}
    query = select(account.c.id, account.c.handle, account.c.handle_key, account.c.role).where(
        account.c.handle_key.in_(keys), account.c.state == "active"
    )
    return {
        row.handle_key: Person(row.id, row.handle, Role(row.role))
        for row in connection.execute(query)
    }


def _members() -> Select[Any]:
    return select(
        membership.c.account_id,
        account.c.handle,
        account.c.display_name,
        membership.c.role,
        membership.c.state,
        membership.c.external_id,
        membership.c.joined_at,
    ).join(account, account.c.id == membership.c.account_id)


def _member(row: Any) -> Member:
    return Member(
        account_id=row.account_id,
        handle=row.handle,
        display_name=row.display_name,
        role=row.role,
        state=row.state,
        external_id=row.external_id,
        joined_at=row.joined_at,
    )
