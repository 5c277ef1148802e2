"""The migrations build exactly the tables that judge.db.tables declares, on both databases."""

from typing import Any

import sqlalchemy as sa

from judge.db import migrate
from judge.db.engine import Database
from judge.db.queries.workers import list_live_workers
from judge.db.tables import metadata, worker
from judge.db.types import now


def describe(connection: sa.Connection) -> dict[str, Any]:
    """The schema as plain values, order of columns included."""
    inspector = sa.inspect(connection)
    return {
        table: {
            "columns": [
                (column["name"], str(column["type"]), column["nullable"])
                for column in inspector.get_columns(table)
            ],
            "key": inspector.get_pk_constraint(table),
            "foreign": sorted(map(str, inspector.get_foreign_keys(table))),
            "unique": sorted(map(str, inspector.get_unique_constraints(table))),
            "checks": sorted(map(str, inspector.get_check_constraints(table))),
            "indexes": sorted(
                str((index["name"], index["column_names"], index["unique"]))
                for index in inspector.get_indexes(table)
            ),
        }
        for table in inspector.get_table_names()
        if table != "alembic_version"
    }


def test_migrations_and_metadata_agree(database: Database, empty_database_url: str) -> None:
    with database.read() as connection:
        migrated = describe(connection)
    with Database(empty_database_url) as empty, empty.write() as connection:
        metadata.create_all(connection)
        declared = describe(connection)
    assert migrated == declared


def test_upgrading_twice_changes_nothing(empty_database_url: str) -> None:
    migrate.upgrade(empty_database_url)
    with Database(empty_database_url) as database:
        with database.read() as connection:
            first = describe(connection)
        migrate.upgrade_database(database)
        with database.read() as connection:
            assert describe(connection) == first
    assert set(first) == set(metadata.tables)


def test_workers_that_run_through_an_upgrade_miss_nothing(empty_database_url: str) -> None:
    migrate.upgrade(empty_database_url, "0001")
    with Database(empty_database_url) as database:
        old_columns = {column.name for column in worker.columns} - {"missing", "fix"}
        moment = now()
        row = {
            **dict.fromkeys(old_columns, "x"),
            "process_id": 1,
            "languages": {"python": {}},
            "self_test": "passed",
            "started_at": moment,
            "heartbeat_at": moment,
            "draining_at": None,
        }
        with database.write() as connection:
            connection.execute(sa.insert(worker).values(row))
        migrate.upgrade_database(database)
        with database.read() as connection:
            (found,) = list_live_workers(connection, moment)
    assert (found.id, found.missing, found.fix) == ("x", {}, "")
