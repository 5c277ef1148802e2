"""Drafts: work is never lost, and never overwritten by a page that did not see it."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from api_world import SLUG, World
from sqlalchemy import func, select, update
from starlette.testclient import TestClient

from judge.actions.drafts import NONE, DraftConflict, NewDraft, save_draft
from judge.db.tables import draft, problem, submission
from judge.domain.access import Caller, Role

PATH = f"/api/v1/problems/{SLUG}/drafts/python"
FIRST = {"If-None-Match": "*"}


def save(client: TestClient, source: str, headers: dict[str, str] = FIRST, **body: Any) -> Any:
    return client.put(PATH, json={"source": source, **body}, headers=headers)


def test_a_draft_is_read_as_it_was_saved(world: World) -> None:
    client = world.client("learner")
    saved = save(client, "x = 'tiếng Việt'\r\n")
    assert saved.status_code == 200, saved.text
    read = client.get(PATH)
    assert read.json() == saved.json()
    assert read.json()["source"] == "x = 'tiếng Việt'\r\n"
    assert read.json()["revision"] == f"rev_{world.published.revision_id}"
    assert read.headers["etag"] == saved.headers["etag"] == f'"{read.json()["etag"]}"'
    assert client.get(PATH, headers={"If-None-Match": read.headers["etag"]}).status_code == 304


def test_a_save_names_the_draft_that_it_began_from(world: World) -> None:
    client = world.client("learner")
    first = save(client, "one").headers["etag"]
    second = save(client, "two", {"If-Match": first})
    assert (second.status_code, second.json()["source"]) == (200, "two")
    late = save(client, "three", {"If-Match": first})
    assert (late.status_code, late.json()["code"]) == (412, "draft-conflict")
    assert late.json()["stored"]["source"] == "two"
    assert late.json()["sent"] == {"source": "three"}
    assert late.headers["etag"] == second.headers["etag"]
    assert client.get(PATH).json()["source"] == "two"
    assert save(client, "three", {"If-Match": "*"}).status_code == 200


def test_the_first_save_says_that_it_is_the_first(world: World) -> None:
    client = world.client("learner")
    assert save(client, "one", {}).status_code == 428
    for header in ('"0"', "*", "", '""'):
        gone = save(client, "one", {"If-Match": header})
        assert (gone.status_code, gone.json()["stored"]) == (412, None)
    assert save(client, "one").status_code == 200
    again = save(client, "other")
    assert (again.status_code, again.json()["stored"]["source"]) == (412, "one")


def test_each_account_and_language_has_a_draft_of_its_own(world: World) -> None:
    save(world.client("learner"), "mine")
    assert world.client("other").get(PATH).status_code == 404
    other = save(world.client("other"), "theirs")
    assert other.status_code == 200
    assert world.client("learner").get(PATH).json()["source"] == "mine"
    assert world.client("admin").get(PATH).json()["code"] == "draft-not-found"


def test_a_draft_can_be_thrown_away(world: World) -> None:
    client = world.client("learner")
    etag = save(client, "one").headers["etag"]
    assert client.delete(PATH).status_code == 428
    assert client.delete(PATH, headers={"If-Match": '"old"'}).status_code == 412
    assert client.delete(PATH, headers={"If-Match": etag}).status_code == 204
    assert client.get(PATH).status_code == 404
    assert client.delete(PATH, headers={"If-Match": etag}).json()["code"] == "draft-not-found"


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"source": "a\0b"}, "invalid-source", "/source"),
        ({"source": "x", "revision": "rev_1"}, "invalid-request", "/revision"),
        ({"source": "x", "revision": "rev_" + "0" * 32}, "invalid-request", "/revision"),
        ({"source": "x", "sauce": 1}, "invalid-request", "/sauce"),
        ({}, "invalid-request", "/source"),
    ],
)
def test_what_cannot_be_kept_is_refused(
    world: World, body: dict[str, Any], code: str, pointer: str
) -> None:
    answer = world.client("learner").put(PATH, json=body, headers=FIRST)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert answer.json()["errors"][0]["pointer"] == pointer


def test_a_draft_has_at_most_64_kib(world: World) -> None:
    client = world.client("learner")
    assert save(client, "x" * 65_537).status_code == 413
    assert save(client, "x" * 65_536).status_code == 200


def test_a_language_that_the_problem_does_not_take_has_no_draft(world: World) -> None:
    client = world.client("learner")
    path = PATH.replace("python", "rust")
    answer = client.put(path, json={"source": "x"}, headers=FIRST)
    assert (answer.status_code, answer.json()["code"]) == (422, "language-not-offered")
    assert client.get(path).status_code == 404


def test_a_problem_that_one_does_not_see_has_no_draft(world: World) -> None:
    client = world.client("learner")
    path = PATH.replace(SLUG, "unknown")
    assert client.get(path).json()["code"] == "problem-not-found"
    assert client.put(path, json={"source": "x"}, headers=FIRST).status_code == 404


def test_work_on_a_problem_that_was_retired_can_still_be_read(world: World) -> None:
    client = world.client("learner")
    etag = save(client, "one").headers["etag"]
    with world.database.write() as connection:
        connection.execute(update(problem).values(state="retired"))
    assert client.get(PATH).json()["source"] == "one"
    assert save(client, "two", {"If-Match": etag}).status_code == 410


def test_a_draft_opens_nothing_and_counts_for_nothing(world: World) -> None:
    client = world.client("learner")
    save(client, "one")
    locks = client.get(f"/api/v1/problems/{SLUG}").json()["locks"]
    assert (locks["hints"], locks["solution"]) == (True, True)
    assert client.get(f"/api/v1/problems/{SLUG}/solution").json()["code"] == "solution-locked"
    with world.database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(submission)) == 0


def test_of_many_saves_at_once_one_is_kept_and_the_others_are_told(world: World) -> None:
    caller = Caller(world.accounts["learner"], "learner", Role.LEARNER)

    def first_save(number: int) -> object:
        return save_draft(world.database, caller, NewDraft(SLUG, "python", str(number)), NONE)

    with ThreadPoolExecutor(8) as threads:
        came = list(threads.map(first_save, range(16)))
    conflicts = [one for one in came if isinstance(one, DraftConflict)]
    (kept,) = (one for one in came if not isinstance(one, DraftConflict))
    assert len(conflicts) == 15
    with world.database.read() as connection:
        assert connection.execute(select(draft.c.source, draft.c.etag)).one() == (
            kept.source,
            kept.etag,
        )
