"""Every error is a problem document with a stable code."""

import json

import pytest
from api_world import SLUG, World

from judge.api.flaws import pointer
from judge.api.middleware import MAX_BODY_BYTES
from judge.db.engine import Database

LOGIN = "/api/v1/auth/login"
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status", "code"),
    [
        ("GET", "/nothing", b"", {}, 404, "not-found"),
        ("GET", "/api/v1/nothing", b"", {}, 404, "not-found"),
        ("PUT", "/api/v1/problems", b"", {}, 405, "method-not-allowed"),
        ("GET", "/api/v1/problems?limit=0", b"", {}, 422, "invalid-request"),
        ("GET", "/api/v1/problems?locale=%00", b"", {}, 400, "unreadable-request"),
        ("GET", "/api/v1/problems/a%00b", b"", {}, 400, "unreadable-request"),
        ("POST", LOGIN, b"{", JSON, 400, "invalid-json"),
        ("POST", LOGIN, b"", JSON, 422, "invalid-request"),
        ("POST", LOGIN, b'{"handle":"\xff"}', JSON, 400, "unreadable-request"),
        ("POST", LOGIN, b"[1]", JSON, 422, "invalid-request"),
        ("POST", LOGIN, b"[" * 100_000, JSON, 400, "unreadable-request"),
        ("POST", LOGIN, b'{"handle":"a\\u0000","password":"b"}', JSON, 422, "invalid-request"),
        ("POST", LOGIN, b"x" * (MAX_BODY_BYTES + 1), JSON, 413, "body-too-large"),
        ("POST", LOGIN, b"a=b", {"Content-Type": "text/plain"}, 415, "not-json"),
    ],
)
def test_what_cannot_be_answered_is_a_problem_document(
    world: World,
    method: str,
    path: str,
    content: bytes,
    headers: dict[str, str],
    status: int,
    code: str,
) -> None:
    answer = world.anonymous().request(method, path, content=content, headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["type"] == f"/docs/errors/{code}"
    assert problem["instance"] == answer.headers["x-request-id"]
    assert problem["title"]
    assert problem["detail"]


def test_an_allowed_method_is_named(world: World) -> None:
    assert "GET" in world.anonymous().put("/api/v1/problems").headers["allow"]


def test_a_body_of_unknown_length_is_limited_too(world: World) -> None:
    def pieces():
        for _ in range(MAX_BODY_BYTES // 1024 + 2):
            yield b"x" * 1024

    answer = world.anonymous().post(LOGIN, content=pieces(), headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")


def test_a_body_in_pieces_arrives_whole(world: World) -> None:
    whole = json.dumps({"handle": "nobody", "password": "x" * 500}).encode()
    answer = world.anonymous().post(
        LOGIN, content=iter([whole[:7], whole[7:300], whole[300:]]), headers=JSON
    )
    assert answer.json()["code"] == "bad-credentials"


def test_the_judges_own_failure_says_nothing_about_itself(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_self: Database) -> None:
        raise RuntimeError("a secret of the database")

    monkeypatch.setattr(Database, "read", fail)
    answer = world.anonymous().get(f"/api/v1/problems/{SLUG}")
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "judge-failed"
    assert answer.json()["instance"].startswith("req_")
    assert "secret" not in answer.text


def test_every_answer_is_guarded(world: World) -> None:
    answer = world.client("learner").get("/api/v1/me")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        (("body", "source"), "/source"),
        (("body", "a/b", "c~d", 0), "/a~1b/c~0d/0"),
        (("query", "wait"), "/query/wait"),
        (("body",), ""),
    ],
)
def test_pointers(location: tuple[int | str, ...], expected: str) -> None:
    assert pointer(location) == expected


def test_allow_names_every_method_of_an_address(world: World) -> None:
    for path, allowed in (
        (f"/api/v1/admin/problems/{SLUG}", "GET, PATCH"),
        ("/api/v1/me/tokens", "GET, POST"),
        ("/healthz", "GET"),
    ):
        refused = world.client("admin").put(path)
        assert (refused.status_code, refused.headers["Allow"]) == (405, allowed)


class TestABodyThatIsNotCalledJson:
    @pytest.mark.parametrize(
        ("kind", "sent"),
        [
            ("application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
            ("text/plain; charset=utf-8", "text/plain; charset=utf-8"),
            ("", ""),
            ("text/" + "\xe9" * 5 + "x" * 200, "text/"),
        ],
    )
    def test_is_answered_with_what_to_send(self, world: World, kind: str, sent: str) -> None:
        headers = {b"content-type": kind.encode("latin-1")} if kind else {}
        body = json.dumps({"handle": "a", "password": "b"}).encode()
        answer = world.anonymous().post(LOGIN, content=body, headers=headers)
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (415, "not-json")
        assert problem["sent"].startswith(sent)
        assert len(problem["sent"]) <= 80
        assert problem["sent"].isascii()
        assert "Content-Type: application/json" in problem["detail"]
        assert "errors" not in problem

    def test_is_named_after_who_may_call_at_all(self, world: World) -> None:
        path = f"/api/v1/problems/{SLUG}/submissions"
        plain = {"Content-Type": "text/plain"}
        assert world.anonymous().post(path, content=b"{}", headers=plain).status_code == 401
        token = {**plain, "Authorization": f"Bearer {world.token('learner')}"}
        assert world.anonymous().post(path, content=b"{}", headers=token).status_code == 415

    def test_is_no_matter_where_there_is_no_body(self, world: World) -> None:
        answer = world.anonymous().post(LOGIN, headers={"Content-Type": "text/plain"})
        assert answer.json()["errors"][0]["code"] == "missing"

    def test_may_be_a_table_where_tables_are_taken(self, world: World) -> None:
        path = "/api/v1/admin/accounts:import?dry_run=true"
        client = world.client("admin")
        table = client.post(path, content=b"handle\nada\n", headers={"Content-Type": "text/csv"})
        assert table.status_code == 200
        text = client.post(path, content=b"handle\nada\n", headers={"Content-Type": "text/plain"})
        assert (text.status_code, text.json()["code"]) == (415, "not-json")
        assert "text/csv" in text.json()["detail"]

    def test_may_be_any_json(self, world: World) -> None:
        kind = {"Content-Type": "application/merge-patch+json; charset=utf-8"}
        answer = world.anonymous().post(LOGIN, content=b'{"handle":"a"}', headers=kind)
        assert answer.json()["errors"][0]["pointer"] == "/password"

    def test_is_no_matter_where_something_else_is_wrong_with_a_list(self, world: World) -> None:
        answer = world.client("teacher").put(
            f"/api/v1/classes/cls_{'0' * 32}/members?dry_run=perhaps",
            content=b"handle\nada\n",
            headers={"Content-Type": "text/csv"},
        )
        assert answer.json()["errors"][0]["pointer"] == "/query/dry_run"

    def test_is_named_where_a_body_may_be_missing(self, world: World) -> None:
        path = f"/api/v1/admin/revisions/rev_{'0' * 32}/publish"
        plain = {"Content-Type": "text/plain"}
        answer = world.client("admin").post(path, content=b"{}", headers=plain)
        assert (answer.status_code, answer.json()["code"]) == (415, "not-json")
