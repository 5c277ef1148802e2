"""Assignments: what a teacher gives, and what the learners find (walk T8)."""

from datetime import timedelta

import pytest
from api_world import World
from class_world import SLUG, ClassWorld, add_problem, hand_in
from sqlalchemy import update

from judge.db.tables import assignment, problem
from judge.db.types import now


@pytest.fixture
def room(world: World) -> ClassWorld:
    return ClassWorld(world, time_zone="Asia/Ho_Chi_Minh")


def mine(room: ClassWorld, handle: str = "learner") -> list[dict[str, object]]:
    return list(room.world.client(handle).get("/api/v1/me/assignments").json()["items"])


def test_a_due_time_may_be_the_clock_of_the_class(room: ClassWorld) -> None:
    made = room.assign(title="Tuần 1", due_local="2026-09-08T23:59:00", late_percent=50)
    assert made["due_at"] == "2026-09-08T16:59:00.000000Z"
    assert (made["due_local"], made["time_zone"]) == ("2026-09-08T23:59:00", "Asia/Ho_Chi_Minh")
    assert (made["weight"], made["position"], made["max_score"]) == (1, 1, 100)
    found = mine(room)
    assert [(one["id"], one["due_at"], one["class_name"]) for one in found] == [
        (made["id"], made["due_at"], "Decoding")
    ]


def test_a_due_time_may_be_a_moment(room: ClassWorld) -> None:
    made = room.assign(due_at="2026-09-08T23:59:00+09:00")
    assert made["due_at"] == "2026-09-08T14:59:00.000000Z"
    assert made["due_local"] == "2026-09-08T21:59:00"


def test_learners_find_what_has_opened_with_their_score(room: ClassWorld) -> None:
    add_problem(room.world, "alpha")
    add_problem(room.world, "beta")
    opened = room.assign()
    room.assign("alpha", opens_at=(now() + timedelta(days=1)).isoformat())
    due = room.assign("beta", due_at=(now() + timedelta(days=1)).isoformat())
    hand_in(room.world, "learner", earned=60)
    found = mine(room)
    # The next due first, the undue last.
    assert [(one["id"], one["score"], one["submissions"]) for one in found] == [
        (due["id"], None, 0),
        (opened["id"], 60.0, 1),
    ]
    assert mine(room, "other") == []
    first = room.world.client("learner").get("/api/v1/me/assignments?limit=1").json()
    rest = room.world.client("learner").get(first["next"]).json()
    assert [one["id"] for one in first["items"] + rest["items"]] == [due["id"], opened["id"]]
    assert rest["next"] is None


def test_an_archived_class_gives_nothing_any_more(room: ClassWorld) -> None:
    room.assign()
    teacher = room.teacher()
    etag = teacher.get(room.path).headers["etag"]
    teacher.patch(room.path, json={"archived": True}, headers={"If-Match": etag})
    assert mine(room) == []
    answer = room.teacher().post(f"{room.path}/assignments", json={"problem": SLUG})
    assert (answer.status_code, answer.json()["code"]) == (409, "class-archived")


@pytest.mark.parametrize("change", [{"visibility": "staff"}, {"state": "retired"}])
def test_a_problem_that_a_learner_cannot_find_is_not_named(
    room: ClassWorld, change: dict[str, str]
) -> None:
    made = room.assign()
    with room.world.database.write() as connection:
        connection.execute(update(problem).values(change))
    assert mine(room) == []
    path = f"{room.path}/assignments/{made['id']}"
    assert room.world.client("learner").get(path).status_code == 404
    assert room.teacher().get(path).status_code == 200


def test_one_assignment_is_read_by_members_once_it_has_opened(room: ClassWorld) -> None:
    made = room.assign(opens_at=(now() + timedelta(days=1)).isoformat())
    path = f"{room.path}/assignments/{made['id']}"
    assert room.world.client("learner").get(path).status_code == 404
    assert room.world.client("other").get(path).status_code == 404
    with room.world.database.write() as connection:
        connection.execute(update(assignment).values(opens_at=None))
    assert room.world.client("learner").get(path).json()["problem"] == SLUG
    assert room.world.client("other").get(path).status_code == 404


def test_a_problem_is_given_to_a_class_once(room: ClassWorld) -> None:
    room.assign()
    answer = room.teacher().post(f"{room.path}/assignments", json={"problem": SLUG})
    assert (answer.status_code, answer.json()["code"]) == (409, "assignment-exists")


def test_only_a_problem_that_the_teacher_sees_can_be_given(room: ClassWorld) -> None:
    answer = room.teacher().post(f"{room.path}/assignments", json={"problem": "nothing"})
    assert (answer.status_code, answer.json()["code"]) == (404, "problem-not-found")


def test_a_change_names_what_was_read_and_leaves_the_rest(room: ClassWorld) -> None:
    made = room.assign(title="A", due_at="2026-09-08T00:00:00Z", weight=3)
    path = f"{room.path}/assignments/{made['id']}"
    teacher = room.teacher()
    etag = teacher.get(path).headers["etag"]
    assert teacher.patch(path, json={"title": "B"}).status_code == 428
    changed = teacher.patch(path, json={"title": "B"}, headers={"If-Match": etag})
    assert (changed.json()["title"], changed.json()["weight"]) == ("B", 3)
    assert changed.json()["due_at"] == made["due_at"]
    late = teacher.patch(path, json={"title": "C"}, headers={"If-Match": etag})
    assert (late.status_code, late.json()["code"]) == (412, "if-match-failed")
    undue = teacher.patch(
        path, json={"due_at": None}, headers={"If-Match": changed.headers["etag"]}
    )
    assert (undue.json()["due_at"], undue.json()["due_local"]) == (None, None)


def test_an_assignment_can_be_taken_back(room: ClassWorld) -> None:
    made = room.assign()
    submitted = hand_in(room.world, "learner")
    path = f"{room.path}/assignments/{made['id']}"
    work = f"/api/v1/submissions/{submitted['id']}"
    assert room.teacher().get(work).status_code == 200
    assert room.teacher().delete(path).status_code == 204
    assert room.teacher().get(path).status_code == 404
    assert room.teacher().get(work).status_code == 404
    assert room.world.client("learner").get(work).status_code == 200


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"late_percent": 101}, "/late_percent"),
        ({"late_percent": -1}, "/late_percent"),
        ({"weight": 1001}, "/weight"),
        ({"position": -1}, "/position"),
        ({"due_at": "2026-09-08T00:00:00"}, "/due_at"),
        ({"due_local": "2026-09-08T00:00:00Z"}, "/due_local"),
        ({"due_at": "2026-09-08T00:00:00Z", "due_local": "2026-09-08T00:00:00"}, "/due_local"),
        ({"due_at": "9999-12-31T23:59:59-12:00"}, "/due_at"),
        ({"due_local": "0001-01-01T00:00:00"}, "/due_local"),
        ({"opens_at": "2026-09-09T00:00:00Z", "due_at": "2026-09-08T00:00:00Z"}, "/due_at"),
        ({"title": "x" * 201}, "/title"),
        ({"title": "\x00"}, "/title"),
        ({"colour": 1}, "/colour"),
    ],
)
def test_what_cannot_be_an_assignment_is_named(
    room: ClassWorld, body: dict[str, object], pointer: str
) -> None:
    answer = room.teacher().post(f"{room.path}/assignments", json={"problem": SLUG, **body})
    assert answer.status_code == 422, answer.text
    assert [one["pointer"] for one in answer.json()["errors"]] == [pointer]


def test_assignments_have_pages_by_position(room: ClassWorld) -> None:
    add_problem(room.world, "alpha")
    add_problem(room.world, "beta")
    room.assign()
    room.assign("alpha")
    room.assign("beta", position=0)
    teacher = room.teacher()
    first = teacher.get(f"{room.path}/assignments?limit=2").json()
    rest = teacher.get(first["next"]).json()
    assert [one["problem"] for one in first["items"] + rest["items"]] == ["beta", SLUG, "alpha"]
