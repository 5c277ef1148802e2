"""A refusal says what it is about, and what to do instead."""

from typing import Any

import pytest
from api_world import SLUG, World
from class_world import ClassWorld
from upload_calls import named, upload

from judge.actions.reset_link import make_reset_link_for_handle
from judge.i18n import LOCALES, catalogue

ME = "/api/v1/me"
PASSWORD = "correct horse"  # noqa: S105 - of accounts that tests make
DRAFT = f"/api/v1/problems/{SLUG}/drafts/python"


def told(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The problem document of an answer that is refused like this."""
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    return dict(answer.json())


def messages(document: dict[str, Any]) -> list[str]:
    return [one["message"] for one in document["errors"]]


@pytest.mark.parametrize("locale", LOCALES)
def test_a_wrong_password_is_not_titled_as_if_nobody_were_signed_in(
    world: World, locale: str
) -> None:
    body = {"handle": "learner", "password": "of somebody else"}
    login = world.anonymous().post(f"/api/v1/auth/login?locale={locale}", json=body)
    assert (
        told(login, 401, "bad-credentials")["title"] == catalogue(locale)["title.bad-credentials"]
    )
    browser = world.browser("learner")
    change = browser.post(f"{ME}/password?locale={locale}", json={"old": "x", "new": PASSWORD})
    erase = browser.request("DELETE", f"{ME}?locale={locale}", json={"password": "x"})
    for answer in (change, erase):
        title = told(answer, 401, "wrong-password")["title"]
        assert title == catalogue(locale)["title.wrong-password"]
    assert told(world.anonymous().get(ME), 401, "not-signed-in")["title"] == "Sign in first"


def test_a_profile_that_breaks_a_rule_is_no_account_that_is_not_created(world: World) -> None:
    browser = world.browser("learner")
    etag = browser.get(ME).headers["etag"]
    answer = browser.patch(ME, json={"time_zone": "Mars/Base"}, headers={"If-Match": etag})
    assert "cannot be changed" in told(answer, 422, "invalid-account")["detail"]


def test_a_link_for_a_password_says_what_it_is_for(world: World) -> None:
    link = make_reset_link_for_handle(world.database, "learner")
    body = {"token": link.secret, "password": PASSWORD, "handle": "ada"}
    answer = world.anonymous().post("/api/v1/auth/links:use", json=body)
    assert "sets the password" in told(answer, 422, "invalid-account")["detail"]


def test_what_was_used_is_no_longer_valid_and_not_taken_away(world: World) -> None:
    answer = world.client("learner").post("/api/v1/classes/join", json={"code": "AAAA-AAAA"})
    assert told(answer, 410, "join-code-dead")["title"] == "No longer valid"


def test_the_first_save_of_a_draft_is_told_what_it_needs(world: World) -> None:
    client = world.client("learner")
    saved = told(client.put(DRAFT, json={"source": "x"}), 428, "if-match-missing")
    assert "If-None-Match: *" in saved["detail"]
    dropped = told(client.delete(DRAFT), 428, "if-match-missing")
    assert "If-None-Match" not in dropped["detail"]


class TestACookieOutsideTheJudgesPages:
    def test_is_explained_to_a_program(self, world: World) -> None:
        browser = world.browser("learner")
        del browser.headers["Origin"]
        answer = browser.post(f"{ME}/export", content=b"x", headers={"Content-Type": "text/plain"})
        detail = told(answer, 403, "cross-origin")["detail"]
        assert "token" in detail
        assert "Content-Type: application/json" in detail

    def test_is_only_refused_to_a_page(self, world: World) -> None:
        elsewhere = {"Origin": "https://elsewhere.example"}
        answer = world.browser("learner").post(f"{ME}/export", headers=elsewhere)
        assert "token" not in told(answer, 403, "cross-origin")["detail"]


class TestAProblemThatIsNotPublishedYet:
    def assign(self, world: World, owner: str, handle: str) -> Any:
        room = ClassWorld(world)
        assert upload(world, owner, named("new_one")).status_code == 202
        return world.client(handle).post(f"{room.path}/assignments", json={"problem": "new_one"})

    @pytest.mark.parametrize("handle", ["teacher", "admin"])
    def test_has_to_be_published_before_it_is_given(self, world: World, handle: str) -> None:
        document = told(self.assign(world, "teacher", handle), 409, "not-published")
        assert document["slug"] == "new_one"
        assert "publish it first" in document["detail"]

    def test_is_none_for_a_teacher_who_does_not_own_it(self, world: World) -> None:
        told(self.assign(world, "admin", "teacher"), 404, "problem-not-found")


def test_a_key_of_other_letters_is_told_which_letters_there_are(world: World) -> None:
    answer = world.client("learner").post(
        f"/api/v1/problems/{SLUG}/submissions",
        json={"language": "python", "source": "x"},
        headers={b"Idempotency-Key": "chìa".encode("latin-1")},
    )
    assert "printable ASCII" in messages(told(answer, 422, "invalid-request"))[0]


@pytest.mark.parametrize(
    ("scopes", "message"),
    [
        (["all", "scores:read"], "There is no scope called all. Known are problems:read, "),
        ([], "Name at least one of problems:read, "),
    ],
)
def test_a_scope_that_is_not_known_is_named(world: World, scopes: list[str], message: str) -> None:
    answer = world.browser("learner").post(f"{ME}/tokens", json={"name": "t", "scopes": scopes})
    document = told(answer, 422, "invalid-token")
    assert document["errors"][0]["code"] == "token-scopes"
    assert messages(document)[0].startswith(message)


def test_a_text_that_is_too_long_has_too_many_characters_not_entries(world: World) -> None:
    body = {"name": "t", "scopes": ["x" * 65]}
    document = told(
        world.browser("learner").post(f"{ME}/tokens", json=body), 422, "invalid-request"
    )
    assert messages(document) == ["At most 64 characters are allowed."]


def test_a_table_of_other_columns_is_told_the_columns(world: World) -> None:
    answer = world.client("admin").post(
        "/api/v1/admin/accounts:import",
        content=b"handle,age\nada,7\n",
        headers={"Content-Type": "text/csv"},
    )
    document = told(answer, 422, "invalid-table")
    assert document["columns"] == ["handle", "display_name", "email", "role", "locale", "time_zone"]
    assert "display_name" in document["detail"]


def test_a_whole_bound_is_written_as_a_whole_number(world: World) -> None:
    answer = world.client("learner").get(f"/api/v1/runs/run_{'0' * 32}?wait=61")
    assert messages(told(answer, 422, "invalid-request")) == ["The largest value is 60."]


def test_a_list_in_json_that_is_not_called_so_is_told_how(world: World) -> None:
    curl = "application/x-www-form-urlencoded"
    answer = ClassWorld(world).put('{"members": [{"handle": "other"}]}', curl)
    assert "application/json" in messages(told(answer, 422, "roster-unreadable"))[0]
