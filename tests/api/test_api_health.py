"""Probes and languages follow what the workers report."""

from datetime import timedelta

import pytest
from api_world import LAYERS, TIER_FIX, World, add_worker
from sqlalchemy import update

from judge.db.queries.workers import LIVE_S
from judge.db.tables import worker
from judge.db.types import now


def test_alive(world: World) -> None:
    assert world.anonymous().get("/healthz").json() == {"alive": True}


def test_whoever_only_asks_for_the_head_is_answered(world: World) -> None:
    client = world.anonymous()
    assert [client.head(path).status_code for path in ("/healthz", "/readyz")] == [200, 503]


def test_ready_with_a_worker_that_passed_its_self_test(world: World) -> None:
    add_worker(world.database)
    answer = world.anonymous().get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True,
        "workers": 1,
        "tier": "A",
        "layers": LAYERS["A"],
        "fix": "",
        "tiers": {"A": 1},
        "languages": ["python"],
        "missing": {},
    }


def test_ready_names_what_the_machines_lack(world: World) -> None:
    add_worker(world.database, missing=("cpp", "java"))
    add_worker(world.database, languages=("python", "cpp"), missing=("java",))
    answer = world.anonymous().get("/readyz").json()
    assert answer["languages"] == ["cpp", "python"]
    assert answer["missing"] == {"java": "apt-get install default-jdk-headless"}


def isolation(world: World) -> tuple[str, list[str], str, dict[str, int]]:
    answer = world.anonymous().get("/readyz").json()
    return answer["tier"], answer["layers"], answer["fix"], answer["tiers"]


def test_a_weaker_tier_says_what_would_mend_it(world: World) -> None:
    add_worker(world.database, tier="B")
    assert isolation(world) == ("B", LAYERS["B"], TIER_FIX, {"B": 1})


@pytest.mark.parametrize("tiers", ["AAB", "ABA", "BAA"])
def test_where_workers_differ_only_what_holds_with_each_is_promised(
    world: World, tiers: str
) -> None:
    for tier in tiers:
        add_worker(world.database, tier=tier)
    assert isolation(world) == ("B", ["seccomp"], TIER_FIX, {"A": 2, "B": 1})


@pytest.mark.parametrize("other", [{"is_draining": True}, {"self_test": "failed"}])
def test_a_worker_that_takes_no_jobs_weakens_nothing(
    world: World, other: dict[str, object]
) -> None:
    add_worker(world.database, tier="B", **other)
    add_worker(world.database)
    assert isolation(world) == ("A", LAYERS["A"], "", {"A": 1})


def test_a_tier_that_nobody_knows_is_the_weakest(world: World) -> None:
    for tier in ("A", "B"):
        add_worker(world.database, tier=tier)
    odd = add_worker(world.database)
    with world.database.write() as connection:
        connection.execute(update(worker).where(worker.c.id == odd).values(tier="Z"))
    assert isolation(world) == ("Z", ["seccomp"], "", {"A": 1, "B": 1, "Z": 1})


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
    assert (answer.json()["workers"], answer.json()["fix"]) == (3, "")


def test_where_nothing_isolates_it_says_what_would_mend_it(world: World) -> None:
    boxless = add_worker(world.database, "failed")
    with world.database.write() as connection:
        values = {"tier": "", "layers": [], "fix": TIER_FIX}
        connection.execute(update(worker).where(worker.c.id == boxless).values(values))
    answer = world.anonymous().get("/readyz")
    assert (answer.status_code, answer.json()["fix"]) == (503, TIER_FIX)
