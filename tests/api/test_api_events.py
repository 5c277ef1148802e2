"""Following a submission: every event once, in order, and none lost by being cut off."""

import asyncio
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from api_world import World, hidden_failure, judgement_of

from judge.actions.record import record
from judge.actions.stage import set_stage
from judge.api import submission_events, waiting
from judge.queue.jobs import claim

_EVENT = re.compile(r"event: (\w+)\ndata: (\{.*\})\nid: (\d+)\n\n")


@dataclass(frozen=True)
class Heard:
    kind: str
    data: str
    id: int


def heard(text: str) -> list[Heard]:
    return [Heard(kind, data, int(number)) for kind, data, number in _EVENT.findall(text)]


def judge_slowly(world: World) -> None:
    """All stages that a reader may see, and a judgement full of canaries."""
    held = claim(world.database, ["python"], "test-worker", 30)
    assert held is not None
    set_stage(world.database, held, "compiling", 0, 4)
    for done in (0, 1, 3):
        set_stage(world.database, held, "running", done, 4)
    case = hidden_failure()
    assert record(world.database, held, judgement_of(world.package, {case.id: case}))


KINDS = ["queued", "compiling", "running", "running", "running", "judged"]


def test_the_events_of_a_submission_come_in_order_and_end_with_the_verdict(world: World) -> None:
    submission_id = world.submit()["id"]
    judge_slowly(world)
    answer = world.client("learner").get(f"/api/v1/submissions/{submission_id}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["x-accel-buffering"] == "no"
    assert answer.headers["cache-control"] == "no-store"
    events = heard(answer.text)
    assert [one.kind for one in events] == KINDS
    assert [one.id for one in events] == sorted({one.id for one in events})
    assert '"done": 3, "planned": 4' in events[4].data
    assert '"verdict": "runtime_error"' in events[-1].data


def test_whoever_was_cut_off_goes_on_behind_the_last_event(world: World) -> None:
    submission_id = world.submit()["id"]
    judge_slowly(world)
    client, path = world.client("learner"), f"/api/v1/submissions/{submission_id}/events"
    events = heard(client.get(path).text)
    for count in range(len(events)):
        before = str(events[count - 1].id) if count else "0"
        assert heard(client.get(path, headers={"Last-Event-ID": before}).text) == events[count:]
    last = {"Last-Event-ID": str(events[-1].id)}
    assert client.get(path, headers=last).status_code == 204


@pytest.mark.parametrize("number", ["", "x", "-1", "1.5", "9" * 30, "٣"])
def test_an_id_that_is_none_begins_at_the_beginning(world: World, number: str) -> None:
    submission_id = world.submit_and_judge(judgement_of(world.package))
    path = f"/api/v1/submissions/{submission_id}/events"
    headers = {"Last-Event-ID": number.encode()}
    events = heard(world.client("learner").get(path, headers=headers).text)
    assert [one.kind for one in events] == ["queued", "judged"]


@pytest.mark.parametrize("bell_rings", [True, False])
def test_a_reader_follows_while_it_is_judged(world: World, bell_rings: bool) -> None:
    answer = world.submit()
    client, ready = world.client("learner"), threading.Event()
    waiters = world.app.state.parts.waiters

    def work() -> None:
        while not waiters._count:
            pass
        ready.set()
        judge_slowly(world)
        if bell_rings:
            world.app.state.parts.bell.ring(f"submission:{answer['id'].removeprefix('sub_')}")

    with ThreadPoolExecutor() as threads:
        worker = threads.submit(work)
        followed = client.get(f"/api/v1/submissions/{answer['id']}/events")
        worker.result()
    assert ready.is_set()
    assert [one.kind for one in heard(followed.text)] == KINDS
    assert waiters._count == 0


def test_one_account_takes_no_more_than_its_share_of_the_places(world: World) -> None:
    waiters = world.app.state.parts.waiters
    with ExitStack() as places:
        while not waiters.is_full_for("a"):
            places.enter_context(waiters.listening("submission:x", "a"))
        assert waiters._count == waiters._most // 10
        assert not waiters.is_full_for("b")
    assert not waiters.is_full_for("a")


def test_who_reads_for_long_is_asked_again_who_it_is(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission_events, "MAX_STREAM_S", 0.1)
    monkeypatch.setattr(waiting, "RECHECK_S", 0.05)
    submission_id = world.submit()["id"]
    followed = world.client("learner").get(f"/api/v1/submissions/{submission_id}/events")
    assert [one.kind for one in heard(followed.text)] == ["queued"]


def test_a_reader_that_goes_away_leaves_nothing_behind(world: World) -> None:
    submission_id, token = world.submit()["id"], world.token("learner")
    waiters = world.app.state.parts.waiters

    async def follow_and_leave() -> list[bytes]:
        pieces: list[bytes] = []
        has_read = asyncio.Event()
        messages = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> dict[str, object]:
            if messages:
                return messages.pop()
            await has_read.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, object]) -> None:
            if message.get("body"):
                pieces.append(bytes(message["body"]))
                assert waiters._count == 1
                has_read.set()

        path = f"/api/v1/submissions/{submission_id}/events"
        headers = [(b"authorization", f"Bearer {token}".encode()), (b"host", b"testserver")]
        scope = {"type": "http", "asgi": {"spec_version": "2.3"}, "method": "GET", "path": path}
        scope |= {"raw_path": path.encode(), "query_string": b"", "headers": headers}
        scope |= {"scheme": "http", "server": ("testserver", 80), "root_path": ""}
        await world.app(scope, receive, send)
        return pieces

    (piece,) = asyncio.run(follow_and_leave())
    assert piece.startswith(b"event: queued")
    assert waiters._count == 0


def test_only_the_owner_follows(world: World) -> None:
    submission_id = world.submit_and_judge(judgement_of(world.package))
    path = f"/api/v1/submissions/{submission_id}/events"
    for who in ("other", "teacher", "admin"):
        assert world.client(who).get(path).status_code == 404
    assert world.client("learner", "problems:read").get(path).status_code == 403


def test_no_more_follow_than_may_wait(world: World) -> None:
    submission_id = world.submit()["id"]
    world.app.state.parts.waiters._most = 0
    refused = world.client("learner").get(f"/api/v1/submissions/{submission_id}/events")
    assert (refused.status_code, refused.json()["code"]) == (503, "too-many-waiting")
    assert refused.headers["retry-after"] == "5"
