"""API tokens: what they may do, and when they end."""

from datetime import timedelta

import pytest
from api_world import SLUG, SOURCE, World, add_worker, judgement_of, set_role
from sqlalchemy import select, update
from starlette.testclient import TestClient

from judge.actions.tokens import create_token
from judge.db.tables import account, api_token
from judge.db.types import now
from judge.errors import Invalid

ADA = {"handle": "ada", "password": "correct horse"}
WANTED = {"name": "script", "scopes": ["problems:read", "submissions:write"]}


@pytest.fixture
def browser(world: World) -> TestClient:
    """A browser that has just registered."""
    add_worker(world.database)
    client = world.anonymous()
    assert client.post("/api/v1/auth/register", json=ADA).status_code == 201
    return client


def test_a_token_is_shown_once(world: World, browser: TestClient) -> None:
    made = browser.post("/api/v1/me/tokens", json=WANTED).json()
    assert made["token"].startswith(f"jt_{made['prefix']}_")
    listed = browser.get("/api/v1/me/tokens")
    assert made["token"] not in listed.text
    assert [item["id"] for item in listed.json()["items"]] == [made["id"]]
    with world.database.read() as connection:
        row = connection.execute(select(api_token)).one()
    assert made["token"].split("_", 2)[2] not in str(row)


def test_a_revoked_token_is_useless_at_once(browser: TestClient) -> None:
    made = browser.post("/api/v1/me/tokens", json=WANTED).json()
    with_token = {"Authorization": f"Bearer {made['token']}"}
    assert browser.get("/api/v1/me", headers=with_token).status_code == 200
    # DELETE has no body to declare a type for, so a page must say where it comes from.
    own = {"Origin": "http://testserver"}
    assert browser.delete(f"/api/v1/me/tokens/{made['id']}", headers=own).status_code == 204
    assert browser.get("/api/v1/me", headers=with_token).status_code == 401
    assert browser.get("/api/v1/me/tokens").json() == {"items": []}
    assert browser.delete(f"/api/v1/me/tokens/{made['id']}", headers=own).status_code == 404


def test_a_token_cannot_make_tokens(world: World) -> None:
    client = world.client("learner")
    assert client.get("/api/v1/me/tokens").json()["code"] == "session-only"
    assert client.post("/api/v1/me/tokens", json=WANTED).json()["code"] == "session-only"


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"scopes": []}, "/scopes"),
        ({"scopes": ["everything"]}, "/scopes"),
        ({"name": ""}, "/name"),
        ({"expires_at": "2001-01-01T00:00:00Z"}, "/expires_at"),
        ({"expires_at": "2099-01-01T00:00:00"}, "/expires_at"),
    ],
)
def test_a_token_that_makes_no_sense_is_refused(
    browser: TestClient, changes: dict[str, object], pointer: str
) -> None:
    answer = browser.post("/api/v1/me/tokens", json={**WANTED, **changes})
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "/api/v1/problems", "problems:read"),
        ("GET", f"/api/v1/problems/{SLUG}", "problems:read"),
        ("GET", f"/api/v1/problems/{SLUG}/hints/1", "problems:read"),
        ("GET", f"/api/v1/problems/{SLUG}/solution", "problems:read"),
        ("POST", f"/api/v1/problems/{SLUG}/submissions", "submissions:write"),
        ("GET", "/api/v1/submissions", "submissions:read"),
        ("GET", f"/api/v1/submissions/sub_{'0' * 32}", "submissions:read"),
        ("GET", f"/api/v1/submissions/sub_{'0' * 32}/source", "submissions:read"),
        ("GET", "/api/v1/scores", "scores:read"),
        ("GET", "/api/v1/me/progress", "scores:read"),
    ],
)
def test_each_call_needs_its_scope(world: World, method: str, path: str, scope: str) -> None:
    others = {"problems:read", "submissions:read", "submissions:write", "scores:read"} - {scope}
    body = {"language": "python", "source": SOURCE} if method == "POST" else None
    refused = world.client("learner", *others).request(method, path, json=body)
    assert refused.status_code == 403
    assert refused.json()["code"] == "missing-scope"
    assert refused.json()["needed"] == [scope]
    assert set(refused.json()["have"]) == others
    allowed = world.client("learner", scope).request(method, path, json=body)
    assert allowed.json().get("code") != "missing-scope"


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer ", "Basic YTpi", "Bearer jt_aaaaaaaa_" + "b" * 43, "Bearer jt_x_y", "jt"],
)
def test_a_wrong_token_never_falls_back_to_the_cookie(browser: TestClient, header: str) -> None:
    answer = browser.get("/api/v1/me", headers={"Authorization": header})
    assert (answer.status_code, answer.json()["code"]) == (401, "bad-token")
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_the_secret_must_fit_the_prefix(world: World) -> None:
    mine, theirs = world.token("learner"), world.token("admin")
    forged = "_".join([*theirs.split("_", 2)[:2], mine.split("_", 2)[2]])
    answer = world.anonymous().get("/api/v1/me", headers={"Authorization": f"Bearer {forged}"})
    assert answer.status_code == 401


def test_a_token_ends(world: World) -> None:
    new = create_token(
        world.database,
        world.accounts["learner"],
        "short",
        ["problems:read"],
        now() + timedelta(hours=1),
    )
    header = {"Authorization": f"Bearer {new.secret}"}
    assert world.anonymous().get("/api/v1/me", headers=header).status_code == 200
    with world.database.write() as connection:
        connection.execute(update(api_token).values(expires_at=now()))
    assert world.anonymous().get("/api/v1/me", headers=header).status_code == 401


def test_a_token_has_the_rights_that_its_account_has_now(world: World) -> None:
    identifier = world.submit_and_judge(judgement_of(world.package))
    client = world.client("admin")
    assert client.get(f"/api/v1/submissions/{identifier}").status_code == 200
    set_role(world.database, world.accounts["admin"], "teacher")
    assert client.get(f"/api/v1/submissions/{identifier}").status_code == 404
    with world.database.write() as connection:
        connection.execute(update(account).values(state="disabled"))
    assert client.get("/api/v1/me").status_code == 401


def test_the_last_use_is_noted(world: World) -> None:
    world.client("learner").get("/api/v1/me")
    with world.database.read() as connection:
        assert connection.scalar(select(api_token.c.last_used_at)) is not None


def test_a_naive_end_is_refused_by_the_action_too(world: World) -> None:
    with pytest.raises(Invalid):
        create_token(
            world.database,
            world.accounts["learner"],
            "x",
            ["problems:read"],
            now().replace(tzinfo=None) + timedelta(days=1),
        )
