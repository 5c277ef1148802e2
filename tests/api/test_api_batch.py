"""Several submissions with one call: each as if it had been sent alone."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from api_world import SLUG, SOURCE, World, judgement_of
from sqlalchemy import func, select

from judge.db.tables import submission

PATH = "/api/v1/submissions:batch"
ITEM = {"problem": SLUG, "language": "python", "source": SOURCE}


def stored(world: World) -> int:
    with world.database.read() as connection:
        return connection.scalar(select(func.count()).select_from(submission)) or 0


def test_every_item_has_its_answer_in_order(world: World) -> None:
    client = world.client("learner")
    sources = [f"{SOURCE}# {number}\n" for number in range(20)]
    answer = client.post(PATH, json={"items": [{**ITEM, "source": one} for one in sources]})
    assert answer.status_code == 207, answer.text
    items = answer.json()["items"]
    assert [(one["index"], one["status"], one["problem"]) for one in items] == [
        (index, 201, None) for index in range(20)
    ]
    for one, source in zip(items, sources, strict=True):
        told = one["submission"]
        assert (told["state"], told["unlocked"]) == ("queued", ["hints", "solution"])
        assert client.get(f"/api/v1/submissions/{told['id']}/source").text == source


def test_waiting_waits_for_all_and_tells_what_single_calls_tell(world: World) -> None:
    client = world.client("learner")

    def judge_three() -> list[str]:
        while stored(world) < 3:
            pass
        return [world.judge_next(judgement_of(world.package)) for _ in range(3)]

    with ThreadPoolExecutor() as threads:
        worker = threads.submit(judge_three)
        answer = client.post(f"{PATH}?wait=60", json={"items": [ITEM] * 3})
        worker.result()
    told = [one["submission"] for one in answer.json()["items"]]
    assert [one["verdict"] for one in told] == ["accepted"] * 3
    for one in told:
        single = client.get(f"/api/v1/submissions/{one['id']}").json()
        assert {**one, "unlocked": None} == {**single, "unlocked": None}


WRONG: list[tuple[Any, int, str, str | None]] = [
    ({**ITEM, "language": "rust"}, 422, "language-not-offered", "/language"),
    ({**ITEM, "problem": "unknown"}, 404, "problem-not-found", None),
    ({**ITEM, "source": "x" * 70_000}, 413, "source-too-large", "/source"),
    ({**ITEM, "source": "a\0b"}, 422, "invalid-source", "/source"),
    ({**ITEM, "sauce": ""}, 422, "invalid-request", "/sauce"),
    ({**ITEM, "body": ""}, 422, "invalid-request", "/body"),
    ({"problem": SLUG, "language": "python"}, 422, "invalid-request", "/source"),
    ({**ITEM, "revision": "rev_1"}, 422, "invalid-request", "/revision"),
    ({**ITEM, "revision": "rev_" + "0" * 32}, 409, "revision-changed", None),
    ("no object", 422, "invalid-request", ""),
    (None, 422, "invalid-request", ""),
]


def test_what_is_wrong_with_one_item_does_not_stop_the_others(world: World) -> None:
    client = world.client("learner")
    items = [ITEM, *(item for item, *_ in WRONG), ITEM]
    came = client.post(PATH, json={"items": items}).json()["items"]
    assert [came[0]["status"], came[-1]["status"]] == [201, 201]
    assert stored(world) == 2
    for (_, status, code, pointer), one in zip(WRONG, came[1:-1], strict=True):
        document = one["problem"]
        assert (one["status"], document["status"], document["code"]) == (status, status, code)
        assert one["submission"] is None
        flaws = document.get("errors", [])
        assert (flaws[0]["pointer"] if flaws else None) == pointer


@pytest.mark.parametrize("items", [[], [ITEM] * 51, "none", None])
def test_a_batch_has_one_to_fifty_items(world: World, items: Any) -> None:
    answer = world.client("learner").post(PATH, json={"items": items})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/items"
    assert stored(world) == 0


def test_fifty_sources_of_full_size_fit(world: World) -> None:
    items = [{**ITEM, "source": "#" + "\n" * 65_535}] * 50
    answer = world.client("learner").post(PATH, json={"items": items})
    assert {one["status"] for one in answer.json()["items"]} == {201}


def test_who_may_not_submit_sends_no_large_body(world: World) -> None:
    body = {"items": [{**ITEM, "source": "x" * 60_000}] * 20}
    assert world.anonymous().post(PATH, json=body).status_code == 401
    reader = world.client("learner", "submissions:read")
    refused = reader.post(PATH, json=body)
    assert (refused.status_code, refused.json()["needed"]) == (403, ["submissions:write"])
    assert reader.post(PATH, content=b"{" + b" " * 9_000_000).status_code == 403
    writer = world.client("learner")
    assert writer.post(PATH, content=b"{" + b" " * 9_000_000).status_code == 413


def test_problem_documents_of_items_speak_the_readers_locale(world: World) -> None:
    answer = world.client("learner").post(
        f"{PATH}?locale=vi", json={"items": [{**ITEM, "problem": "unknown"}]}
    )
    document = answer.json()["items"][0]["problem"]
    assert document["detail"] == "Không có bài nào tên unknown."
    assert document["instance"] == answer.headers["x-request-id"]
