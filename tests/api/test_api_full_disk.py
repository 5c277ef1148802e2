"""Where nothing can be written: the judge says so, and reading goes on."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from api_world import SLUG, SOURCE, World, add_worker

from judge.db.engine import Database
from judge.errors import StorageUnavailable

SUBMISSIONS = f"/api/v1/problems/{SLUG}/submissions"


@contextmanager
def nothing_can_be_written(world: World) -> Iterator[None]:
    """As on a full disk, or where a PostgreSQL became a read-only standby."""
    how = no_file_may_grow() if world.database.is_sqlite else database_is_read_only(world)
    with how:
        yield


@contextmanager
def no_file_may_grow() -> Iterator[None]:
    """The kernel refuses every write of this process to a file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def database_is_read_only(world: World) -> Iterator[None]:
    """PostgreSQL ends every connection and gives new ones that cannot write, and back again."""
    url = world.database.url
    where = url.set(drivername="postgresql").render_as_string(hide_password=False)
    change = f"ALTER DATABASE {url.database} SET default_transaction_read_only"
    end_others = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with psycopg.connect(where, autocommit=True) as connection:
        connection.execute(f"{change} = on".encode())
        connection.execute(end_others)
        try:
            yield
        finally:
            connection.execute(f"{change} = off".encode())
            connection.execute(end_others)


def test_a_submission_that_cannot_be_stored(world: World) -> None:
    client = world.client("learner")
    body = {"language": "python", "source": SOURCE}
    with nothing_can_be_written(world):
        answer = client.post(SUBMISSIONS, json=body)
    assert (answer.status_code, answer.json()["code"]) == (503, "storage-unavailable")
    assert answer.headers["content-type"] == "application/problem+json"
    assert int(answer.headers["retry-after"]) > 0
    for hidden in ("INSERT", "BEGIN", "sql", "count_large("):
        assert hidden not in answer.text
    assert client.post(SUBMISSIONS, json=body).status_code == 201


def test_reading_goes_on_although_its_use_cannot_be_noted(world: World) -> None:
    client = world.client("learner")
    with nothing_can_be_written(world):
        assert client.get(f"/api/v1/problems/{SLUG}").status_code == 200
        assert client.get("/api/v1/me").status_code == 200


def test_not_ready_while_nothing_can_be_written(world: World) -> None:
    add_worker(world.database)
    client = world.anonymous()
    with nothing_can_be_written(world):
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "not-ready")
    assert answer.json()["storage"] is False
    assert client.get("/readyz").status_code == 200


def test_a_database_that_is_gone_is_no_fault_of_the_caller(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_self: Database) -> None:
        raise StorageUnavailable("the database cannot be used now: a secret")

    client = world.client("learner")
    monkeypatch.setattr(Database, "read", fail)
    answer = client.get(f"/api/v1/problems/{SLUG}")
    assert (answer.status_code, answer.json()["code"]) == (503, "storage-unavailable")
    assert "secret" not in answer.text
