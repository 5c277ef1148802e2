"""Brings a database to the newest schema with Alembic; one history for SQLite and PostgreSQL.

The whole upgrade is one transaction on both databases: it happens or it does not. Two processes
that start at once take turns (SQLite through BEGIN IMMEDIATE, PostgreSQL through a lock).
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from judge.db.engine import Database

# Any number that no other program on the same database uses for an advisory lock.
_POSTGRESQL_LOCK = 7_251_003_117
_PACKAGE = Path(__file__).resolve().parents[1]


def upgrade(url: str, revision: str = "head") -> None:
    """Migrate the database at ``url``, creating it where it is an SQLite file."""
    with Database(url) as database:
        upgrade_database(database, revision)


def upgrade_database(database: Database, revision: str = "head") -> None:
    """Migrate an open database.

    Raises:
        Misconfigured: the database cannot be reached.
    """
    database.check()
    with database.write() as connection:
        if not database.is_sqlite:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_POSTGRESQL_LOCK})"))
        command.upgrade(_config(connection), revision)


def migrations_folder() -> Path:
    """Where the migrations are: beside the package in a checkout, inside it when installed."""
    installed = _PACKAGE / "_data" / "migrations"
    return installed if installed.is_dir() else _PACKAGE.parent / "migrations"


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
