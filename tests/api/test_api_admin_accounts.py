"""Admins and accounts: lists, roles, disabling, the last admin, imports, the audit log."""

import threading
from typing import Any

import pytest
from api_world import World, add_worker
from sqlalchemy import func, select, update
from starlette.testclient import TestClient

from judge.actions.sessions import Origin, sign_in
from judge.db.tables import account, audit_log, credential, one_time_link
from judge.i18n import LOCALES

ACCOUNTS = "/api/v1/admin/accounts"
IMPORT = "/api/v1/admin/accounts:import"
AUDIT = "/api/v1/admin/audit"
USE = "/api/v1/auth/links:use"


@pytest.fixture
def admin(world: World) -> TestClient:
    return world.browser("admin")


def path_of(world: World, handle: str) -> str:
    return f"{ACCOUNTS}/acc_{world.accounts[handle]}"


def change(client: TestClient, path: str, **body: Any) -> Any:
    tag = client.get(path).headers["etag"]
    return client.patch(path, json=body, headers={"If-Match": tag})


def count(world: World, table: Any) -> int:
    with world.database.read() as connection:
        return connection.scalar(select(func.count()).select_from(table)) or 0


def entries(client: TestClient) -> list[dict[str, Any]]:
    """What the log says of accounts; that a problem was published stands there too."""
    items = client.get(AUDIT).json()["items"]
    return [one for one in items if one["action"].startswith("account.")]


def handles(answer: Any) -> list[str]:
    return [one["handle"] for one in answer.json()["items"]]


def test_accounts_come_in_pages(world: World, admin: TestClient) -> None:
    whole = handles(admin.get(ACCOUNTS))
    assert whole == ["learner", "other", "teacher", "admin"]
    first = admin.get(ACCOUNTS, params={"limit": 3})
    assert first.headers["link"] == f'<{first.json()["next"]}>; rel="next"'
    assert handles(first) + handles(admin.get(first.json()["next"])) == whole


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"q": "EACH"}, ["teacher"]),
        ({"q": "ngọc"}, ["other"]),
        ({"q": "@example"}, ["other"]),
        ({"q": "%"}, []),
        ({"q": "_"}, []),
        ({"role": "learner"}, ["learner", "other"]),
        ({"state": "disabled"}, ["learner"]),
        ({"role": "learner", "state": "active"}, ["other"]),
    ],
)
def test_accounts_are_found(
    world: World, admin: TestClient, query: dict[str, str], found: list[str]
) -> None:
    with world.database.write() as connection:
        connection.execute(
            update(account)
            .where(account.c.handle == "other")
            .values(display_name="Nguyễn ngọc", email="o@example.org", email_key="o@example.org")
        )
        connection.execute(
            update(account).where(account.c.handle == "learner").values(state="disabled")
        )
    assert handles(admin.get(ACCOUNTS, params=query)) == found


def test_an_account_shows_no_secret(world: World, admin: TestClient) -> None:
    shown = admin.get(path_of(world, "learner")).json()
    assert set(shown) == {
        "id",
        "handle",
        "display_name",
        "email",
        "role",
        "state",
        "locale",
        "time_zone",
        "created_at",
    }
    assert admin.get(f"{ACCOUNTS}/acc_{'0' * 32}").status_code == 404


def test_a_role_is_given_and_audited(world: World, admin: TestClient) -> None:
    changed = change(admin, path_of(world, "learner"), role="teacher")
    assert (changed.status_code, changed.json()["role"]) == (200, "teacher")
    (entry,) = entries(admin)
    assert (entry["actor"], entry["action"]) == ("admin", "account.change")
    assert entry["target"] == f"acc_{world.accounts['learner']}"
    found = admin.get(AUDIT, params={"target": entry["target"]}).json()["items"]
    assert [one["id"] for one in found] == [entry["id"]]
    assert (entry["before"], entry["after"]) == ({"role": "learner"}, {"role": "teacher"})
    # Nothing changes, nothing is written down.
    assert change(admin, path_of(world, "learner"), role="teacher").status_code == 200
    assert len(entries(admin)) == 1


def test_the_log_keeps_no_name(world: World, admin: TestClient) -> None:
    """It outlives an erasure."""
    assert (
        change(admin, path_of(world, "learner"), display_name="Nobody Special").status_code == 200
    )
    with world.database.read() as connection:
        assert "Nobody Special" not in str(connection.execute(select(audit_log)).all())


def test_accounts_passwords_and_tokens_are_audited(world: World, admin: TestClient) -> None:
    browser = TestClient(world.app, headers={"Origin": "http://testserver"})
    person = {"handle": "dung", "password": "correct horse", "locale": "vi", "time_zone": "UTC"}
    add_worker(world.database)
    assert browser.post("/api/v1/auth/register", json=person).status_code == 201
    token = browser.post("/api/v1/me/tokens", json={"name": "n", "scopes": ["scores:read"]}).json()
    assert browser.delete(f"/api/v1/me/tokens/{token['id']}").status_code == 204
    passwords = {"old": "correct horse", "new": "battery staple"}
    assert browser.post("/api/v1/me/password", json=passwords).status_code == 204
    found = admin.get(AUDIT, params={"actor": "dung"}).json()["items"]
    assert [one["action"] for one in found] == [
        "account.password",
        "token.revoke",
        "token.create",
        "account.register",
    ]
    own = browser.get("/api/v1/me").json()["id"]
    assert found[2]["after"] == {"account": own, "scopes": ["scores:read"]}
    assert [one["target"] for one in found] == [own, token["id"], token["id"], own]


def test_a_change_names_what_was_read(world: World, admin: TestClient) -> None:
    path = path_of(world, "learner")
    assert admin.patch(path, json={"role": "teacher"}).status_code == 428
    tag = admin.get(path).headers["etag"]
    change(admin, path, role="teacher")
    stale = admin.patch(path, json={"role": "admin"}, headers={"If-Match": tag})
    assert (stale.status_code, stale.json()["code"]) == (412, "if-match-failed")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"role": "owner"}, "/role"),
        ({"state": "erased"}, "/state"),
        ({"display_name": "\n"}, "/display_name"),
        ({"handle": "eve"}, "/handle"),
        ({"email": "e@example.org"}, "/email"),
    ],
)
def test_what_breaks_a_rule_is_named(
    world: World, admin: TestClient, body: dict[str, Any], pointer: str
) -> None:
    answer = change(admin, path_of(world, "learner"), **body)
    assert answer.status_code == 422
    assert [one["pointer"] for one in answer.json()["errors"]] == [pointer]


def test_who_is_disabled_is_out_at_once_and_for_good(world: World, admin: TestClient) -> None:
    browser, script = world.browser("learner"), world.token("learner")
    bearer = {"Authorization": f"Bearer {script}"}
    link = admin.post(f"{path_of(world, 'learner')}/reset-link", json={}).json()["token"]
    assert change(admin, path_of(world, "learner"), state="disabled").status_code == 200
    for _ in range(2):
        assert browser.get("/api/v1/me").status_code == 401
        assert TestClient(world.app).get("/api/v1/me", headers=bearer).status_code == 401
        used = TestClient(world.app).post(USE, json={"token": link, "password": "correct horse"})
        assert used.status_code == 410
        # Active again, it has to sign in anew.
        assert change(admin, path_of(world, "learner"), state="active").status_code == 200


@pytest.mark.parametrize("body", [{"role": "teacher"}, {"role": "learner"}, {"state": "disabled"}])
def test_the_last_admin_stays_one(world: World, admin: TestClient, body: dict[str, str]) -> None:
    """Walk T14: refused with a sentence."""
    path = path_of(world, "admin")
    tag = admin.get(path).headers["etag"]
    sentences = set()
    for locale in LOCALES:
        refused = admin.patch(path, json=body, headers={"If-Match": tag}, params={"locale": locale})
        assert (refused.status_code, refused.json()["code"]) == (409, "last-admin")
        sentences.add(refused.json()["detail"])
    assert len(sentences) == len(LOCALES)
    assert admin.get(path).json()["role"] == "admin"
    assert entries(admin) == []
    assert change(admin, path_of(world, "teacher"), role="admin").status_code == 200
    assert change(admin, path, **body).status_code == 200
    assert admin.get(ACCOUNTS).status_code in (401, 403)


def test_a_disabled_admin_is_no_admin_left(world: World, admin: TestClient) -> None:
    change(admin, path_of(world, "teacher"), role="admin")
    change(admin, path_of(world, "teacher"), state="disabled")
    assert change(admin, path_of(world, "admin"), role="learner").status_code == 409


def test_admins_who_demote_each_other_at_once_leave_one(world: World, admin: TestClient) -> None:
    for handle in ("teacher", "other"):
        change(admin, path_of(world, handle), role="admin")
    names = ("admin", "teacher", "other")
    clients = {name: world.browser(name) for name in names}
    victims = dict(zip(names, (*names[1:], names[0]), strict=True))
    tags = {name: admin.get(path_of(world, name)).headers["etag"] for name in names}
    statuses: list[int] = []

    def demote(who: str) -> None:
        victim = victims[who]
        answer = clients[who].patch(
            path_of(world, victim), json={"role": "learner"}, headers={"If-Match": tags[victim]}
        )
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=demote, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with world.database.read() as connection:
        admins = connection.scalars(select(account.c.id).where(account.c.role == "admin")).all()
    assert len(admins) >= 1
    assert set(statuses) <= {200, 403, 409}


def test_an_erased_account_stays_erased(world: World, admin: TestClient) -> None:
    with world.database.write() as connection:
        connection.execute(
            update(account).where(account.c.handle == "other").values(state="erased")
        )
    refused = change(admin, path_of(world, "other"), state="active")
    assert (refused.status_code, refused.json()["code"]) == (409, "account-erased")


ROWS = [
    {"handle": "an", "email": "an@example.org"},
    {"handle": "binh", "display_name": "Trần Bình", "role": "teacher", "locale": "vi"},
    {"handle": "learner", "display_name": "Somebody else"},
    {"handle": "chi", "email": "nowhere", "role": "admin", "time_zone": "Mars"},
    {"handle": "BINH"},
]
TABLE = (
    "\ufeffHandle;display_name;email;role;locale;time_zone\r\n"
    "an;;an@example.org;;;\r\n"
    "binh;Trần Bình;;teacher;vi;\r\n"
    ";;;;;\r\n"
    "learner;Somebody else;;;;\r\n"
    "chi;;nowhere;admin;;Mars\r\n"
    "BINH;;;;;\r\n"
)
ERRORS = [
    (1, "/accounts/0/handle", "handle"),
    (4, "/accounts/3/email", "email"),
    (4, "/accounts/3/time_zone", "time-zone"),
    (4, "/accounts/3/role", "choice"),
    (5, "/accounts/4/handle", "handle-twice"),
]


@pytest.mark.parametrize("as_table", [False, True])
def test_a_dry_run_names_every_bad_row_and_makes_nothing(
    world: World, admin: TestClient, as_table: bool
) -> None:
    before = count(world, account)
    if as_table:
        answer = admin.post(
            f"{IMPORT}?dry_run=true", content=TABLE, headers={"Content-Type": "text/csv"}
        )
    else:
        answer = admin.post(f"{IMPORT}?dry_run=true", json={"accounts": ROWS})
    assert answer.status_code == 200, answer.text
    report = answer.json()
    assert (report["dry_run"], report["applied"]) == (True, False)
    assert [(one["row"], one["handle"]) for one in report["added"]] == [(2, "binh")]
    assert [(one["row"], one["handle"]) for one in report["unchanged"]] == [(3, "learner")]
    assert [(one["row"], one["pointer"], one["code"]) for one in report["errors"]] == ERRORS
    assert all(one["message"] for one in report["errors"])
    assert count(world, account) == before


def test_a_bad_row_stops_the_import_unless_the_rest_is_confirmed(
    world: World, admin: TestClient
) -> None:
    before = count(world, account)
    stopped = admin.post(IMPORT, json={"accounts": ROWS})
    assert (stopped.status_code, stopped.json()["code"]) == (422, "import-invalid")
    assert stopped.json()["rows"] == [1, 4, 5]
    named = [(one["pointer"], one["code"]) for one in stopped.json()["errors"]]
    assert named == [(pointer, code) for _, pointer, code in ERRORS]
    assert count(world, account) == before
    report = admin.post(f"{IMPORT}?apply_valid=true", json={"accounts": ROWS}).json()
    assert (report["applied"], [one["handle"] for one in report["added"]]) == (True, ["binh"])
    assert count(world, account) == before + 1
    # The one who was there is as before.
    assert admin.get(path_of(world, "learner")).json()["display_name"] == "learner"
    (entry,) = entries(admin)
    assert (entry["action"], entry["after"]) == ("account.import", {"added": 1})


def test_each_imported_account_gets_a_link_for_its_first_password(
    world: World, admin: TestClient
) -> None:
    rows = [{"handle": "binh", "role": "teacher"}, {"handle": "chi"}]
    first, second = admin.post(IMPORT, json={"accounts": rows}).json()["added"]
    assert count(world, credential) == 0
    client = TestClient(world.app)
    told = client.post("/api/v1/auth/links:check", json={"token": first["link"]["token"]}).json()
    assert (told["handle"], told["purpose"]) == ("binh", "invitation")
    used = client.post(USE, json={"token": first["link"]["token"], "password": "correct horse"})
    assert (used.status_code, used.json()["role"]) == (200, "teacher")
    assert sign_in(world.database, "binh", "correct horse", Origin()).account.handle == "binh"
    assert second["link"]["url"].startswith("/invitation?token=")


def test_the_same_list_once_more_makes_nothing(world: World, admin: TestClient) -> None:
    rows = [{"handle": "binh", "email": "b@example.org"}, {"handle": "chi"}]
    assert len(admin.post(IMPORT, json={"accounts": rows}).json()["added"]) == 2
    links = count(world, one_time_link)
    again = admin.post(IMPORT, json={"accounts": rows}).json()
    assert (again["added"], again["errors"]) == ([], [])
    assert [one["handle"] for one in again["unchanged"]] == ["binh", "chi"]
    assert count(world, one_time_link) == links


def test_two_imports_of_one_list_at_once_make_each_account_once(world: World) -> None:
    clients = [world.browser("admin") for _ in range(2)]
    rows = [{"handle": f"pupil-{one}"} for one in range(20)]
    statuses: list[int] = []

    def attempt(client: TestClient) -> None:
        statuses.append(client.post(IMPORT, json={"accounts": rows}).status_code)

    threads = [threading.Thread(target=attempt, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 200 in statuses
    assert set(statuses) <= {200, 409}
    assert count(world, account) == 4 + len(rows)
    assert count(world, one_time_link) == len(rows)


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        ("handle\nbinh\n".encode("utf-16"), 422, "unreadable-table"),
        (b'handle\n"binh\n', 422, "unreadable-table"),
        (b"", 422, "invalid-table"),
        (b"handle\n", 422, "invalid-table"),
        (b"handle,password\nbinh,secret\n", 422, "invalid-table"),
        (b"handle\nbinh,too,many\n", 422, "invalid-table"),
        (b"name\nbinh\n", 422, "invalid-table"),
        (b"handle\nbi\0nh\n", 422, "invalid-table"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(
    world: World, admin: TestClient, content: bytes, status: int, code: str
) -> None:
    answer = admin.post(
        IMPORT, content=content, headers={"Content-Type": "text/csv; charset=utf-8"}
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert count(world, account) == 4


def test_a_list_has_an_end(admin: TestClient) -> None:
    rows = [{"handle": f"pupil-{one}"} for one in range(1001)]
    answer = admin.post(IMPORT, json={"accounts": rows})
    assert [one["code"] for one in answer.json()["errors"]] == ["too-many-items"]


def test_the_audit_log_is_read_in_pages_and_parts(world: World, admin: TestClient) -> None:
    script = world.client("admin", "admin:accounts")
    change(script, path_of(world, "learner"), role="teacher")
    change(admin, path_of(world, "teacher"), role="admin")
    change(world.browser("teacher"), path_of(world, "learner"), role="learner")
    newest, middle, oldest = entries(admin)
    assert [one["actor"] for one in (newest, middle, oldest)] == ["teacher", "admin", "admin"]
    assert oldest["token_id"].startswith("tok_")
    assert middle["token_id"] is None
    first = admin.get(AUDIT, params={"limit": 2})
    rest = admin.get(first.json()["next"])
    assert (first.json()["items"] + rest.json()["items"])[:3] == [newest, middle, oldest]
    for query, found in (
        ({"actor": "Teacher"}, [newest]),
        ({"action": "account.import"}, []),
        ({"target": f"account:{world.accounts['learner']}"}, [newest, oldest]),
        ({"since": newest["at"]}, [newest]),
    ):
        assert admin.get(AUDIT, params=query).json()["items"] == found, query
    assert admin.get(AUDIT, params={"actor": "nobody"}).status_code == 404
    for since in (
        "yesterday",
        "0.5",
        "2026-09-01",
        "2026-09-01T02:03:04",
        "0001-01-01T00:00:00+14:00",
    ):
        assert admin.get(AUDIT, params={"since": since}).status_code == 422


@pytest.mark.parametrize(
    ("scope", "accounts", "audit"),
    [
        ("admin:accounts", 200, 200),
        ("admin:ops", 403, 200),
        ("admin:problems", 403, 403),
    ],
)
def test_a_token_needs_the_scope(world: World, scope: str, accounts: int, audit: int) -> None:
    client = world.client("admin", scope)
    assert client.get(ACCOUNTS).status_code == accounts
    refused = client.get(AUDIT)
    assert refused.status_code == audit
    if audit == 403:
        assert refused.json()["code"] == "missing-scope"
        assert refused.json()["needed"]
