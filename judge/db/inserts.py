"""Inserting a row that may be there already, on either database."""

from collections.abc import Mapping

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_absent(connection: Connection, table: Table, values: Mapping[str, object]) -> bool:
    """Insert a row unless one with its key is there; whether it was inserted.

    Of two writers at once PostgreSQL lets the second wait until the first has committed.
    """
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(table).values(values).on_conflict_do_nothing()
    # Of an insert SQLAlchemy keeps no count unless it is asked to: PostgreSQL's would be -1.
    counted = statement.execution_options(preserve_rowcount=True)
    return connection.execute(counted).rowcount == 1
