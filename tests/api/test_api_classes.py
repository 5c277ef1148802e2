"""Classes: who makes them, who joins them, who sees them (walk T7's beginning, T16)."""

import threading

import pytest
from api_world import World, set_role
from class_world import ClassWorld
from sqlalchemy import select

from judge.actions.join_class import leave_class
from judge.db.queries.classes import select_ties
from judge.db.tables import audit_log, membership, school_class
from judge.domain.access import Caller, Role
from judge.errors import Refused

NOWHERE = "/api/v1/classes/cls_" + "0" * 32


@pytest.fixture
def room(world: World) -> ClassWorld:
    return ClassWorld(world, time_zone="Asia/Ho_Chi_Minh", locale="vi")


def test_a_teacher_makes_a_class_and_teaches_it(room: ClassWorld) -> None:
    assert (room.made["name"], room.made["role"], room.made["state"]) == (
        "Decoding",
        "teacher",
        "active",
    )
    assert (room.made["time_zone"], room.made["members"], room.made["archived"]) == (
        "Asia/Ho_Chi_Minh",
        1,
        False,
    )
    read = room.teacher().get(room.path).json()
    assert read == {
        **{key: value for key, value in room.made.items() if key != "join_code"},
        "members": 2,
    }


def test_the_join_code_is_shown_once_and_only_its_hash_is_kept(room: ClassWorld) -> None:
    assert "join_code" not in room.teacher().get(room.path).json()
    with room.world.database.read() as connection:
        row = connection.execute(select(school_class)).one()
    plain = room.code.replace("-", "")
    assert len(plain) == 12
    assert plain not in repr(row)
    assert room.code not in repr(row)


@pytest.mark.parametrize("spell", [str.upper, lambda code: code.replace("-", " "), str.strip])
def test_a_code_may_be_typed_as_people_type(room: ClassWorld, spell) -> None:
    answer = room.world.client("other").post(
        "/api/v1/classes/join", json={"code": spell(room.code)}
    )
    assert answer.status_code == 200
    assert (answer.json()["role"], answer.json()["state"]) == ("learner", "active")
    assert answer.json()["members"] is None


def test_a_dead_code_is_gone(room: ClassWorld) -> None:
    renewed = room.teacher().post(f"{room.path}/join-code").json()["join_code"]
    other = room.world.client("other")
    for code in (room.code, "nobody-knows", ""):
        answer = other.post("/api/v1/classes/join", json={"code": code})
        assert (answer.status_code, answer.json()["code"]) == (410, "join-code-dead")
    assert other.post("/api/v1/classes/join", json={"code": renewed}).status_code == 200


def test_an_archived_class_cannot_be_joined_until_it_is_taken_out(room: ClassWorld) -> None:
    teacher = room.teacher()
    etag = teacher.get(room.path).headers["etag"]
    archived = teacher.patch(room.path, json={"archived": True}, headers={"If-Match": etag})
    assert archived.json()["archived"] is True
    assert teacher.post(f"{room.path}/join-code").status_code == 409
    body = {"code": room.code}
    assert room.world.client("other").post("/api/v1/classes/join", json=body).status_code == 410
    teacher = room.teacher()
    etag = archived.headers["etag"]
    back = teacher.patch(room.path, json={"archived": False}, headers={"If-Match": etag})
    assert back.json()["archived"] is False
    assert room.world.client("other").post("/api/v1/classes/join", json=body).status_code == 200


def test_a_change_names_what_was_read(room: ClassWorld) -> None:
    teacher = room.teacher()
    etag = teacher.get(room.path).headers["etag"]
    assert teacher.patch(room.path, json={"name": "B"}).status_code == 428
    changed = teacher.patch(room.path, json={"name": " B "}, headers={"If-Match": etag})
    assert (changed.status_code, changed.json()["name"]) == (200, "B")
    late = teacher.patch(room.path, json={"name": "C"}, headers={"If-Match": etag})
    assert (late.status_code, late.json()["code"]) == (412, "if-match-failed")
    with room.world.database.read() as connection:
        actions = connection.scalars(select(audit_log.c.action)).all()
    assert "class.change" in actions


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"name": ""}, "/name"),
        ({"name": " \t"}, "/name"),
        ({"name": "x" * 129}, "/name"),
        ({"name": "a\nb"}, "/name"),
        ({"name": "a\x00"}, "/name"),
        ({"name": "x", "locale": "fr"}, "/locale"),
        ({"name": "x", "time_zone": "Mars/Base"}, "/time_zone"),
        ({"name": "x", "owner": "me"}, "/owner"),
        ({}, "/name"),
    ],
)
def test_what_cannot_be_a_class_is_named(world: World, body: dict[str, str], pointer: str) -> None:
    answer = world.client("teacher").post("/api/v1/classes", json=body)
    assert answer.status_code == 422
    assert [one["pointer"] for one in answer.json()["errors"]] == [pointer]


def test_a_class_exists_for_its_members_and_admins_alone(room: ClassWorld) -> None:
    seen = {
        who: room.world.client(who).get(room.path).status_code
        for who in ("teacher", "learner", "other", "admin")
    }
    assert seen == {"teacher": 200, "learner": 200, "other": 404, "admin": 200}
    own = room.world.client("learner").get("/api/v1/classes").json()["items"]
    assert [(one["id"], one["role"], one["members"]) for one in own] == [(room.id, "learner", None)]
    assert room.world.client("other").get("/api/v1/classes").json()["items"] == []
    assert room.world.client("admin").get("/api/v1/classes").json()["items"] == []
    everybodys = room.world.client("admin").get("/api/v1/classes?all=true").json()["items"]
    assert [one["id"] for one in everybodys] == [room.id]
    refused = room.teacher().get("/api/v1/classes?all=true")
    assert (refused.status_code, refused.json()["code"]) == (403, "admin-only")


STAFF_ONLY = (
    ("GET", "/members", None),
    ("GET", "/gradebook", None),
    ("GET", "/assignments", None),
    ("PUT", "/members", {"members": []}),
    ("POST", "/join-code", None),
    ("PATCH", "", {"name": "Mine"}),
    ("POST", "/assignments", {"problem": "count_large"}),
    ("DELETE", "/members/acc_" + "0" * 32, None),
)


@pytest.mark.parametrize(("method", "path", "body"), STAFF_ONLY)
def test_another_teacher_finds_no_such_class(
    room: ClassWorld, method: str, path: str, body
) -> None:
    room.add_person("stranger", "teacher")
    stranger = room.world.client("stranger").request(method, room.path + path, json=body)
    nowhere = room.world.client("stranger").request(method, NOWHERE + path, json=body)
    assert (stranger.status_code, stranger.json()["code"]) == (404, "class-not-found")
    assert nowhere.json()["code"] == "class-not-found"


@pytest.mark.parametrize(("method", "path", "body"), STAFF_ONLY)
def test_a_member_does_not_read_what_is_the_teachers(
    room: ClassWorld, method: str, path: str, body
) -> None:
    answer = room.world.client("learner").request(method, room.path + path, json=body)
    assert answer.status_code == (404 if method == "GET" else 403)


def test_a_teachers_token_without_the_scope_is_told_which(room: ClassWorld) -> None:
    answer = room.teacher("problems:read").get(f"{room.path}/gradebook")
    assert (answer.status_code, answer.json()["needed"]) == (403, ["class:read"])


def test_a_token_that_only_reads_joins_nothing(room: ClassWorld) -> None:
    reader = room.world.client("other", "class:read", "scores:read", "submissions:read")
    answer = reader.post("/api/v1/classes/join", json={"code": room.code})
    assert (answer.status_code, answer.json()["needed"]) == (403, ["submissions:write"])


def test_who_leaves_is_no_member_any_more(room: ClassWorld) -> None:
    learner = room.world.client("learner")
    assert learner.post(f"{room.path}/leave").status_code == 204
    assert learner.get(room.path).status_code == 404
    assert learner.post(f"{room.path}/leave").status_code == 404
    room.join("learner")


def test_the_last_teacher_cannot_leave_or_be_removed(room: ClassWorld) -> None:
    teacher = room.teacher()
    left = teacher.post(f"{room.path}/leave")
    assert (left.status_code, left.json()["code"]) == (409, "last-teacher")
    account = f"acc_{room.world.accounts['teacher']}"
    removed = room.world.client("admin").delete(f"{room.path}/members/{account}")
    assert (removed.status_code, removed.json()["code"]) == (409, "last-teacher")


def test_a_second_teacher_lets_the_first_one_leave(room: ClassWorld) -> None:
    room.add_person("second", "teacher")
    listed = room.put("handle,role\nsecond,teacher\n")
    assert listed.json()["added"] == 1
    # Who was only invited is no teacher yet.
    assert room.teacher().post(f"{room.path}/leave").status_code == 409
    accepted = room.world.client("second").post(f"{room.path}/accept")
    assert (accepted.status_code, accepted.json()["role"]) == (200, "teacher")
    assert room.teacher().post(f"{room.path}/leave").status_code == 204
    assert room.world.client("second").get(f"{room.path}/members").status_code == 200


def test_who_is_no_teacher_any_more_teaches_no_class(room: ClassWorld) -> None:
    set_role(room.world.database, room.world.accounts["teacher"], "learner")
    teacher = room.world.client("teacher")
    assert teacher.get(f"{room.path}/members").status_code == 404
    assert teacher.get("/api/v1/classes").json()["items"][0]["members"] is None


def test_classes_have_pages(room: ClassWorld) -> None:
    for name in ("B", "C"):
        ClassWorld(room.world, name=name)
    first = room.teacher().get("/api/v1/classes?limit=2").json()
    rest = room.teacher().get(first["next"]).json()
    assert [one["name"] for one in first["items"] + rest["items"]] == ["C", "B", "Decoding"]
    assert rest["next"] is None


def test_of_two_teachers_that_leave_at_once_one_stays(room: ClassWorld) -> None:
    room.add_person("second", "teacher")
    database, class_id = room.world.database, room.id.removeprefix("cls_")
    for _ in range(4):
        # The admin's list makes members at once.
        room.world.client("admin").put(
            f"{room.path}/members",
            json={"members": [{"handle": "second", "role": "teacher"}]},
        )
        callers = []
        for handle in ("teacher", "second"):
            account_id = room.world.accounts[handle]
            with database.read() as connection:
                ties = select_ties(connection, account_id, Role.TEACHER)
            callers.append(Caller(account_id, handle, Role.TEACHER, ties=ties))
        outcomes: list[str] = []
        barrier = threading.Barrier(2)

        def leave(caller: Caller, barrier=barrier, outcomes=outcomes) -> None:
            barrier.wait()
            try:
                leave_class(database, caller, class_id)
                outcomes.append("left")
            except Refused as refused:
                outcomes.append(refused.code)

        threads = [threading.Thread(target=leave, args=(caller,)) for caller in callers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["last-teacher", "left"]
        with database.read() as connection:
            query = select(membership.c.account_id).where(membership.c.role == "teacher")
            left = connection.scalars(query).all()
        assert len(left) == 1
        entries = [{"handle": handle, "role": "teacher"} for handle in ("teacher", "second")]
        room.world.client("admin").put(f"{room.path}/members", json={"members": entries})


def test_the_address_for_joining_is_no_class(room: ClassWorld) -> None:
    answer = room.teacher().get("/api/v1/classes/join")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
