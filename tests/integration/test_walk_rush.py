"""Fifty accounts submit a thousand times at once, and everything twice: nothing counts twice.

Each request goes out twice with one Idempotency-Key, by two tokens and at the same moment, as from
two tabs. Every third pair begins with a connection that is cut before its answer has come.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from package_builder import load_package
from queue_rows import add_account
from walk_judge import Judge, walked

from judge.actions.tokens import create_token_for_handle
from judge.db.engine import Database

pytestmark = pytest.mark.slow
ACCOUNTS, EACH, AT_ONCE = 50, 20, 50
SLUG = "count_large"
PATH = f"/api/v1/problems/{SLUG}/submissions"
# What each returns, by the points that it earns.
RETURNED = {
    0: "-1",
    40: "sum(value >= limit for value in values)",
    60: "0",
    100: "sum(value > limit for value in values)",
}
POINTS = tuple(RETURNED)
CUT_S = 0.002
PATIENCE_S = 300


@dataclass(frozen=True)
class Person:
    """An account with two tokens, and how good its programs are."""

    handle: str
    clients: tuple[httpx2.Client, httpx2.Client]
    number: int

    def points(self, turn: int) -> int:
        """What the program of a turn earns; the last kind only comes in some accounts' turns."""
        return POINTS[(self.number + turn) % (1 + self.number % len(POINTS))]

    @property
    def best(self) -> int:
        return max(self.points(turn) for turn in range(EACH))


@pytest.fixture
def judge(tmp_path: Path, database_url: str) -> Iterator[Judge]:
    most = str(10 * ACCOUNTS * EACH)
    rates = {"JUDGE_SUBMITS_PER_MINUTE": most, "JUDGE_READS_PER_MINUTE": most}
    with walked(tmp_path, database_url, **rates) as served:
        served.publish(load_package())
        yield served


def people(judge: Judge) -> list[Person]:
    found = []
    with Database(judge.database_url) as database:
        for number in range(ACCOUNTS):
            handle = f"a{number}"
            add_account(database, handle)
            first, second = (
                judge.client(create_token_for_handle(database, handle, name, None).secret)
                for name in ("one", "two")
            )
            found.append(Person(handle, (first, second), number))
    return found


@dataclass(frozen=True)
class Told:
    """The id that a tab got, and what it met on the way."""

    id: str
    is_replayed: bool
    was_cut: bool


def hand_in(person: Person, tab: int, turn: int) -> Told:
    """What one tab is told, whatever the other one does meanwhile."""
    client = person.clients[tab]
    returned = RETURNED[person.points(turn)]
    source = f"# {turn}\ndef {SLUG}(values, limit):\n    return {returned}\n"
    body = {"language": "python", "source": source}
    headers = {"Idempotency-Key": f"turn {turn}"}
    was_cut = False
    if tab == turn % 3 == 0:
        try:
            client.post(PATH, json=body, headers=headers, timeout=CUT_S)
        except httpx2.TimeoutException:
            was_cut = True
    while True:
        answer = client.post(PATH, json=body, headers=headers)
        if answer.status_code != 409:
            assert answer.status_code == 201, answer.text
            is_replayed = answer.headers.get("Idempotent-Replayed") == "true"
            return Told(str(answer.json()["id"]), is_replayed, was_cut)
        assert answer.json()["code"] == "idempotency-in-flight"
        time.sleep(int(answer.headers["Retry-After"]) / 10)


def test_everything_counts_once_and_the_best_score_is_right(judge: Judge) -> None:
    everybody = people(judge)
    asked = [(person, tab, turn) for turn in range(EACH) for person in everybody for tab in (0, 1)]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        told = list(threads.map(lambda one: hand_in(*one), asked))
    ids = [one.id for one in told]
    assert ids[::2] == ids[1::2]
    assert len(set(ids)) == ACCOUNTS * EACH
    # Of each pair at most one made it; what was cut may have made it before both.
    assert sum(one.is_replayed for one in told) >= ACCOUNTS * EACH
    assert any(one.was_cut for one in told)

    scores = {}
    deadline = time.monotonic() + PATIENCE_S
    for person in everybody:
        client = person.clients[0]
        listed = client.get("/api/v1/submissions", params={"limit": 200}).json()["items"]
        assert len(listed) == EACH
        for path in (f"/api/v1/submissions/{one['id']}" for one in listed):
            while client.get(path, params={"wait": 25}).json()["state"] != "judged":
                assert time.monotonic() < deadline
        (row,) = client.get("/api/v1/scores").json()["items"]
        scores[person.handle] = (row["score"], row["submissions"])
    assert scores == {person.handle: (float(person.best), EACH) for person in everybody}
    assert {person.best for person in everybody} == set(POINTS)
    assert judge.run("scores", "check").splitlines()[-1] == "0 differences"
