"""Waiting for a verdict: the answer comes with it, not before and not much later."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from api_world import SLUG, SOURCE, World, judgement_of

from judge.api import waiting
from judge.queue.wakeup import Bell, drain

PATH = f"/api/v1/problems/{SLUG}/submissions"
BODY = {"language": "python", "source": SOURCE}


def judge_when_rung(world: World, bell_rings: bool) -> None:
    """What a worker does: wait for the lane's bell, judge, ring for the submission."""
    listener = world.app.state.parts.bell.open()
    ready.set()
    listener.setblocking(True)
    listener.settimeout(30)
    try:
        message = listener.recv(256)
        assert message == b"lane:python"
        submission_id = world.judge_next(judgement_of(world.package))
        if bell_rings:
            world.app.state.parts.bell.ring(f"submission:{submission_id.removeprefix('sub_')}")
    finally:
        world.app.state.parts.bell.close(listener)


ready = threading.Event()


@pytest.fixture(autouse=True)
def _fresh() -> None:
    ready.clear()


@pytest.mark.parametrize("bell_rings", [True, False])
@pytest.mark.parametrize("how", ["query", "header"])
def test_one_call_submits_and_brings_the_verdict(
    world: World, bell_rings: bool, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if bell_rings:
        # Without the bell this test would then wait in vain.
        monkeypatch.setattr(waiting, "RECHECK_S", 3600)
    client = world.client("learner")
    with ThreadPoolExecutor() as threads:
        worker = threads.submit(judge_when_rung, world, bell_rings)
        assert ready.wait(30)
        answer = client.post(
            PATH + ("?wait=60" if how == "query" else ""),
            json=BODY,
            headers={} if how == "query" else {"Prefer": "respond-async, wait=60"},
        )
        worker.result()
    assert answer.status_code == 201
    assert answer.json()["verdict"] == "accepted"
    assert answer.json()["score"] == 100.0
    applied = answer.headers.get("preference-applied")
    assert applied == (None if how == "query" else "wait=60")


def test_when_the_time_is_up_the_answer_says_how_far_it_is(world: World) -> None:
    answer = world.client("learner").post(f"{PATH}?wait=0.01", json=BODY)
    assert (answer.status_code, answer.json()["state"]) == (201, "queued")


def test_a_final_submission_is_not_waited_for(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "RECHECK_S", 3600)
    submission_id = world.submit_and_judge(judgement_of(world.package))
    answer = world.client("learner").get(f"/api/v1/submissions/{submission_id}?wait=60")
    assert answer.json()["state"] == "judged"


@pytest.mark.parametrize("wait", ["61", "-1", "soon", "nan"])
def test_a_wait_out_of_bounds_is_refused(world: World, wait: str) -> None:
    answer = world.client("learner").post(f"{PATH}?wait={wait}", json=BODY)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/query/wait"


def test_a_preference_that_is_too_long_is_cut(world: World) -> None:
    submission_id = world.submit_and_judge(judgement_of(world.package))
    answer = world.client("learner").get(
        f"/api/v1/submissions/{submission_id}", headers={"Prefer": "wait=100000"}
    )
    assert answer.headers["preference-applied"] == "wait=60"


def test_submitting_rings_the_lane(world: World) -> None:
    bell: Bell = world.app.state.parts.bell
    listener = bell.open()
    world.submit()
    assert drain(listener) == ("lane:python",)
    bell.close(listener)


def test_whoever_may_not_read_it_cannot_wait_for_it(world: World) -> None:
    submission_id = world.submit()["id"]
    answer = world.client("other").get(f"/api/v1/submissions/{submission_id}?wait=60")
    assert answer.status_code == 404
