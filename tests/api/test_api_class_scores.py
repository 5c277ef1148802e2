"""Scores of a class in one call, and what changed since (walk C9, T9)."""

import csv
import io
import json

import pytest
from api_world import World
from class_world import SLUG, ClassWorld, add_problem, hand_in, now_text

from judge.api.schemas.scores import ScoreAnswer
from judge.api.score_text import FIELDS

FAR = "2999-01-01T00:00:00Z"
LEARNER_ROWS = [("learner", "alpha"), ("learner", SLUG), ("other", "alpha"), ("other", SLUG)]


@pytest.fixture
def room(world: World) -> ClassWorld:
    """Two learners, two problems; learner 60 of 100 on one of them, other the judge's fault."""
    made = ClassWorld(world)
    made.join("other")
    add_problem(world, "alpha")
    made.assign()
    made.assign("alpha")
    hand_in(world, "learner", earned=60)
    hand_in(world, "other", earned=None)
    return made


def keys(rows: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(row["handle"], row["problem"]) for row in rows]


def last(rows: list[dict[str, object]]) -> str:
    return max(str(row["updated_at"]) for row in rows if row["updated_at"] is not None)


def test_a_class_is_every_learner_on_every_problem(room: ClassWorld) -> None:
    rows = room.scores()
    assert keys(rows) == LEARNER_ROWS
    assert [row["score"] for row in rows] == [None, 60.0, None, None]
    assert [row["submissions"] for row in rows] == [0, 1, 0, 0]
    # A row with a submission has a time, though nothing of it counts yet.
    assert [row["updated_at"] is None for row in rows] == [True, False, True, False]
    assert rows[1]["revision"] == 1


def test_the_rows_have_the_classs_own_ids(room: ClassWorld) -> None:
    room.put("external_id,handle\nS1,learner\n")
    assert [row["external_id"] for row in room.scores()] == ["S1", "S1", None, None]
    own = room.world.client("learner").get("/api/v1/scores").json()["items"]
    assert own[0]["external_id"] is None


def test_the_fields_are_those_of_the_documented_shape(room: ClassWorld) -> None:
    assert tuple(ScoreAnswer.model_fields) == FIELDS
    for row in room.scores():
        spelled = ScoreAnswer.model_validate(row).model_dump(mode="json")
        assert spelled == row


def test_all_forms_are_equal_row_for_row(room: ClassWorld) -> None:
    rows, teacher = room.scores(), room.teacher()
    path = f"/api/v1/scores?class={room.id}"
    lines = teacher.get(path, headers={"Accept": "application/x-ndjson"}).text.splitlines()
    assert [json.loads(line) for line in lines] == rows
    text = teacher.get(path, headers={"Accept": "text/csv"}).text
    read = list(csv.DictReader(io.StringIO(text)))
    spelled = [{key: "" if value is None else value for key, value in row.items()} for row in rows]
    assert [{**row, "after_solution": json.loads(row["after_solution"])} for row in read] == [
        {key: value if key == "after_solution" else str(value) for key, value in row.items()}
        for row in spelled
    ]


def test_who_asks_for_the_scores_of_a_class(room: ClassWorld) -> None:
    assert keys(room.scores("admin")) == LEARNER_ROWS
    assert keys(room.scores("learner")) == LEARNER_ROWS[:2]
    assert keys(room.scores("learner", account="learner")) == LEARNER_ROWS[:2]
    room.add_person("stranger", "teacher")
    path = f"/api/v1/scores?class={room.id}"
    assert room.world.client("stranger").get(path).status_code == 404
    refused = room.world.client("learner").get(f"{path}&account=other")
    assert (refused.status_code, refused.json()["code"]) == (403, "admin-only")
    assert keys(room.scores(account="OTHER")) == LEARNER_ROWS[2:]
    assert keys(room.scores(problem="alpha")) == [LEARNER_ROWS[0], LEARNER_ROWS[2]]
    unknown = room.teacher().get(f"{path}&account=stranger")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "account-not-found")
    # Without a class a teacher has the own rows, and there are none.
    assert room.teacher().get("/api/v1/scores").json()["items"] == []


def test_what_has_not_opened_is_for_teachers(room: ClassWorld) -> None:
    add_problem(room.world, "later")
    path = f"{room.path}/assignments/{room.assign('later', opens_at=FAR)['id']}"
    made = hand_in(room.world, "learner", "later")["id"]
    assert "later" in {row["problem"] for row in room.scores()}
    assert keys(room.scores("learner")) == LEARNER_ROWS[:2]
    # Nor is anybody's work read on what the members do not know to be given.
    work = f"/api/v1/submissions/{made}"
    mine = room.teacher().get("/api/v1/submissions", params={"class": room.id}).json()["items"]
    assert made not in {one["id"] for one in mine}
    assert room.teacher().get(work).status_code == 404
    since = now_text()
    tag = room.teacher().get(path).headers["etag"]
    opened = room.teacher().patch(path, json={"opens_at": now_text()}, headers={"If-Match": tag})
    assert opened.status_code == 200, opened.text
    assert room.teacher().get(work).status_code == 200
    assert ("learner", "later") in keys(room.scores("learner", changed_since=since))


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_of_a_class_are_in_order_and_complete(room: ClassWorld, limit: int) -> None:
    teacher = room.teacher()
    found, path = [], f"/api/v1/scores?class={room.id}&limit={limit}"
    while path:
        page = teacher.get(path).json()
        assert len(page["items"]) <= limit
        found += page["items"]
        path = page["next"]
    assert keys(found) == LEARNER_ROWS


def test_changed_since_gives_what_is_newer_and_loses_nothing(room: ClassWorld) -> None:
    since = last(room.scores())
    assert room.scores(changed_since=since) == []
    hand_in(room.world, "other", "alpha", earned=100)
    newer = room.scores(changed_since=since)
    assert [(row["handle"], row["problem"], row["score"]) for row in newer] == [
        ("other", "alpha", 100.0)
    ]
    since = last(newer)
    # A worse one changes the count, which is part of the row.
    hand_in(room.world, "other", "alpha", earned=0)
    newer = room.scores(changed_since=since)
    assert [(row["score"], row["submissions"]) for row in newer] == [(100.0, 2)]
    assert keys(room.scores("learner", changed_since=since)) == []


def test_changed_since_finds_who_and_what_came_to_the_class_later(room: ClassWorld) -> None:
    room.world.client("other").post(f"{room.path}/leave")
    add_problem(room.world, "beta")
    hand_in(room.world, "learner", "beta", earned=40)
    hand_in(room.world, "learner", earned=100)
    since = last(room.scores())
    assert room.scores(changed_since=since) == []
    # Older than what the client has read, and new to it all the same.
    room.assign("beta")
    assert keys(room.scores(changed_since=since)) == [("learner", "beta")]
    room.join("other")
    found = keys(room.scores(changed_since=since))
    assert found == [("learner", "beta"), ("other", "alpha"), ("other", "beta"), ("other", SLUG)]


def test_other_points_are_a_change(room: ClassWorld) -> None:
    since = last(room.scores())
    admin = room.world.client("admin")
    path = f"/api/v1/admin/problems/{SLUG}"
    etag = admin.get(path).headers["etag"]
    assert admin.patch(path, json={"points": 50}, headers={"If-Match": etag}).status_code == 200
    newer = room.scores(changed_since=since)
    assert [(row["handle"], row["score"], row["max_score"]) for row in newer] == [
        ("learner", 30.0, 50)
    ]


def test_as_of_is_as_if_nothing_came_later(room: ClassWorld) -> None:
    between = now_text()
    hand_in(room.world, "learner", earned=100)
    hand_in(room.world, "other", "alpha", earned=40)
    past = room.scores(as_of=between)
    assert keys(past) == LEARNER_ROWS
    assert [(row["score"], row["submissions"]) for row in past] == [
        (None, 0),
        (60.0, 1),
        (None, 0),
        (None, 0),
    ]
    assert {row["updated_at"] for row in past} == {None}
    now = room.scores(as_of=now_text())
    assert [row["score"] for row in now] == [row["score"] for row in room.scores()]
    assert [row["revision"] for row in now] == [None, 1, 1, None]
    own = room.world.client("learner").get("/api/v1/scores", params={"as_of": between})
    assert [row["score"] for row in own.json()["items"]] == [60.0]


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("changed_since=x", "/query/changed_since"),
        ("changed_since=2026-01-01T00:00:00", "/query/changed_since"),
        ("changed_since=9999-12-31T23:59:59-12:00", "/query/changed_since"),
        ("as_of=2026-01-01T00:00:00Z&changed_since=2026-01-01T00:00:00Z", "/query/as_of"),
        ("limit=20001", "/query/limit"),
    ],
)
def test_what_cannot_be_asked_is_named(room: ClassWorld, query: str, pointer: str) -> None:
    answer = room.teacher().get(f"/api/v1/scores?class={room.id}&{query}")
    assert answer.status_code == 422
    assert [one["pointer"] for one in answer.json()["errors"]] == [pointer]


def test_a_plus_sign_of_a_time_zone_need_not_be_escaped(room: ClassWorld) -> None:
    path = f"/api/v1/scores?class={room.id}&as_of=2099-01-01T00:00:00+09:00"
    assert room.teacher().get(path).status_code == 200


def test_a_class_without_problems_or_learners_has_no_rows(world: World) -> None:
    empty = ClassWorld(world)
    assert empty.scores() == []
    empty.world.client("learner").post(f"{empty.path}/leave")
    empty.assign()
    assert empty.scores() == []
    assert empty.gradebook()["rows"] == []
