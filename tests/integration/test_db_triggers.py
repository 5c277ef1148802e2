"""Published and handed-in rows cannot be changed, not even by somebody with SQL."""

import pytest
from db_world import hand_in, learner, publish_builder
from sqlalchemy import Table, delete, select, update
from sqlalchemy.exc import DBAPIError

from judge.db.engine import Database
from judge.db.tables import revision, statement, submission, test_case, test_group
from judge.db.types import now

FROZEN: list[tuple[Table, set[str]]] = [
    (revision, {"verify_state", "verify_report"}),
    (statement, set()),
    (test_group, set()),
    (test_case, set()),
    (submission, {"source", "erased_at"}),
]


@pytest.fixture
def filled(database: Database) -> Database:
    publish_builder(database)
    hand_in(database, learner(database))
    return database


@pytest.mark.parametrize(("table", "open_columns"), FROZEN, ids=[table.name for table, _ in FROZEN])
def test_no_column_can_be_changed(filled: Database, table: Table, open_columns: set[str]) -> None:
    for column in table.c:
        if column.name in open_columns:
            continue
        with filled.read() as connection:
            same = connection.execute(select(column)).first()
        with pytest.raises(DBAPIError, match="immutable"), filled.write() as connection:
            connection.execute(update(table).values({column.name: same[0]}))


@pytest.mark.parametrize("table", [table for table, _ in FROZEN], ids=str)
def test_no_row_can_be_deleted(filled: Database, table: Table) -> None:
    with pytest.raises(DBAPIError), filled.write() as connection:
        connection.execute(delete(table))


def test_a_revision_learns_its_verification(filled: Database) -> None:
    with filled.write() as connection:
        connection.execute(update(revision).values(verify_state="failed", verify_report={"a": 1}))


def test_a_source_can_be_erased_and_nothing_else(filled: Database) -> None:
    for values in ({"source": "other"}, {"source": None}, {"source": "x", "erased_at": now()}):
        with pytest.raises(DBAPIError, match="immutable"), filled.write() as connection:
            connection.execute(update(submission).values(values))
    with filled.write() as connection:
        connection.execute(update(submission).values(source=None, erased_at=now()))
    with pytest.raises(DBAPIError, match="immutable"), filled.write() as connection:
        connection.execute(update(submission).values(source="back again", erased_at=now()))
