"""How often who may call, told in every answer; the clock is the test's."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from api_world import SLUG, SOURCE, World
from starlette.testclient import TestClient

from judge.api import rates
from judge.api.rates import CHANGE, READ, RUN, SIGN_IN, SUBMIT, Policy, Rates, policies
from judge.settings import Settings

V1 = "/api/v1"
SUBMISSIONS = f"{V1}/problems/{SLUG}/submissions"
BODY = {"language": "python", "source": SOURCE}


class Clock:
    """Monotonic seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock(world: World) -> Clock:
    """Three reads, two submissions and two changes a minute."""
    clock = Clock()
    known = tuple(
        Policy(name, most)
        for name, most in ((READ, 3), (SUBMIT, 2), (RUN, 2), (CHANGE, 2), (SIGN_IN, 4))
    )
    world.app.state.parts = replace(world.app.state.parts, rates=Rates(known, clock))
    return clock


def limits(answer: Any) -> tuple[str, str]:
    return answer.headers["RateLimit-Policy"], answer.headers["RateLimit"]


def test_every_answer_says_what_is_left(world: World, clock: Clock) -> None:
    client = world.client("learner")
    assert limits(client.get(f"{V1}/problems")) == ('"read";q=3;w=60', '"read";r=2;t=60')
    clock.seconds += 20.5
    # A refusal as well.
    missing = client.get(f"{V1}/problems/nothing")
    assert (missing.status_code, limits(missing)[1]) == (404, '"read";r=1;t=40')
    assert limits(client.post(SUBMISSIONS, json=BODY)) == ('"submit";q=2;w=60', '"submit";r=1;t=60')
    mistaken = client.get(f"{V1}/problems?limit=0")
    assert (mistaken.status_code, limits(mistaken)[1]) == (422, '"read";r=0;t=40')


def test_one_too_many_is_told_when_to_come_again(world: World, clock: Clock) -> None:
    client = world.client("learner")
    for _ in range(2):
        assert client.post(SUBMISSIONS, json=BODY).status_code == 201
    clock.seconds += 10
    refused = client.post(SUBMISSIONS, json=BODY)
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert limits(refused) == ('"submit";q=2;w=60', '"submit";r=0;t=50')
    wait_s = int(refused.headers["Retry-After"])
    assert wait_s == refused.json()["seconds"] == 50
    clock.seconds += wait_s - 0.1
    assert client.post(SUBMISSIONS, json=BODY).status_code == 429
    clock.seconds += 0.1
    assert client.post(SUBMISSIONS, json=BODY).status_code == 201


def test_an_account_is_counted_as_a_whole_and_apart_from_others(world: World, clock: Clock) -> None:
    for _ in range(3):
        assert world.client("learner").get(f"{V1}/me").status_code == 200
    assert world.client("learner").get(f"{V1}/me").status_code == 429
    assert world.client("other").get(f"{V1}/me").status_code == 200
    # Another policy counts for itself.
    assert world.client("learner").post(SUBMISSIONS, json=BODY).status_code == 201


def test_a_304_costs_nothing(world: World, clock: Clock) -> None:
    client = world.client("learner")
    first = client.get(f"{V1}/problems/{SLUG}")
    known = {"If-None-Match": first.headers["ETag"]}
    for _ in range(5):
        answer = client.get(f"{V1}/problems/{SLUG}", headers=known)
        assert (answer.status_code, limits(answer)[1]) == (304, '"read";r=2;t=60')


def of_address(world: World, host: str) -> TestClient:
    return TestClient(world.app, client=(host, 50000), raise_server_exceptions=False)


@pytest.mark.parametrize(
    ("same", "other"),
    [
        (["203.0.113.1"], "203.0.113.2"),
        (["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"], "2001:db8:1:3::1"),
    ],
)
def test_strangers_are_counted_by_address(
    world: World, clock: Clock, same: list[str], other: str
) -> None:
    statuses = [
        of_address(world, same[number % len(same)]).get(f"{V1}/problems").status_code
        for number in range(4)
    ]
    assert statuses == [200, 200, 200, 429]
    assert of_address(world, other).get(f"{V1}/problems").status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz", f"{V1}/openapi.json"])
def test_probes_are_not_counted(world: World, clock: Clock, path: str) -> None:
    for _ in range(6):
        answer = world.anonymous().get(path)
        assert answer.status_code != 429
        assert "RateLimit" not in answer.headers


def test_signing_in_has_its_own_limit(world: World, clock: Clock) -> None:
    body = {"handle": "learner", "password": "not the password"}
    for rest in (3, 2, 1, 0):
        answer = world.anonymous().post(f"{V1}/auth/login", json=body)
        assert answer.status_code == 401
        assert limits(answer) == ('"sign-in";q=4;w=60', f'"sign-in";r={rest};t=60')
    # Whoever it is that signs in, and also who registers or tries links out.
    for path in ("auth/login", "auth/links:check", "auth/register"):
        answer = world.anonymous().post(f"{V1}/{path}", json={"token": "x" * 43, **body})
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many-requests")
    assert world.client("learner").get(f"{V1}/me").status_code == 200


def test_a_batch_is_counted_before_its_body_is_read(world: World, clock: Clock) -> None:
    client = world.client("learner")
    for status in (400, 400, 429):
        answer = client.post(
            f"{V1}/submissions:batch",
            content=b'{"items": [',
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code == status
    assert limits(answer)[0] == '"submit";q=2;w=60'


def test_the_rates_are_settings() -> None:
    assert [(one.name, one.most) for one in policies(Settings())] == [
        ("read", 600),
        ("submit", 20),
        ("run", 60),
        ("change", 120),
        ("sign-in", 120),
    ]
    assert policies(Settings(submits_per_minute=3))[1].most == 3


def test_counts_of_many_callers_take_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MAX_KEYS", 3)
    clock = Clock()
    counter = Rates((Policy(READ, 1),), clock)
    count: Callable[[str], bool] = lambda who: counter.count(READ, who)[1]  # noqa: E731
    assert [count("a"), count("a"), count("b"), count("c")] == [True, False, True, True]
    # The oldest window makes room for a fourth caller's.
    assert [count("d"), count("d"), count("a")] == [True, False, True]
    clock.seconds += 60
    assert count("d")
