"""The gradebook: what counts in a cell, and the tables that other systems import (walk T9)."""

import csv
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from api_world import World
from class_world import SLUG, ClassWorld, add_problem, hand_in, now_text

from judge.db.types import now

GOLDEN = Path(__file__).parent / "golden"
NOTHING = {
    "score": None,
    "max_score": 100,
    "late": False,
    "after_solution": False,
    "submissions": 0,
    "submission": None,
    "updated_at": None,
}


@pytest.fixture
def room(world: World) -> ClassWorld:
    return ClassWorld(world)


def change(room: ClassWorld, made: dict[str, object], **fields: object) -> None:
    path = f"{room.path}/assignments/{made['id']}"
    teacher = room.teacher()
    etag = teacher.get(path).headers["etag"]
    answer = teacher.patch(path, json=fields, headers={"If-Match": etag})
    assert answer.status_code == 200, answer.text


def table(room: ClassWorld, accept: str, **query: object) -> list[list[str]]:
    answer = room.teacher().get(f"{room.path}/gradebook", headers={"Accept": accept}, params=query)
    assert answer.status_code == 200, answer.text
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


def test_nothing_is_null_and_zero_is_zero(room: ClassWorld) -> None:
    room.assign()
    room.join("other")
    assert room.cell() == NOTHING
    made = hand_in(room.world, "learner", earned=0)
    hand_in(room.world, "other", earned=None)
    cell = room.cell()
    assert (cell["score"], cell["submissions"], cell["submission"]) == (0.0, 1, made["id"])
    assert cell["updated_at"] is not None
    # The judge's own fault counts for nothing.
    assert room.cell("other") == NOTHING
    assert [row[3] for row in table(room, "text/csv")] == [SLUG, "0", ""]


def test_the_best_one_counts_and_among_equals_the_first(room: ClassWorld) -> None:
    room.assign()
    hand_in(room.world, "learner", earned=40)
    best = hand_in(room.world, "learner", earned=60)
    hand_in(room.world, "learner", earned=60)
    hand_in(room.world, "learner", earned=0)
    cell = room.cell()
    assert (cell["score"], cell["submission"], cell["submissions"]) == (60.0, best["id"], 4)


def test_a_late_one_counts_as_much_as_the_rule_says(room: ClassWorld) -> None:
    made = room.assign(late_percent=50)
    early = hand_in(room.world, "learner", earned=40)
    due_at = now_text()
    late = hand_in(room.world, "learner", earned=100)
    assert room.cell()["score"] == 100.0
    change(room, made, due_at=due_at)
    cell = room.cell()
    assert (cell["score"], cell["late"], cell["submission"]) == (50.0, True, late["id"])
    # Worth the same as the one in time, which then is taken.
    change(room, made, late_percent=40)
    cell = room.cell()
    assert (cell["score"], cell["late"], cell["submission"]) == (40.0, False, early["id"])
    assert cell["submissions"] == 2
    change(room, made, late_percent=0)
    cell = room.cell()
    assert (cell["score"], cell["submissions"], cell["late"]) == (40.0, 1, False)


def test_what_was_handed_in_before_the_opening_does_not_count(room: ClassWorld) -> None:
    made = room.assign()
    hand_in(room.world, "learner", earned=100)
    opens_at = now_text()
    assert room.cell()["score"] == 100.0
    change(room, made, opens_at=opens_at)
    assert room.cell() == NOTHING
    hand_in(room.world, "learner", earned=60)
    assert room.cell()["score"] == 60.0


def test_only_late_ones_that_do_not_count_are_nothing(room: ClassWorld) -> None:
    made = room.assign(due_at=(now() - timedelta(days=1)).isoformat())
    hand_in(room.world, "learner")
    assert room.cell() == NOTHING
    change(room, made, late_percent=100)
    assert (room.cell()["score"], room.cell()["late"]) == (100.0, True)


def test_as_of_is_the_gradebook_of_a_moment(room: ClassWorld) -> None:
    room.assign()
    before = now_text()
    hand_in(room.world, "learner", earned=40)
    between = now_text()
    hand_in(room.world, "learner", earned=100)
    assert room.cell(as_of=before) == NOTHING
    assert room.cell(as_of=between)["score"] == 40.0
    assert room.cell(as_of=now_text())["score"] == 100.0
    answer = room.teacher().get(f"{room.path}/gradebook?as_of=yesterday")
    assert [one["pointer"] for one in answer.json()["errors"]] == ["/query/as_of"]


def test_points_after_the_solution_are_marked(room: ClassWorld) -> None:
    room.assign()
    hand_in(room.world, "learner", earned=40)
    room.world.client("learner").get(f"/api/v1/problems/{SLUG}/solution")
    opened = now_text()
    assert room.cell()["after_solution"] is False
    hand_in(room.world, "learner", earned=100)
    assert (room.cell()["score"], room.cell()["after_solution"]) == (100.0, True)
    assert room.cell(as_of=opened)["after_solution"] is False


def test_columns_are_by_position_and_rows_by_handle(room: ClassWorld) -> None:
    add_problem(room.world, "alpha")
    room.assign(weight=2)
    room.assign("alpha", position=0)
    room.join("other")
    book = room.gradebook()
    assert [one["problem"] for one in book["columns"]] == ["alpha", SLUG]
    assert [one["weight"] for one in book["columns"]] == [1, 2]
    assert [row["handle"] for row in book["rows"]] == ["learner", "other"]
    assert all(len(row["cells"]) == 2 for row in book["rows"])


@pytest.fixture
def schoolroom(room: ClassWorld) -> ClassWorld:
    """Names of two languages, a formula, a zero, nothing, and parts of points."""
    people = {"anh": "Nguyễn Thị Ánh", "sora": "山田 空", "sly": '=HYPERLINK("http://x")'}
    for handle, name in people.items():
        room.add_person(handle, name=name)
        room.join(handle)
    room.world.client("learner").post(f"{room.path}/leave")
    room.put("external_id,handle\n2026-01,anh\n2026-02,sora\n2026-03,sly\n")
    add_problem(room.world, "alpha")
    add_problem(room.world, "beta")
    first = room.assign(title="Tuần 1")
    room.assign("alpha", title="Tuần 2", late_percent=33)
    room.assign("beta")
    hand_in(room.world, "anh", earned=100)
    hand_in(room.world, "sora", earned=0)
    due_at = now_text()
    hand_in(room.world, "anh", "alpha", earned=40)
    for made in room.gradebook()["columns"]:
        if made["problem"] == "alpha":
            change(room, {"id": made["assignment"]}, due_at=due_at)
    assert first["title"] == "Tuần 1"
    return room


@pytest.mark.parametrize(
    ("accept", "name"),
    [
        ("text/csv", "gradebook.csv"),
        ("text/csv;profile=canvas", "gradebook-canvas.csv"),
        ("text/csv; profile=moodle", "gradebook-moodle.csv"),
    ],
)
def test_tables_are_as_other_systems_import_them(
    schoolroom: ClassWorld, accept: str, name: str
) -> None:
    answer = schoolroom.teacher().get(f"{schoolroom.path}/gradebook", headers={"Accept": accept})
    assert answer.content == (GOLDEN / name).read_bytes()
    assert answer.headers["content-type"].replace(" ", "").startswith(accept.replace(" ", ""))


def test_a_byte_order_mark_is_there_for_who_wants_it(schoolroom: ClassWorld) -> None:
    answer = schoolroom.teacher().get(
        f"{schoolroom.path}/gradebook", headers={"Accept": "text/csv"}, params={"bom": "true"}
    )
    assert answer.content == "\ufeff".encode() + (GOLDEN / "gradebook.csv").read_bytes()


def test_scores_offer_the_same_tables_to_who_may_read_them(schoolroom: ClassWorld) -> None:
    path = f"/api/v1/scores?class={schoolroom.id}"
    headers = {"Accept": "text/csv;profile=canvas"}
    answer = schoolroom.teacher().get(path, headers=headers)
    assert answer.content == (GOLDEN / "gradebook-canvas.csv").read_bytes()
    assert schoolroom.world.client("anh").get(path, headers=headers).status_code == 404
    narrow = schoolroom.teacher("scores:read").get(path, headers=headers)
    assert (narrow.status_code, narrow.json()["needed"]) == (403, ["class:read"])
    unnamed = schoolroom.teacher().get("/api/v1/scores", headers=headers)
    assert [one["pointer"] for one in unnamed.json()["errors"]] == ["/query/class"]


def test_a_table_of_another_profile_is_not_offered(room: ClassWorld) -> None:
    answer = room.teacher().get(
        f"{room.path}/gradebook", headers={"Accept": "text/csv;profile=other"}
    )
    assert answer.status_code == 406


def test_titles_that_are_the_same_stay_apart(room: ClassWorld) -> None:
    add_problem(room.world, "alpha")
    room.assign(title="Week 1")
    room.assign("alpha", title="Week 1")
    assert table(room, "text/csv")[0][3:] == [f"Week 1 {SLUG}", "Week 1 alpha"]


def test_the_due_time_itself_is_in_time(room: ClassWorld) -> None:
    made = room.assign(late_percent=10)
    submitted = hand_in(room.world, "learner")
    due = datetime.fromisoformat(submitted["created_at"]).astimezone(UTC)
    change(room, made, due_at=due.isoformat())
    assert (room.cell()["late"], room.cell()["score"]) == (False, 100.0)
    change(room, made, due_at=(due - timedelta(microseconds=1)).isoformat())
    assert (room.cell()["late"], room.cell()["score"]) == (True, 10.0)
