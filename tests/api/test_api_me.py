"""The own account: what it says, its password, and where it is signed in."""

import threading
from typing import Any

import pytest
from api_world import World
from sqlalchemy import insert, select, update
from starlette.testclient import TestClient

from judge.actions.passwords import hash_password
from judge.actions.sessions import MAX_SESSIONS, Origin, open_session, sign_in
from judge.api.sign_in_limit import MAX_FAILURES
from judge.db.tables import account, credential, session, submission
from judge.db.types import new_id, now
from judge.errors import Unauthenticated

ME = "/api/v1/me"
CHANGE = {"old": "correct horse", "new": "battery staple"}


@pytest.fixture
def browser(world: World) -> TestClient:
    return world.browser("learner")


@pytest.fixture
def password(world: World) -> str:
    """The learner gets a password."""
    with world.database.write() as connection:
        connection.execute(
            insert(credential).values(
                id=new_id(),
                account_id=world.accounts["learner"],
                kind="password",
                subject=world.accounts["learner"],
                secret_hash=hash_password(CHANGE["old"]),
                created_at=now(),
            )
        )
    return CHANGE["old"]


def change(client: TestClient, **body: Any) -> Any:
    tag = client.get(ME).headers["etag"]
    return client.patch(ME, json=body, headers={"If-Match": tag})


def test_what_is_not_named_stays(browser: TestClient) -> None:
    before = browser.get(ME).json()
    answer = change(browser, display_name="Ada Lovelace", time_zone="Asia/Ho_Chi_Minh")
    assert answer.status_code == 200, answer.text
    changed = {"display_name": "Ada Lovelace", "time_zone": "Asia/Ho_Chi_Minh"}
    assert answer.json() == {**before, **changed}
    assert browser.get(ME).headers["etag"] == answer.headers["etag"]


def test_an_address_is_given_changed_and_taken_away(browser: TestClient) -> None:
    assert change(browser, email="Ada@Example.org").json()["email"] == "Ada@Example.org"
    assert change(browser, email="ada@example.org").json()["email"] == "ada@example.org"
    assert change(browser, locale="ja").json()["email"] == "ada@example.org"
    assert change(browser, email=None).json()["email"] is None


def test_preferences_come_whole(browser: TestClient) -> None:
    assert browser.get(ME).json()["prefs"] == {
        "theme": "system",
        "language": "python",
        "editor_font_px": 14,
        "editor_keys": "default",
    }
    assert change(browser, prefs={"theme": "dark"}).json()["prefs"]["theme"] == "dark"
    kept = change(browser, prefs={"language": "cpp"}).json()["prefs"]
    assert (kept["theme"], kept["language"]) == ("system", "cpp")


@pytest.mark.parametrize(
    ("stored", "field", "shown"),
    [({"theme": "sepia", "language": "java"}, "language", "java"), ({"old": 1}, "theme", "system")],
)
def test_preferences_that_are_no_longer_offered_are_not_shown(
    world: World, stored: dict[str, Any], field: str, shown: str
) -> None:
    with world.database.write() as connection:
        connection.execute(update(account).values(prefs=stored))
    assert world.browser("learner").get(ME).json()["prefs"][field] == shown


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"email": "nowhere"}, "/email"),
        ({"locale": "fr"}, "/locale"),
        ({"time_zone": "Mars/Olympus"}, "/time_zone"),
        ({"display_name": "x" * 65}, "/display_name"),
        ({"display_name": "a\u202eb"}, "/display_name"),
        ({"handle": "eve"}, "/handle"),
        ({"role": "admin"}, "/role"),
        ({"prefs": {"theme": "sepia"}}, "/prefs/theme"),
        ({"prefs": {"editor_font_px": 900}}, "/prefs/editor_font_px"),
        ({"prefs": {"other": 1}}, "/prefs/other"),
    ],
)
def test_what_breaks_a_rule_is_named(
    browser: TestClient, body: dict[str, Any], pointer: str
) -> None:
    answer = change(browser, **body)
    assert answer.status_code == 422
    assert [one["pointer"] for one in answer.json()["errors"]] == [pointer]


def test_a_change_names_what_was_read(browser: TestClient) -> None:
    assert browser.patch(ME, json={"locale": "ja"}).status_code == 428
    tag = browser.get(ME).headers["etag"]
    assert change(browser, locale="ja").status_code == 200
    stale = browser.patch(ME, json={"locale": "vi"}, headers={"If-Match": tag})
    assert (stale.status_code, stale.json()["code"]) == (412, "if-match-failed")
    assert browser.get(ME).json()["locale"] == "ja"


def test_of_two_changes_at_once_one_counts(world: World) -> None:
    first = world.browser("learner")
    tag = first.get(ME).headers["etag"]
    statuses: list[int] = []

    def attempt(name: str) -> None:
        client = TestClient(world.app, headers=dict(first.headers), cookies=dict(first.cookies))
        answer = client.patch(ME, json={"display_name": name}, headers={"If-Match": tag})
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=attempt, args=(f"Name {one}",)) for one in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 412, 412, 412]


def test_another_time_zone_moves_no_day_of_the_past(world: World, browser: TestClient) -> None:
    world.submit("learner")
    with world.database.read() as connection:
        before = connection.scalars(select(submission.c.local_date)).all()
    assert change(browser, time_zone="Pacific/Kiritimati").status_code == 200
    with world.database.read() as connection:
        assert connection.scalars(select(submission.c.local_date)).all() == before


def test_a_token_changes_neither_account_nor_password(world: World) -> None:
    client = world.client("learner")
    for refused in (
        client.patch(ME, json={"locale": "ja"}, headers={"If-Match": "*"}),
        client.post(f"{ME}/password", json=CHANGE),
        client.get(f"{ME}/sessions"),
    ):
        assert (refused.status_code, refused.json()["code"]) == (403, "session-only")


def test_a_new_password_ends_every_other_way_in(
    world: World, browser: TestClient, password: str
) -> None:
    elsewhere, script = world.browser("learner"), world.token("learner")
    earlier = dict(browser.cookies)
    answer = browser.post(f"{ME}/password", json=CHANGE)
    assert (answer.status_code, answer.content) == (204, b"")
    # This browser goes on, with a new cookie: whoever has a copy of the old one does not.
    assert browser.cookies["judge_session"] != earlier["judge_session"]
    assert browser.get(ME).status_code == 200
    assert elsewhere.get(ME).status_code == 401
    assert TestClient(world.app, cookies=earlier).get(ME).status_code == 401
    bearer = {"Authorization": f"Bearer {script}"}
    assert world.anonymous().get(ME, headers=bearer).status_code == 401
    with pytest.raises(Unauthenticated):
        sign_in(world.database, "learner", password, Origin())
    assert sign_in(world.database, "learner", CHANGE["new"], Origin()).cookie


def test_without_the_old_password_there_is_no_new_one(browser: TestClient, password: str) -> None:
    wrong = browser.post(f"{ME}/password", json={**CHANGE, "old": "guess"})
    assert (wrong.status_code, wrong.json()["code"]) == (401, "wrong-password")
    short = browser.post(f"{ME}/password", json={**CHANGE, "new": "short"})
    assert short.status_code == 422
    assert [one["pointer"] for one in short.json()["errors"]] == ["/new"]
    assert browser.get(ME).status_code == 200


def test_guesses_at_the_old_password_count_as_failed_sign_ins(browser: TestClient) -> None:
    for _ in range(MAX_FAILURES):
        browser.post(f"{ME}/password", json={**CHANGE, "old": "guess"})
    answer = browser.post(f"{ME}/password", json=CHANGE)
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-sign-ins")
    login = {"handle": "learner", "password": "guess"}
    assert browser.post("/api/v1/auth/login", json=login).status_code == 429


def test_of_two_password_changes_at_once_one_counts(world: World, password: str) -> None:
    statuses: list[int] = []

    def attempt(client: TestClient, new: str) -> None:
        answer = client.post(f"{ME}/password", json={**CHANGE, "new": new})
        statuses.append(answer.status_code)

    threads = [
        threading.Thread(target=attempt, args=(world.browser("learner"), f"another horse {one}"))
        for one in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [204, 401]
    with world.database.read() as connection:
        assert len(connection.execute(select(session)).all()) == 1


def test_sessions_are_listed_by_what_opens_nothing(world: World, browser: TestClient) -> None:
    elsewhere = world.browser("learner")
    world.browser("other")
    items = browser.get(f"{ME}/sessions").json()["items"]
    assert len(items) == 2
    assert sorted(one["is_current"] for one in items) == [False, True]
    assert items[0]["network"] == "192.0.2.0/24"
    for client in (browser, elsewhere):
        assert client.cookies["judge_session"] not in str(items)
    # The id is no cookie either.
    stolen = {"judge_session": items[0]["id"].removeprefix("ses_")}
    assert TestClient(world.app, cookies=stolen).get(ME).status_code == 401


def test_one_session_is_ended_from_another(world: World, browser: TestClient) -> None:
    elsewhere, foreign = world.browser("learner"), world.browser("other")
    items = browser.get(f"{ME}/sessions").json()["items"]
    other = next(one["id"] for one in items if not one["is_current"])
    assert foreign.delete(f"{ME}/sessions/{other}").status_code == 404
    assert browser.delete(f"{ME}/sessions/{other}").status_code == 204
    assert elsewhere.get(ME).status_code == 401
    assert browser.get(ME).status_code == 200
    assert browser.delete(f"{ME}/sessions/{other}").status_code == 404
    assert browser.delete(f"{ME}/sessions/%25").status_code == 404


def test_an_account_has_fifty_sessions_at_most(world: World, browser: TestClient) -> None:
    with world.database.write() as connection:
        for _ in range(MAX_SESSIONS):
            open_session(connection, world.accounts["learner"], Origin())
    # The one that was used least lately is the first that ends.
    assert browser.get(ME).status_code == 401
    with world.database.read() as connection:
        assert len(connection.execute(select(session)).all()) == MAX_SESSIONS
