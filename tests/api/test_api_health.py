"""Probes and languages follow what the workers report."""

from datetime import timedelta

from api_world import World, add_worker
from sqlalchemy import update

from judge.db.queries.workers import LIVE_S
from judge.db.tables import worker
from judge.db.types import now


def test_alive(world: World) -> None:
    assert world.anonymous().get("/healthz").json() == {"alive": True}


def test_ready_with_a_worker_that_passed_its_self_test(world: World) -> None:
    add_worker(world.database)
    answer = world.anonymous().get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True,
        "workers": 1,
        "tier": "A",
        "layers": ["userns", "seccomp"],
        "languages": ["python"],
    }


def test_not_ready_without_one(world: World) -> None:
    for self_test in ("pending", "failed"):
        add_worker(world.database, self_test)
    draining, silent = add_worker(world.database), add_worker(world.database)
    with world.database.write() as connection:
        connection.execute(update(worker).where(worker.c.id == draining).values(draining_at=now()))
        connection.execute(
            update(worker)
            .where(worker.c.id == silent)
            .values(heartbeat_at=now() - timedelta(seconds=LIVE_S + 1))
        )
    answer = world.anonymous().get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "not-ready")
    assert answer.json()["workers"] == 3


def test_languages_tell_what_is_available_now(world: World) -> None:
    client = world.anonymous()
    before = client.get("/api/v1/languages").json()["items"]
    assert [(one["id"], one["available"], one["versions"]) for one in before] == [
        ("python", False, {})
    ]
    add_worker(world.database)
    after = client.get("/api/v1/languages").json()["items"]
    assert [(one["available"], one["versions"]) for one in after] == [(True, {"python": "3.11.2"})]
