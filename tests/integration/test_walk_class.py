"""A teacher's walk with a class, against a judge that serves, judges and answers for real.

The steps are numbered as in the list of acceptance: T7 to T10, T14 and T16.
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from package_builder import load_package
from walk_judge import Judge, make_token, walked

pytestmark = pytest.mark.slow
SLUGS = ("count_large", "sample_token", "verify_draft_sequence")
NAMES = {"anh": "Nguyễn Thị Ánh", "sora": "山田 空", "sly": '=HYPERLINK("http://x")'}
RIGHT = "def count_large(values, limit):\n    return sum(value > limit for value in values)\n"
WRONG = "def count_large(values, limit):\n    return -1\n"


@pytest.fixture
def judge(tmp_path: Path, database_url: str) -> Iterator[Judge]:
    with walked(tmp_path, database_url) as served:
        served.publish(load_package())
        yield served


def named(judge: Judge, handle: str) -> httpx2.Client:
    """A learner who has said how to be called."""
    browser = judge.register(handle)
    tag = browser.get("/api/v1/me").headers["etag"]
    body = {"display_name": NAMES[handle]}
    changed = browser.patch("/api/v1/me", json=body, headers={"If-Match": tag})
    assert changed.status_code == 200, changed.text
    return browser


def judged(browser: httpx2.Client, source: str) -> dict[str, Any]:
    """A submission to the first problem with its result."""
    body = {"language": "python", "source": source}
    path = f"/api/v1/problems/{SLUGS[0]}/submissions"
    answer = browser.post(path, json=body, params={"wait": 25})
    assert answer.json()["state"] == "judged", answer.text
    return dict(answer.json())


def test_a_teacher_leads_a_class(judge: Judge) -> None:  # noqa: PLR0915 - one walk
    teacher = judge.staff("mori", "teacher")
    learners = {handle: named(judge, handle) for handle in NAMES}

    # T7
    made = teacher.post(
        "/api/v1/classes", json={"name": "Giải mã 2026", "time_zone": "Asia/Ho_Chi_Minh"}
    ).json()
    path = f"/api/v1/classes/{made['id']}"
    assert made["join_code"]
    roster = "external_id,handle\nS1,anh\nS2,nobody\nS3,sora\n"
    send: dict[str, Any] = {"content": roster, "headers": {"Content-Type": "text/csv"}}
    dry = teacher.put(f"{path}/members", params={"dry_run": True}, **send).json()
    assert [(one["row"], one["pointer"]) for one in dry["errors"]] == [(2, "/members/1/handle")]
    refused = teacher.put(f"{path}/members", **send)
    assert (refused.status_code, refused.json()["rows"]) == (422, [2])
    assert len(teacher.get(f"{path}/members").json()["items"]) == 1
    applied = teacher.put(f"{path}/members", params={"apply_valid": True}, **send).json()
    assert (applied["applied"], applied["added"]) == (True, 2)
    for handle in ("anh", "sora"):
        assert learners[handle].post(f"{path}/accept").status_code == 200
    joined = learners["sly"].post("/api/v1/classes/join", json={"code": made["join_code"]})
    assert joined.status_code == 200

    # T8
    for slug in SLUGS:
        body = {"problem": slug, "due_local": "2099-09-08T23:59", "late_percent": 50}
        given = teacher.post(f"{path}/assignments", json=body)
        assert given.status_code == 201, given.text
    found = learners["anh"].get("/api/v1/me/assignments").json()["items"]
    assert sorted(one["problem"] for one in found) == sorted(SLUGS)
    assert {one["due_local"] for one in found} == {"2099-09-08T23:59:00"}
    assert {one["due_at"] for one in found} == {"2099-09-08T16:59:00.000000Z"}
    book = teacher.get(f"{path}/gradebook").json()
    assert [row["handle"] for row in book["rows"]] == ["anh", "sly", "sora"]
    assert [cell["score"] for row in book["rows"] for cell in row["cells"]] == [None] * 9

    # T9
    first = judged(learners["anh"], "def count_large(:\n")
    zero = judged(learners["anh"], WRONG)
    judged(learners["sora"], WRONG)
    assert learners["sora"].get(f"/api/v1/problems/{SLUGS[0]}/solution").status_code == 200
    judged(learners["sora"], RIGHT)
    book = teacher.get(f"{path}/gradebook").json()
    cells = {row["handle"]: row["cells"][0] for row in book["rows"]}
    assert {handle: cell["score"] for handle, cell in cells.items()} == {
        "anh": 0.0,
        "sly": None,
        "sora": 100.0,
    }
    assert {handle for handle, cell in cells.items() if cell["after_solution"]} == {"sora"}
    exported = teacher.get(
        f"{path}/gradebook", params={"bom": True}, headers={"Accept": "text/csv"}
    )
    assert exported.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(exported.content.decode("utf-8-sig"))))
    shown = [next(cell for cell in row if cell.strip("'") in NAMES.values()) for row in rows[1:]]
    assert shown == [NAMES["anh"], "'" + NAMES["sly"], NAMES["sora"]]

    # T10
    attempts = teacher.get(
        "/api/v1/submissions", params={"class": made["id"], "account": "anh"}
    ).json()["items"]
    assert [one["id"] for one in attempts] == [zero["id"], first["id"]]
    looked = teacher.get(f"/api/v1/submissions/{zero['id']}").json()
    hidden = [case for case in looked["cases"] if case["visibility"] != "sample"]
    assert hidden
    assert all(case["detail"]["arguments"] for case in hidden)
    assert teacher.get(f"/api/v1/submissions/{zero['id']}/source").text == WRONG
    own = learners["anh"].get(f"/api/v1/submissions/{zero['id']}").json()
    assert {case["detail"] for case in own["cases"] if case["visibility"] != "sample"} == {None}

    # T14
    admin = judge.staff("boss", "admin")
    (boss,) = admin.get("/api/v1/admin/accounts", params={"q": "boss"}).json()["items"]
    account = f"/api/v1/admin/accounts/{boss['id']}"
    tag = {"If-Match": admin.get(account).headers["etag"]}
    kept = admin.patch(account, json={"role": "learner"}, headers=tag)
    assert (kept.status_code, kept.json()["code"]) == (409, "last-admin")
    assert kept.json()["detail"]
    assert admin.get(account).json()["role"] == "admin"

    # T16
    elsewhere = judge.register("tam")
    other = judge.staff("kim", "teacher").post("/api/v1/classes", json={"name": "Other"}).json()
    elsewhere.post("/api/v1/classes/join", json={"code": other["join_code"]})
    for stranger in (elsewhere, learners["anh"]):
        assert stranger.get(f"{path}/gradebook").status_code == 404
    narrow = judge.client(make_token(teacher, "scores:read"))
    told = narrow.get(f"{path}/gradebook")
    assert (told.status_code, told.json()["code"]) == (403, "missing-scope")
    assert told.json()["needed"] == ["class:read"]
