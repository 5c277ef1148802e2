"""Taking the own data along, going, and thinking again: with a cookie, never with a token."""

import io
import zipfile
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from api_world import (
    BOX_CANARIES,
    HIDDEN_CANARIES,
    LOCKED_CANARIES,
    SLUG,
    SOURCE,
    World,
    hidden_failure,
    judgement_of,
)
from sqlalchemy import insert, update

from judge.actions.passwords import hash_password
from judge.actions.sessions import hash_secret
from judge.api.deps import COOKIE
from judge.db.tables import account, credential, session
from judge.db.types import new_id, now
from judge.worker.housekeeper import run_round

PASSWORD = "a long enough password"  # noqa: S105 - of nobody
OURS = {"Sec-Fetch-Site": "same-origin"}
EXPORTS = "/api/v1/me/exports"


@cache
def password_hash() -> str:
    return hash_password(PASSWORD)


def sign_in(world: World, who: str) -> Any:
    """The client with a fresh session of an account."""
    cookie, moment = new_id(), now()
    with world.database.write() as connection:
        connection.execute(
            insert(session).values(
                id_hash=hash_secret(cookie),
                account_id=world.accounts[who],
                created_at=moment,
                seen_at=moment,
                expires_at=moment + timedelta(days=1),
                ip_prefix="",
                user_agent="",
            )
        )
    client = world.anonymous()
    client.cookies.set(COOKIE, cookie)
    return client


def add_password(world: World, who: str) -> None:
    with world.database.write() as connection:
        connection.execute(
            insert(credential).values(
                id=new_id(),
                account_id=world.accounts[who],
                kind="password",
                subject=world.accounts[who],
                secret_hash=password_hash(),
                created_at=now(),
            )
        )


def erase(client: Any, password: str = PASSWORD) -> Any:
    return client.request("DELETE", "/api/v1/me", json={"password": password})


def end_grace(world: World, who: str) -> None:
    with world.database.write() as connection:
        connection.execute(
            update(account)
            .where(account.c.id == world.accounts[who])
            .values(erase_after=now() - timedelta(seconds=1))
        )


def test_an_export_is_asked_for_made_and_downloaded(world: World) -> None:
    submission = world.submit_and_judge(judgement_of(world.package))
    client = sign_in(world, "learner")
    asked = client.post("/api/v1/me/export", headers=OURS)
    assert (asked.status_code, asked.json()["state"]) == (202, "queued")
    path = f"{EXPORTS}/{asked.json()['id']}"
    assert asked.headers["location"] == path
    early = client.get(f"{path}/archive")
    assert (early.status_code, early.json()["code"]) == (409, "export-not-ready")
    again = client.post("/api/v1/me/export", headers=OURS)
    assert (again.status_code, again.json()["code"]) == (409, "export-open")
    assert again.json()["export"] == asked.json()["id"]
    assert run_round(world.database)["exports made"] == 1
    ready = client.get(path).json()
    zipped = client.get(ready["archive"])
    assert (ready["state"], ready["bytes"]) == ("ready", len(zipped.content))
    assert zipped.headers["content-disposition"].startswith("attachment")
    assert zipped.headers["cache-control"] == "private, no-store"
    archive = zipfile.ZipFile(io.BytesIO(zipped.content))
    assert archive.read(f"submissions/{SLUG}/{submission}.py").decode() == SOURCE
    for who in ("other", "admin"):
        assert sign_in(world, who).get(path).status_code == 404
        assert sign_in(world, who).get(f"{path}/archive").status_code == 404


def test_an_export_holds_no_hidden_data(world: World) -> None:
    case = hidden_failure()
    world.submit_and_judge(judgement_of(world.package, {case.id: case}))
    world.client("learner").get(f"/api/v1/problems/{SLUG}/solution")
    client = sign_in(world, "learner")
    identifier = client.post("/api/v1/me/export", headers=OURS).json()["id"]
    run_round(world.database)
    content = client.get(f"{EXPORTS}/{identifier}/archive").content
    archive = zipfile.ZipFile(io.BytesIO(content))
    everything = "\n".join(archive.read(name).decode() for name in archive.namelist())
    assert "runtime_error" in everything
    for canary in HIDDEN_CANARIES + BOX_CANARIES + LOCKED_CANARIES:
        assert canary not in everything, canary


def test_no_token_exports_or_erases(world: World) -> None:
    client = world.client("learner")
    for answer in (client.post("/api/v1/me/export"), erase(client)):
        assert (answer.status_code, answer.json()["code"]) == (403, "session-only")


def test_a_foreign_page_erases_nobody(world: World) -> None:
    client = sign_in(world, "learner")
    for method, path in (
        ("DELETE", "/api/v1/me"),
        ("POST", "/api/v1/me/export"),
        ("POST", "/api/v1/me/restore"),
    ):
        headers = {"Sec-Fetch-Site": "cross-site"}
        refused = client.request(method, path, json={"password": PASSWORD}, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "cross-origin")


def test_an_account_is_erased_after_its_grace_and_its_name_is_nowhere(world: World) -> None:
    add_password(world, "learner")
    submission = world.submit_and_judge(judgement_of(world.package))
    world.client("learner").post(
        f"/api/v1/problems/{SLUG}/feedback", json={"kind": "idea", "body": "x"}
    )
    client = sign_in(world, "learner")
    asked = erase(client)
    assert asked.status_code == 202
    assert client.get("/api/v1/me").json()["erase_after"] == asked.json()["erase_after"]
    end_grace(world, "learner")
    run_round(world.database)
    assert client.get("/api/v1/me").status_code == 401
    admin = world.client("admin")
    source = admin.get(f"/api/v1/submissions/{submission}/source")
    assert (source.status_code, source.json()["code"]) == (404, "source-erased")
    paths = (f"/submissions/{submission}", "/submissions?account=*", "/scores?account=*")
    for path in (*paths, "/feedback", "/admin/rejudges"):
        answer = admin.get(f"/api/v1{path}")
        assert answer.status_code == 200
        assert '"learner"' not in answer.text
    (score,) = admin.get("/api/v1/scores?account=*").json()["items"]
    assert (score["score"], score["handle"][:7]) == (100.0, "erased:")


def test_it_can_be_restored_before(world: World) -> None:
    add_password(world, "learner")
    token = world.token("learner")
    other = sign_in(world, "learner").cookies[COOKIE]
    client = sign_in(world, "learner")
    assert erase(client).status_code == 202
    assert client.post("/api/v1/me/restore", headers=OURS).status_code == 204
    assert client.post("/api/v1/me/restore", headers=OURS).status_code == 204
    assert client.get("/api/v1/me").json()["erase_after"] is None
    client = world.anonymous()
    client.cookies.set(COOKIE, other)
    assert client.get("/api/v1/me").status_code == 401
    client = world.anonymous()
    headers = {"Authorization": f"Bearer {token}"}
    assert client.get("/api/v1/me", headers=headers).status_code == 401


def test_a_wrong_password_is_refused_and_counted(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What costs time here is not what is tried.
    monkeypatch.setattr("judge.actions.erase_account.check_password", lambda *_: False)
    client = sign_in(world, "learner")
    seen = [erase(client, "wrong").status_code for _ in range(11)]
    assert seen == [401] * 10 + [429]


def test_the_last_admin_is_told_so(world: World) -> None:
    add_password(world, "admin")
    refused = erase(sign_in(world, "admin"))
    assert (refused.status_code, refused.json()["code"]) == (409, "last-admin")
