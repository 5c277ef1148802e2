"""Idempotency-Key: of equal requests one acts, and all get its answer."""

import re
import threading
from datetime import timedelta
from typing import Any

import pytest
from api_world import SLUG, SOURCE, World, judgement_of
from sqlalchemy import func, select, update
from starlette.testclient import TestClient

import judge.api.submission_answers as answers_module
import judge.api.submissions as endpoints
from judge.actions.idempotency import Asked, Begun, begin
from judge.actions.submit import NewSubmission, submit
from judge.api import once
from judge.db.tables import idempotency_record, submission
from judge.domain.access import Caller, Role
from judge.errors import Conflict, StorageUnavailable

SUBMISSIONS = f"/api/v1/problems/{SLUG}/submissions"
ROUTE = "POST /problems/{slug}/submissions"
BODY = {"language": "python", "source": SOURCE}
KEY = "a key of the client's"


def send(client: TestClient, key: str = KEY, path: str = SUBMISSIONS, **changes: Any) -> Any:
    return client.post(path, json={**BODY, **changes}, headers={"Idempotency-Key": key})


def count(world: World, table: Any = submission) -> int:
    with world.database.read() as connection:
        return int(connection.scalar(select(func.count()).select_from(table)) or 0)


def shift_records(world: World, **values: Any) -> None:
    with world.database.write() as connection:
        connection.execute(update(idempotency_record).values(values))


def age_records(world: World, **age: float) -> None:
    """Let every record be so much older."""
    with world.database.write() as connection:
        for row in connection.execute(select(idempotency_record)).all():
            connection.execute(
                update(idempotency_record).values(
                    created_at=row.created_at - timedelta(**age),
                    expires_at=row.expires_at - timedelta(**age),
                )
            )


def test_a_second_request_gets_the_first_answer(world: World) -> None:
    first = send(world.client("learner"))
    world.judge_next(judgement_of(world.package))
    # Another token of the same account, and after the state has changed.
    second = send(world.client("learner"))
    assert (second.status_code, second.content) == (201, first.content)
    for name in ("Location", "Content-Type"):
        assert second.headers[name] == first.headers[name]
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    assert second.headers["X-Request-Id"] != first.headers["X-Request-Id"]
    assert count(world) == 1


def test_how_long_to_wait_belongs_not_to_the_request(world: World) -> None:
    client = world.client("learner")
    first = send(client)
    for wish in ("wait=0", "wait=2.5", "locale=ja"):
        assert send(client, path=f"{SUBMISSIONS}?{wish}").json() == first.json()
    for mistake in ("wait=-1", "wait=61", "wait=soon", "locale=xx", "wiat=1"):
        assert send(client, path=f"{SUBMISSIONS}?{mistake}").status_code == 422
    assert count(world) == 1


def test_a_key_belongs_to_one_request(world: World) -> None:
    client = world.client("learner")
    send(client)
    for answer in (
        send(client, source=f"{SOURCE}\n"),
        send(client, path="/api/v1/problems/another/submissions"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (422, "idempotency-mismatch")
        assert answer.json()["errors"][0]["pointer"] == "/header/Idempotency-Key"
    assert count(world) == 1


def test_keys_of_accounts_and_routes_are_apart(world: World) -> None:
    send(world.client("learner"))
    assert send(world.client("other")).status_code == 201
    assert count(world) == 2
    rejudge = world.client("admin").post(
        "/api/v1/admin/rejudges", json={"problem": SLUG}, headers={"Idempotency-Key": KEY}
    )
    assert rejudge.status_code == 422 or rejudge.status_code == 201, rejudge.text
    assert "Idempotent-Replayed" not in rejudge.headers


def test_without_a_key_every_request_acts(world: World) -> None:
    assert world.submit()["id"] != world.submit()["id"]
    assert count(world, idempotency_record) == 0


@pytest.mark.parametrize("key", ["", "x" * 256, "kh\u00f3a".encode("latin-1"), "a\tb"])
def test_a_key_is_printable_and_short(world: World, key: str | bytes) -> None:
    answer = world.client("learner").post(SUBMISSIONS, json=BODY, headers={"Idempotency-Key": key})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")
    assert answer.json()["errors"][0]["pointer"] == "/header/Idempotency-Key"
    assert count(world) == 0
    assert send(world.client("learner"), "x" * 255).status_code == 201


def test_a_refusal_is_an_answer_too(world: World) -> None:
    client = world.client("learner")
    first = send(client, language="java")
    assert first.status_code == 422
    second = send(client, language="java")
    assert (second.status_code, second.content) == (422, first.content)
    assert second.headers["Content-Type"] == "application/problem+json"
    assert second.headers["Idempotent-Replayed"] == "true"


def test_who_may_not_call_gets_nothing_replayed(world: World) -> None:
    send(world.client("learner"))
    refused = send(world.client("learner", "scores:read"))
    assert (refused.status_code, refused.json()["code"]) == (403, "missing-scope")
    assert send(world.anonymous()).status_code == 401
    assert send(world.client("learner")).status_code == 201


def test_a_key_is_claimed_only_by_who_may_call(world: World) -> None:
    """On every route that takes keys, or a token could learn what another one was answered."""
    document = world.anonymous().get("/api/v1/openapi.json").json()
    client = world.client("other", "scores:read")
    tried = 0
    for path, methods in document["paths"].items():
        taken = [one["name"] for one in methods.get("post", {}).get("parameters", [])]
        if "Idempotency-Key" not in taken:
            continue
        tried += 1
        address = re.sub(r"\{[^}]+\}", SLUG, path)
        answer = client.post(address, json={}, headers={"Idempotency-Key": KEY})
        assert answer.status_code == 403, path
        assert answer.json()["code"] in ("missing-scope", "session-only"), path
    assert tried >= 4
    assert count(world, idempotency_record) == 0


def test_the_judges_failure_is_not_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise StorageUnavailable("the disk is full")

    client = world.client("learner")
    with monkeypatch.context() as patch:
        patch.setattr(answers_module, "submit", fail)
        assert send(client).status_code == 503
    assert count(world, idempotency_record) == 0
    answer = send(client)
    assert (answer.status_code, count(world)) == (201, 1)
    assert "Idempotent-Replayed" not in answer.headers


def test_a_connection_that_was_cut_after_storing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The submission is stored, the answer fails; the retry finds the submission."""

    def fail(*_: object) -> None:
        raise RuntimeError("cut")

    client = world.client("learner")
    with monkeypatch.context() as patch:
        patch.setattr(endpoints, "build_new_answer", fail)
        assert send(client).status_code == 500
    world.judge_next(judgement_of(world.package))
    answer = send(client)
    assert (answer.status_code, answer.json()["state"]) == (201, "judged")
    assert answer.headers["Location"].endswith(answer.json()["id"])
    assert answer.headers["Idempotent-Replayed"] == "true"
    assert count(world) == 1
    assert send(client).content == answer.content


def begun_elsewhere(world: World) -> Begun:
    """A process claimed the learner's key and has not answered."""
    digest = ""

    class Seen(Exception):
        pass

    def spy(_: object, asked: Asked) -> None:
        nonlocal digest
        digest = asked.digest
        raise Seen

    original, once.begin = once.begin, spy  # type: ignore[assignment]
    try:
        send(world.client("learner"))
    finally:
        once.begin = original
    begun = begin(world.database, Asked(world.accounts["learner"], ROUTE, KEY, digest))
    assert isinstance(begun, Begun)
    return begun


def test_while_the_first_is_in_flight_the_second_waits(world: World) -> None:
    begun_elsewhere(world)
    answer = send(world.client("learner"))
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency-in-flight")
    assert int(answer.headers["Retry-After"]) == answer.json()["seconds"] >= 1
    assert count(world) == 0


def test_what_a_dead_process_never_made_is_made_by_a_later_request(world: World) -> None:
    begun = begun_elsewhere(world)
    age_records(world, seconds=121)
    assert send(world.client("learner")).status_code == 201
    assert count(world) == 1
    # It was not dead after all: what it makes now is not stored.
    caller = Caller(world.accounts["learner"], "learner", Role.LEARNER)
    with pytest.raises(Conflict, match="idempotency-in-flight"):
        submit(world.database, caller, NewSubmission(SLUG, "python", SOURCE), begun.claim)
    assert count(world) == 1


def test_what_a_dead_process_made_is_found(world: World) -> None:
    begun = begun_elsewhere(world)
    caller = Caller(world.accounts["learner"], "learner", Role.LEARNER)
    made = submit(world.database, caller, NewSubmission(SLUG, "python", SOURCE), begun.claim)
    for age_s in (0, 121):
        age_records(world, seconds=age_s)
        answer = send(world.client("learner"))
        assert (answer.status_code, answer.json()["id"]) == (201, f"sub_{made.submission_id}")
    assert count(world) == 1


def test_a_key_is_free_again_after_a_day(world: World) -> None:
    client = world.client("learner")
    first = send(client)
    age_records(world, hours=23.9)
    assert send(client).json()["id"] == first.json()["id"]
    age_records(world, hours=0.2)
    second = send(client, source=f"{SOURCE}\n")
    assert (second.status_code, count(world)) == (201, 2)
    assert second.json()["id"] != first.json()["id"]


def test_a_double_click_submits_once(world: World) -> None:
    """Eight threads with two tokens of one account and one key, all at once."""
    tokens = [world.token("learner"), world.token("learner")]
    barrier = threading.Barrier(8)
    answers: list[Any] = []

    def click(number: int) -> None:
        client = TestClient(world.app, raise_server_exceptions=False)
        client.headers["Authorization"] = f"Bearer {tokens[number % 2]}"
        barrier.wait()
        answers.append(send(client))

    threads = [threading.Thread(target=click, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} <= {201, 409}
    stored = {answer.json()["id"] for answer in answers if answer.status_code == 201}
    assert (len(stored), len(answers), count(world)) == (1, 8, 1)
    assert send(world.client("learner")).json()["id"] in stored


def test_a_retry_of_a_dead_process_runs_once(world: World) -> None:
    """Four threads take over at once: one of them acts."""
    begun_elsewhere(world)
    age_records(world, seconds=121)
    barrier = threading.Barrier(4)
    statuses: list[int] = []
    token = world.token("learner")

    def retry() -> None:
        client = TestClient(world.app, raise_server_exceptions=False)
        client.headers["Authorization"] = f"Bearer {token}"
        barrier.wait()
        statuses.append(send(client).status_code)

    threads = [threading.Thread(target=retry) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(statuses) <= {201, 409}
    assert 201 in statuses
    assert count(world) == 1


def test_waiting_goes_on_with_a_key(world: World) -> None:
    client = world.client("learner")
    first = send(client)
    world.judge_next(judgement_of(world.package))
    shift_records(world, status=None, body=None)
    answer = send(client, path=f"{SUBMISSIONS}?wait=5")
    assert (answer.status_code, answer.json()["state"]) == (201, "judged")
    assert answer.json()["id"] == first.json()["id"]
