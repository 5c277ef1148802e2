"""The one MetaData with its naming convention, and helpers for columns that many tables share."""

from collections.abc import Iterable

from sqlalchemy import CheckConstraint, Column, ForeignKey, MetaData

from judge.db.types import UtcDateTime, id_type

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def id_column() -> Column[str]:
    """The primary key ``id``."""
    return Column("id", id_type(), primary_key=True)


def refers_to(
    target: str, *, name: str | None = None, key: bool = False, nullable: bool = False
) -> Column[str]:
    """A foreign key to ``target.id``, called ``<target>_id`` unless ``name`` says otherwise."""
    foreign_key = ForeignKey(f"{target}.id")
    return Column(
        name or f"{target}_id",
        id_type(),
        foreign_key,
        primary_key=key,
        nullable=nullable and not key,
    )


def time_column(name: str, *, nullable: bool = False) -> Column[object]:
    """A UTC time with microseconds."""
    return Column(name, UtcDateTime(), nullable=nullable)


def one_of(column: str, values: Iterable[str]) -> CheckConstraint:
    """A check that a text column holds one of a fixed set of words."""
    words = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({words})", name=column)
