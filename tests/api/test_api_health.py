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
        "missing": {},
    }


def test_ready_names_what_the_machines_lack(world: World) -> None:
    add_worker(world.database, missing=("cpp", "java"))
    add_worker(world.database, languages=("python", "cpp"), missing=("java",))
    answer = world.anonymous().get("/readyz").json()
    assert answer["languages"] == ["cpp", "python"]
    assert answer["missing"] == {"java": "apt-get install default-jdk-headless"}


def test_not_ready_without_one(world: World) -> None:
    for self_test in ("pending", "failed"):
        add_worker(world.database, self_test)
    add_worker(world.database, is_draining=True)
    silent = add_worker(world.database)
    with world.database.write() as connection:
        connection.execute(
            update(worker)
            .where(worker.c.id == silent)
            .values(heartbeat_at=now() - timedelta(seconds=LIVE_S + 1))
        )
    answer = world.anonymous().get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "not-ready")
    assert answer.json()["workers"] == 3
