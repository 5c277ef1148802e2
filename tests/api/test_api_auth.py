"""Registering, signing in, signing out, and which pages may do so."""

import pytest
from api_world import World, add_worker
from sqlalchemy import select, update
from starlette.testclient import TestClient

from judge.api.sign_in_limit import MAX_FAILURES
from judge.db.tables import account, session
from judge.db.types import now

ADA = {"handle": "Ada", "password": "correct horse", "time_zone": "Asia/Tokyo"}
LOGIN = {"handle": "ada", "password": "correct horse"}


@pytest.fixture
def client(world: World) -> TestClient:
    add_worker(world.database)
    return world.anonymous()


@pytest.fixture
def ada(client: TestClient) -> TestClient:
    """A browser that has just registered."""
    answer = client.post("/api/v1/auth/register", json=ADA)
    assert answer.status_code == 201, answer.text
    return client


def test_registering_signs_in(ada: TestClient) -> None:
    me = ada.get("/api/v1/me").json()
    assert (me["handle"], me["role"], me["time_zone"]) == ("Ada", "learner", "Asia/Tokyo")
    assert me["scopes"] == [
        "class:read",
        "feedback:write",
        "problems:read",
        "scores:read",
        "submissions:read",
        "submissions:write",
    ]


def test_the_cookie_is_opaque_and_guarded(client: TestClient, world: World) -> None:
    answer = client.post("/api/v1/auth/register", json=ADA)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Max-Age=1209600" in cookie
    assert "Secure" not in cookie  # plain HTTP in development: a browser would drop it
    with world.database.read() as connection:
        stored = connection.scalars(select(session.c.id_hash)).all()
    assert len(stored) == 1
    assert answer.cookies["judge_session"] not in stored


def test_over_tls_the_cookie_is_secure(client: TestClient) -> None:
    answer = client.post("https://testserver/api/v1/auth/register", json=ADA)
    assert "Secure" in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"handle": "ab"}, "/handle"),
        ({"handle": "a" * 33}, "/handle"),
        ({"handle": "ada lovelace"}, "/handle"),
        ({"handle": "adä"}, "/handle"),
        ({"handle": "-ada"}, "/handle"),
        ({"handle": "--help"}, "/handle"),
        ({"handle": "Admin"}, "/handle"),
        ({"handle": "decode-judge"}, "/handle"),
        ({"password": "1234567"}, "/password"),
        ({"password": "x" * 257}, "/password"),
        ({"email": "nowhere"}, "/email"),
        ({"locale": "fr"}, "/locale"),
        ({"time_zone": "Mars/Olympus"}, "/time_zone"),
        ({"time_zone": "../../etc/passwd"}, "/time_zone"),
        ({"role": "admin"}, "/role"),
    ],
)
def test_what_breaks_a_rule_is_named(
    client: TestClient, changes: dict[str, str], pointer: str
) -> None:
    answer = client.post("/api/v1/auth/register", json={**ADA, **changes})
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


def test_a_handle_is_taken_however_it_is_capitalised(ada: TestClient) -> None:
    answer = ada.post("/api/v1/auth/register", json={**ADA, "handle": "aDA"})
    assert (answer.status_code, answer.json()["code"]) == (409, "handle-taken")


def test_an_address_is_taken_however_it_is_capitalised(client: TestClient) -> None:
    first = {**ADA, "email": "ada@example.org"}
    assert client.post("/api/v1/auth/register", json=first).status_code == 201
    second = {**ADA, "handle": "bob", "email": "Ada@Example.org"}
    answer = client.post("/api/v1/auth/register", json=second)
    assert (answer.status_code, answer.json()["code"]) == (409, "email-taken")


def test_signing_in_and_out(ada: TestClient) -> None:
    assert ada.post("/api/v1/auth/logout", json={}).status_code == 204
    assert ada.get("/api/v1/me").status_code == 401
    assert ada.post("/api/v1/auth/login", json=LOGIN).status_code == 200
    assert ada.get("/api/v1/me").json()["handle"] == "Ada"


def test_signing_out_ends_the_session_for_good(ada: TestClient) -> None:
    stolen = ada.cookies["judge_session"]
    ada.post("/api/v1/auth/logout", json={})
    ada.cookies.set("judge_session", stolen)
    assert ada.get("/api/v1/me").status_code == 401


def test_signing_in_again_makes_a_new_session(ada: TestClient) -> None:
    before = ada.cookies["judge_session"]
    ada.post("/api/v1/auth/login", json=LOGIN)
    assert ada.cookies["judge_session"] != before
    ada.cookies.set("judge_session", before, domain="testserver.local")
    ada.cookies.clear()
    ada.cookies.set("judge_session", before)
    assert ada.get("/api/v1/me").status_code == 401


def test_wrong_password_and_unknown_handle_answer_alike(ada: TestClient) -> None:
    wrong = ada.post("/api/v1/auth/login", json={**LOGIN, "password": "wrong horse"})
    unknown = ada.post("/api/v1/auth/login", json={**LOGIN, "handle": "nobody"})
    for answer in (wrong, unknown):
        assert answer.status_code == 401
        problem = answer.json()
        del problem["instance"]
        assert problem["code"] == "bad-credentials"
    assert wrong.json()["detail"] == unknown.json()["detail"]


def test_after_ten_failures_only_that_handle_waits(ada: TestClient) -> None:
    for _ in range(MAX_FAILURES):
        ada.post("/api/v1/auth/login", json={"handle": "nobody", "password": "wrong"})
    answer = ada.post("/api/v1/auth/login", json={"handle": "NOBODY", "password": "wrong"})
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 601
    assert ada.post("/api/v1/auth/login", json=LOGIN).status_code == 200


def test_an_account_that_is_not_active_cannot_use_its_session(
    ada: TestClient, world: World
) -> None:
    with world.database.write() as connection:
        connection.execute(
            update(account).where(account.c.handle == "Ada").values(state="disabled")
        )
    assert ada.get("/api/v1/me").status_code == 401
    assert ada.post("/api/v1/auth/login", json=LOGIN).status_code == 401


def test_a_session_ends(ada: TestClient, world: World) -> None:
    with world.database.write() as connection:
        connection.execute(update(session).values(expires_at=now()))
    assert ada.get("/api/v1/me").status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
        {"Content-Type": "text/plain"},
    ],
)
def test_another_sites_page_cannot_use_the_cookie(ada: TestClient, headers: dict[str, str]) -> None:
    answer = ada.post(
        "/api/v1/me/tokens", content=b"{}", headers={"Content-Type": "application/json", **headers}
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "cross-origin")


@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": "http://testserver"}, {"Sec-Fetch-Site": "same-origin"}],
)
def test_our_own_pages_can(ada: TestClient, headers: dict[str, str]) -> None:
    body = {"name": "script", "scopes": ["problems:read"]}
    assert ada.post("/api/v1/me/tokens", json=body, headers=headers).status_code == 201


def test_reading_needs_no_origin(ada: TestClient) -> None:
    assert ada.get("/api/v1/me", headers={"Origin": "https://evil.example"}).status_code == 200
