"""Changing a class's name, locale or time zone; putting it into the archive and taking it out."""

from dataclasses import dataclass

from sqlalchemy import update

from judge.actions.audit import add_audit
from judge.actions.class_rules import check_class
from judge.db.engine import Database
from judge.db.queries.school_classes import SchoolClass, lock_class, select_taught_class
from judge.db.tables import school_class
from judge.db.types import now
from judge.domain.access import Caller
from judge.errors import Conflict, Invalid


@dataclass(frozen=True)
class ClassChange:
    """What is to be changed; None leaves it as it is."""

    name: str | None = None
    locale: str | None = None
    time_zone: str | None = None
    archived: bool | None = None


def change_class(
    database: Database, teacher: Caller, expected: SchoolClass, change: ClassChange
) -> SchoolClass:
    """Change a class that is still as the caller has read it.

    Raises:
        Invalid: a field breaks its rule; every such field is named.
        NotFound: there is no such class, or the caller does not teach it.
        Conflict: ``class-changed``.
    """
    flaws = check_class(change.name, change.locale, change.time_zone)
    if flaws:
        raise Invalid("invalid-class", *flaws)
    with database.write() as connection:
        lock_class(connection, expected.id)
        before = select_taught_class(connection, expected.id, teacher)
        if before.updated_at != expected.updated_at:
            raise Conflict("class-changed")
        values = _values(before, change)
        if not values:
            return before
        connection.execute(
            update(school_class)
            .where(school_class.c.id == before.id)
            .values(**values, updated_at=now())
        )
        after = select_taught_class(connection, before.id, teacher)
        add_audit(
            connection,
            teacher,
            "class.change",
            f"class:{before.id}",
            {name: _shown(getattr(before, name)) for name in values},
            {name: _shown(getattr(after, name)) for name in values},
        )
    return after


def _values(before: SchoolClass, change: ClassChange) -> dict[str, object]:
    name = None if change.name is None else change.name.strip()
    wanted = {"name": name, "locale": change.locale, "time_zone": change.time_zone}
    values: dict[str, object] = {
        field: value
        for field, value in wanted.items()
        if value is not None and value != getattr(before, field)
    }
    if change.archived is not None and change.archived != (before.archived_at is not None):
        values["archived_at"] = now() if change.archived else None
    return values


def _shown(value: object) -> str | None:
    return None if value is None else str(value)
