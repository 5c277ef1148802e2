"""Lists of people: how they are read, what they do, and that nobody is a member unasked (T7)."""

import csv
import io

import pytest
from api_world import World
from class_world import SLUG, ClassWorld, hand_in
from sqlalchemy import select, update

from judge.db.tables import account, notice


@pytest.fixture
def room(world: World) -> ClassWorld:
    made = ClassWorld(world)
    for handle, name in (("anh", "Nguyễn Thị Ánh"), ("sora", "山田 空"), ("mai", "Mai")):
        made.add_person(handle, name=name)
    return made


def test_a_list_invites_and_whoever_accepts_is_a_member(room: ClassWorld) -> None:
    answer = room.put("external_id,handle\nS1,anh\nS2,sora\n")
    assert answer.status_code == 200, answer.text
    assert [(row["row"], row["handle"], row["effect"]) for row in answer.json()["rows"]] == [
        (1, "anh", "added"),
        (2, "sora", "added"),
    ]
    members = room.members()
    assert (members["anh"]["state"], members["anh"]["external_id"]) == ("invited", "S1")
    # What somebody is called who has not agreed yet is not told.
    assert members["anh"]["display_name"] is None
    anh = room.world.client("anh")
    seen = anh.get(room.path).json()
    assert (seen["name"], seen["state"]) == ("Decoding", "invited")
    assert anh.post(f"{room.path}/accept").json()["state"] == "active"
    room.join("sora")
    members = room.members()
    assert (members["anh"]["state"], members["anh"]["display_name"]) == ("active", "Nguyễn Thị Ánh")
    assert (members["sora"]["state"], members["sora"]["external_id"]) == ("active", "S2")


def test_the_work_of_who_is_only_invited_is_not_read(room: ClassWorld) -> None:
    room.assign()
    made = hand_in(room.world, "anh")
    room.put("handle\nanh\n")
    teacher = room.teacher()
    assert teacher.get(f"/api/v1/submissions/{made['id']}").status_code == 404
    assert [row["handle"] for row in room.scores()] == ["learner"]
    assert [row["handle"] for row in room.gradebook()["rows"]] == ["learner"]
    room.world.client("anh").post(f"{room.path}/accept")
    assert room.teacher().get(f"/api/v1/submissions/{made['id']}/source").status_code == 200
    assert [row["handle"] for row in room.scores()] == ["anh", "learner"]
    # And no more once the account has left.
    room.world.client("anh").post(f"{room.path}/leave")
    assert room.teacher().get(f"/api/v1/submissions/{made['id']}").status_code == 404


def test_an_invitation_is_told_once_and_can_be_declined(room: ClassWorld) -> None:
    for _ in range(2):
        room.put("handle\nanh\n")
        assert room.world.client("anh").post(f"{room.path}/leave").status_code == 204
        assert room.world.client("anh").get(room.path).status_code == 404
    with room.world.database.read() as connection:
        rows = connection.execute(select(notice)).all()
    assert [(row.kind, row.ref) for row in rows] == [
        ("class-invitation", room.id.removeprefix("cls_"))
    ]
    # What was declined need not be read.
    assert room.world.client("anh").get("/api/v1/me").json()["unread"] == 0


def test_an_admins_list_makes_members_at_once(room: ClassWorld) -> None:
    room.put("handle\nanh\n")
    body = {"members": [{"handle": "anh"}, {"handle": "sora", "external_id": "S2"}]}
    answer = room.world.client("admin").put(f"{room.path}/members", json=body)
    assert [row["effect"] for row in answer.json()["rows"]] == ["changed", "added"]
    assert {one["state"] for one in room.members().values()} == {"active"}


def test_a_dry_run_names_the_bad_row_and_does_nothing(room: ClassWorld) -> None:
    content = "external_id,handle\nS1,anh\nS2,nobody\nS3,mai\n"
    report = room.put(content, dry_run=True).json()
    assert (report["applied"], report["added"]) == (False, 2)
    assert [(one["row"], one["pointer"], one["code"]) for one in report["errors"]] == [
        (2, "/members/1/handle", "roster-handle")
    ]
    assert set(room.members()) == {"teacher", "learner"}
    refused = room.put(content)
    assert (refused.status_code, refused.json()["code"]) == (422, "roster-invalid")
    assert refused.json()["rows"] == [2]
    assert set(room.members()) == {"teacher", "learner"}
    # The rest only after confirmation.
    applied = room.put(content, apply_valid=True).json()
    assert (applied["applied"], applied["added"], len(applied["errors"])) == (True, 2, 1)
    assert set(room.members()) == {"teacher", "learner", "anh", "mai"}


def test_the_same_list_again_changes_nothing(room: ClassWorld) -> None:
    content = "external_id,handle\nS1,anh\nS2,sora\n"
    room.put(content)
    again = room.put(content).json()
    assert (again["added"], again["changed"], again["unchanged"]) == (0, 0, 2)
    by_id = room.put("external_id\nS2\n").json()
    assert by_id["unchanged"] == 1


def test_external_ids_may_change_hands_within_one_list(room: ClassWorld) -> None:
    room.put("external_id,handle\nS1,anh\nS2,sora\n")
    swapped = room.put("external_id,handle\nS2,anh\nS1,sora\n")
    assert swapped.json()["changed"] == 2
    members = room.members()
    assert (members["anh"]["external_id"], members["sora"]["external_id"]) == ("S2", "S1")
    taken = room.put("external_id,handle\nS1,mai\n")
    assert taken.json()["errors"][0]["code"] == "roster-external-id-taken"


def test_who_cannot_sign_in_now_keeps_the_external_id(room: ClassWorld) -> None:
    room.put("external_id,handle\nS1,anh\n")
    with room.world.database.write() as connection:
        anh = account.c.handle == "anh"
        connection.execute(update(account).where(anh).values(state="disabled"))
    taken = room.put("external_id,handle\nS1,mai\n")
    assert taken.json()["errors"][0]["code"] == "roster-external-id-taken"
    assert room.put("external_id,handle\nS2,anh\nS1,mai\n").json()["added"] == 1


SHAPES = {
    "byte order mark and CRLF": "\ufeffexternal_id,handle\r\nMã 1,anh\r\n".encode(),
    "semicolons": "external_id;handle\nMã 1;anh\n".encode(),
    "tabs and quotes": 'external_id\thandle\n"Mã 1"\t"anh"\n'.encode(),
    "empty lines and spaces": "\nexternal_id, Handle \n\n Mã 1 , ANH \n\n".encode(),
    "no last line end": "external_id,handle\nMã 1,anh".encode(),
    "an export's columns": (
        "external_id,handle,display_name,role,state,joined_at\n"
        '"Mã 1",anh,"Nguyễn, Ánh",learner,invited,\n'
    ).encode(),
}


@pytest.mark.parametrize("content", SHAPES.values(), ids=SHAPES)
def test_a_list_is_read_as_schools_write_it(room: ClassWorld, content: bytes) -> None:
    answer = room.put(content)
    assert answer.status_code == 200, answer.text
    assert room.members()["anh"]["external_id"] == "Mã 1"


UNREADABLE = {
    "roster-utf16": "external_id,handle\nS1,anh\n".encode("utf-16"),
    "roster-not-utf8": b"external_id,handle\nM\xe3,anh\n",
    "roster-columns": b"name,grade\nAnh,5\n",
    "roster-csv": b'external_id,handle\n"S1,anh\n',
}


@pytest.mark.parametrize(("code", "content"), UNREADABLE.items())
def test_what_cannot_be_read_is_refused_with_a_reason(
    room: ClassWorld, code: str, content: bytes
) -> None:
    answer = room.put(content)
    assert (answer.status_code, answer.json()["code"]) == (422, "roster-unreadable")
    assert [one["code"] for one in answer.json()["errors"]] == [code]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (",!", "roster-handle"),
        ("S1", "roster-empty"),
        ("S1,anh,x", "roster-empty"),
        ("S9,", "roster-external-id"),
        ("S1,teacher2", "roster-handle"),
        ("S" * 129 + ",anh", "external-id"),
    ],
)
def test_a_bad_row_is_named(room: ClassWorld, row: str, code: str) -> None:
    report = room.put(f"external_id,handle\n{row}\nS3,mai\n", dry_run=True).json()
    assert [(one["row"], one["code"]) for one in report["errors"]] == [(1, code)]
    assert report["added"] == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ([{"handle": "anh", "role": "teacher"}], "roster-not-staff"),
        ([{"handle": "anh", "role": "king"}], "choice"),
        ([{"handle": "teacher", "role": "learner"}], "roster-teaches"),
        ([{"handle": "anh"}, {"handle": "ANH"}], "roster-twice"),
        ([{"handle": "anh", "external_id": "S1"}, {"handle": "mai", "external_id": "S1"}],
         "roster-external-id-taken"),
        ([{}], "roster-empty"),
    ],
)  # fmt: skip
def test_a_bad_entry_is_named(room: ClassWorld, body: list[dict[str, str]], code: str) -> None:
    answer = room.teacher().put(f"{room.path}/members", json={"members": body})
    assert answer.status_code == 422
    assert {one["code"] for one in answer.json()["errors"]} == {code}


def test_unknown_fields_of_a_list_are_refused(room: ClassWorld) -> None:
    body = {"members": [{"handle": "anh", "grade": 1}]}
    answer = room.teacher().put(f"{room.path}/members", json=body)
    assert [one["pointer"] for one in answer.json()["errors"]] == ["/members/0/grade"]


def test_the_list_of_members_is_a_table_that_can_be_sent_back(room: ClassWorld) -> None:
    room.put("external_id,handle\n=1+1,anh\nS2,sora\n")
    room.world.client("anh").post(f"{room.path}/accept")
    answer = room.teacher().get(
        f"{room.path}/members", headers={"Accept": "text/csv"}, params={"bom": True}
    )
    assert answer.content.startswith("\ufeff".encode())
    text = answer.content.decode("utf-8-sig")
    rows = {row["handle"]: row for row in csv.DictReader(io.StringIO(text))}
    assert (rows["anh"]["external_id"], rows["anh"]["display_name"]) == ("'=1+1", "Nguyễn Thị Ánh")
    again = room.put(answer.content).json()
    assert (again["changed"], again["unchanged"]) == (0, 4)


def test_members_have_pages(room: ClassWorld) -> None:
    room.put("handle\nanh\nsora\nmai\n")
    teacher = room.teacher()
    first = teacher.get(f"{room.path}/members?limit=3").json()
    rest = teacher.get(first["next"]).json()
    assert [one["handle"] for one in first["items"] + rest["items"]] == [
        "anh",
        "learner",
        "mai",
        "sora",
        "teacher",
    ]


def test_a_removed_member_keeps_its_work(room: ClassWorld) -> None:
    room.assign()
    made = hand_in(room.world, "learner")
    account = f"acc_{room.world.accounts['learner']}"
    assert room.teacher().delete(f"{room.path}/members/{account}").status_code == 204
    again = room.teacher().delete(f"{room.path}/members/{account}")
    assert (again.status_code, again.json()["code"]) == (404, "member-not-found")
    learner = room.world.client("learner")
    assert learner.get(f"/api/v1/submissions/{made['id']}").json()["score"] == 100.0
    assert learner.get("/api/v1/scores").json()["items"][0]["problem"] == SLUG
    assert room.scores() == []
