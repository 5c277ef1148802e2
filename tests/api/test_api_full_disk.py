"""Where nothing can be written: the judge says so, and reading goes on."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from api_world import SLUG, SOURCE, World, add_worker

from judge.db.engine import Database
from judge.errors import StorageUnavailable

SUBMISSIONS = f"/api/v1/problems/{SLUG}/submissions"


@contextmanager
def no_file_may_grow() -> Iterator[None]:
    """The kernel refuses every write of this process to a file, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_submission_that_cannot_be_stored(world: World) -> None:
    client = world.client("learner")
    body = {"language": "python", "source": SOURCE}
    with no_file_may_grow():
        answer = client.post(SUBMISSIONS, json=body)
    assert (answer.status_code, answer.json()["code"]) == (503, "storage-unavailable")
    assert answer.headers["content-type"] == "application/problem+json"
    assert int(answer.headers["retry-after"]) > 0
    for hidden in ("INSERT", "BEGIN", "sql", "count_large("):
        assert hidden not in answer.text
    assert client.post(SUBMISSIONS, json=body).status_code == 201


def test_reading_goes_on_although_its_use_cannot_be_noted(world: World) -> None:
    client = world.client("learner")
    with no_file_may_grow():
        assert client.get(f"/api/v1/problems/{SLUG}").status_code == 200
        assert client.get("/api/v1/me").status_code == 200


def test_not_ready_while_nothing_can_be_written(world: World) -> None:
    add_worker(world.database)
    client = world.anonymous()
    with no_file_may_grow():
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
