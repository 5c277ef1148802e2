"""Strangers may register only while it is known that the sandbox keeps them in with tier A."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from api_world import World, add_worker
from sqlalchemy import func, select, update

from judge.actions.accounts import NewAccount, create_account
from judge.db.queries.workers import LIVE_S
from judge.db.tables import account, worker
from judge.db.types import now
from judge.i18n import LOCALES
from judge.settings import Settings

EVE = {"handle": "eve", "password": "correct horse"}
REGISTER = "/api/v1/auth/register"


def attempt(world: World) -> tuple[int, str]:
    """Status and code of one try to register."""
    answer = world.anonymous().post(REGISTER, json=EVE)
    return answer.status_code, answer.json().get("code", "")


def count_accounts(world: World) -> int:
    with world.database.read() as connection:
        return connection.scalar(select(func.count()).select_from(account)) or 0


def test_in_tier_a_anybody_registers(world: World) -> None:
    add_worker(world.database)
    assert attempt(world) == (201, "")


def test_in_a_weaker_tier_nobody_does_and_nothing_is_stored(world: World) -> None:
    before = count_accounts(world)
    add_worker(world.database, tier="B")
    assert attempt(world) == (403, "registration-unsafe")
    assert count_accounts(world) == before
    assert "set-cookie" not in world.anonymous().post(REGISTER, json=EVE).headers


@pytest.mark.parametrize(
    "weak", [{}, {"is_draining": True}, {"self_test": "failed"}, {"self_test": "pending"}]
)
def test_one_weaker_worker_is_enough(world: World, weak: dict[str, object]) -> None:
    """It may judge in a moment, whatever it does now."""
    add_worker(world.database)
    add_worker(world.database, tier="B", **weak)
    assert attempt(world) == (403, "registration-unsafe")


def test_a_tier_that_nobody_knows_is_a_weaker_one(world: World) -> None:
    odd = add_worker(world.database)
    with world.database.write() as connection:
        connection.execute(update(worker).where(worker.c.id == odd).values(tier=""))
    assert attempt(world) == (403, "registration-unsafe")


def test_a_machine_that_can_start_no_sandbox_judges_nothing_and_forbids_nothing(
    world: World,
) -> None:
    add_worker(world.database)
    add_worker(world.database, "failed", tier="", languages=())
    assert attempt(world) == (201, "")


def test_a_weaker_worker_that_is_gone_forbids_nothing(world: World) -> None:
    add_worker(world.database)
    silent = add_worker(world.database, tier="B")
    with world.database.write() as connection:
        connection.execute(
            update(worker)
            .where(worker.c.id == silent)
            .values(heartbeat_at=now() - timedelta(seconds=LIVE_S + 1))
        )
    assert attempt(world) == (201, "")


@pytest.mark.parametrize(
    "only", [None, {"self_test": "pending"}, {"self_test": "failed"}, {"is_draining": True}]
)
def test_before_a_worker_is_ready_the_answer_is_to_ask_again(
    world: World, only: dict[str, object] | None
) -> None:
    """Nobody slips in before the first worker has said how it isolates."""
    if only is not None:
        add_worker(world.database, **only)
    answer = world.anonymous().post(REGISTER, json=EVE)
    assert (answer.status_code, answer.json()["code"]) == (503, "not-ready")
    assert answer.headers["retry-after"] == str(answer.json()["seconds"])
    add_worker(world.database)
    assert attempt(world) == (201, "")


@pytest.mark.parametrize("locale", LOCALES)
def test_the_refusal_tells_the_operator_both_ways_out(world: World, locale: str) -> None:
    add_worker(world.database, tier="B")
    answer = world.anonymous().post(f"{REGISTER}?locale={locale}", json=EVE)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["content-language"] == locale
    for part in ("judge doctor", "JUDGE_REGISTRATION=open-in-any-tier"):
        assert part in answer.json()["detail"]


def test_who_has_an_account_goes_on_in_a_weaker_tier(world: World) -> None:
    add_worker(world.database, tier="B")
    create_account(world.database, NewAccount("bob", "correct horse"))
    login = {"handle": "bob", "password": "correct horse"}
    assert world.anonymous().post("/api/v1/auth/login", json=login).status_code == 200
    assert world.submit("learner")["state"] == "queued"


@pytest.fixture
def knowing(tmp_path: Path, sqlite_url: str) -> Iterator[World]:
    """A judge whose operator lets strangers in whatever the tier is."""
    settings = Settings(data_dir=tmp_path, database_url=sqlite_url, registration="open-in-any-tier")
    with World(settings) as world:
        yield world


@pytest.mark.parametrize("tier", ["A", "B", None])
def test_the_operator_may_let_strangers_in_knowingly(knowing: World, tier: str | None) -> None:
    if tier:
        add_worker(knowing.database, tier=tier)
    assert attempt(knowing) == (201, "")
