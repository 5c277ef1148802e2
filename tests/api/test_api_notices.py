"""Notices: what an account was told, in its own words, and what it has read."""

from typing import Any

import pytest
from api_world import SLUG, World, hidden_failure, judgement_of
from sqlalchemy import insert

from judge.actions.audit import add_notices
from judge.db.tables import school_class
from judge.db.types import new_id, now
from judge.domain.verdicts import Reason, Verdict

PATH = "/api/v1/me/notices"


def rejudged(world: World) -> None:
    """The learner's 40 points become 100."""
    case = hidden_failure(Verdict.WRONG_ANSWER, reason=Reason.WRONG_VALUE)
    world.submit_and_judge(judgement_of(world.package, {case.id: case}))
    admin = world.client("admin")
    begun = admin.post("/api/v1/admin/rejudges", json={"problem": SLUG}).json()["id"]
    world.judge_next(judgement_of(world.package))
    applied = world.client("admin").post(f"/api/v1/admin/rejudges/{begun}/apply", json={})
    assert applied.status_code == 200, applied.text


def tell(world: World, count: int, who: str = "learner") -> None:
    with world.database.write() as connection:
        for number in range(count):
            add_notices(connection, [world.accounts[who]], "something", f"{number:032x}")


def read(world: World, who: str = "learner", query: str = "") -> dict[str, Any]:
    answer = world.client(who).get(f"{PATH}{query}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_rejudge_is_told_with_the_problem_and_both_scores(world: World) -> None:
    rejudged(world)
    page = read(world)
    (one,) = page["items"]
    assert (one["kind"], one["problem"], one["read_at"]) == ("rejudge", SLUG, None)
    assert one["ref"].startswith("rej_")
    title = world.client("learner").get(f"/api/v1/problems/{SLUG}").json()["title"]
    expected = f"“{title}” was judged anew. Your score: 40 before, 100 now, of 100."
    assert one["message"] == expected
    assert (page["unread"], page["next"]) == (1, None)
    assert read(world, "other")["items"] == []


@pytest.mark.parametrize("locale", ["vi", "ja", "en"])
def test_the_sentence_speaks_the_readers_locale(world: World, locale: str) -> None:
    rejudged(world)
    (one,) = read(world, query=f"?locale={locale}")["items"]
    problem = world.client("learner").get(f"/api/v1/problems/{SLUG}?locale={locale}").json()
    assert problem["title"] in one["message"]
    assert "{" not in one["message"]


def test_what_became_of_feedback_is_told(world: World) -> None:
    body = {"kind": "test", "body": "x"}
    thread = world.client("learner").post(f"/api/v1/problems/{SLUG}/feedback", json=body).json()
    path = f"/api/v1/feedback/{thread['id']}"
    admin = world.client("admin")
    admin.post(f"{path}/messages", json={"body": "canary-answer"})
    etag = {"If-Match": admin.get(path).headers["etag"]}
    assert admin.patch(path, json={"status": "fixed"}, headers=etag).status_code == 200
    told = read(world)["items"]
    assert [one["kind"] for one in told] == ["feedback-status", "feedback-reply"]
    assert {one["ref"] for one in told} == {thread["id"]}
    assert told[0]["message"].endswith("is now: fixed.")
    assert "canary-answer" not in str(told)


def test_a_kind_without_words_still_has_a_sentence(world: World) -> None:
    tell(world, 1)
    (one,) = read(world)["items"]
    assert (one["message"], one["problem"]) == ("There is something new for you.", None)


def test_an_invitation_names_the_class(world: World) -> None:
    class_id, moment = new_id(), now()
    times = {"created_at": moment, "updated_at": moment}
    kept = {"id": class_id, "name": "Class 8", "locale": "en", "time_zone": "UTC", **times}
    with world.database.write() as connection:
        connection.execute(insert(school_class).values(kept))
        add_notices(connection, [world.accounts["learner"]], "class-invitation", class_id)
    (one,) = read(world)["items"]
    assert (one["ref"], one["problem"]) == (f"cls_{class_id}", None)
    assert "“Class 8”" in one["message"]


def test_they_come_newest_first_in_pages_and_can_be_read_one_by_one(world: World) -> None:
    tell(world, 3)
    first = read(world, query="?limit=2")
    second = world.client("learner").get(first["next"]).json()
    shown = [one["id"] for one in first["items"] + second["items"]]
    assert (len(set(shown)), first["unread"], second["next"]) == (3, 3, None)
    client = world.client("learner")
    assert client.get("/api/v1/me").json()["unread"] == 3
    assert client.post(f"{PATH}/read", json={"ids": [shown[1]]}).json() == {"unread": 2}
    unread = client.get(f"{PATH}?unread=true").json()["items"]
    assert [one["id"] for one in unread] == [shown[0], shown[2]]
    read_at = client.get(PATH).json()["items"][1]["read_at"]
    assert client.post(f"{PATH}/read", json={"all": True}).json() == {"unread": 0}
    assert client.get(PATH).json()["items"][1]["read_at"] == read_at
    assert client.get("/api/v1/me").json()["unread"] == 0


def test_nobody_reads_or_marks_the_notices_of_others(world: World) -> None:
    tell(world, 1)
    identifier = read(world)["items"][0]["id"]
    admin = world.client("admin")
    assert admin.post(f"{PATH}/read", json={"ids": [identifier]}).status_code == 200
    assert admin.post(f"{PATH}/read", json={"all": True}).json() == {"unread": 0}
    assert read(world)["unread"] == 1


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({}, "/ids", "notices-which"),
        ({"ids": ["ntc_" + "0" * 32], "all": True}, "/ids", "notices-which"),
        ({"ids": ["x"]}, "/ids/0", "notice"),
        ({"ids": ["ntc_" + "0" * 32] * 201}, "/ids", "too-many-items"),
        ({"every": True}, "/every", "extra-forbidden"),
    ],
)
def test_what_is_to_be_marked_must_be_clear(
    world: World, body: dict[str, Any], pointer: str, code: str
) -> None:
    answer = world.client("learner").post(f"{PATH}/read", json=body)
    assert answer.status_code == 422
    (flaw,) = answer.json()["errors"]
    assert (flaw["pointer"], flaw["code"]) == (pointer, code)


def test_notices_tell_scores_and_need_their_scope(world: World) -> None:
    refused = world.client("learner", "problems:read").get(PATH)
    assert (refused.status_code, refused.json()["needed"]) == (403, ["scores:read"])
