"""Texts, cursors, times and headers that nobody honest sends are refused like any other flaw."""

import base64
import json
from typing import Any

import pytest
from api_world import SLUG, World, add_worker
from sampling import some_always

V1 = "/api/v1"
LONE, NUL = "a\ud800b", "a\0b"
REGISTRATION = {"handle": "eve", "password": "correct horse"}


def cursor(*key: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def moment_cursor(moment: str) -> str:
    return cursor(moment, "0" * 32)


FOREIGN_CURSORS = [
    ("/problems", cursor(10**30, "x")),
    ("/problems", cursor(-(10**30), "x")),
    ("/problems", cursor(2**31, "x")),
    ("/problems", cursor(True, "x")),
    ("/problems", cursor(1.5, "x")),
    *[("/problems", cursor(1, text)) for text in (LONE, NUL)],
    *[("/scores", cursor(*pair)) for pair in ((LONE, "x"), ("x", LONE), (NUL, "x"), ("x", NUL))],
    ("/submissions", moment_cursor("0001-01-01T00:00:00+14:00")),
    ("/submissions", moment_cursor("9999-12-31T23:59:59-14:00")),
    ("/submissions", moment_cursor("2026-01-01T00:00:00")),
    *[("/submissions", cursor("2026-01-01T00:00:00Z", text)) for text in (LONE, NUL)],
    *[("/submissions", cursor(text, "x")) for text in (LONE, NUL)],
    ("/problems", "ü"),
]


@pytest.mark.parametrize(("path", "text"), FOREIGN_CURSORS)
def test_a_cursor_that_was_not_given_is_refused(world: World, path: str, text: str) -> None:
    answer = world.client("learner").get(V1 + path, params={"cursor": text})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-cursor")


@pytest.mark.parametrize(("text", "code"), [(LONE, "lone-surrogate"), (NUL, "nul-character")])
@pytest.mark.parametrize(
    "field", ["handle", "password", "email", "display_name", "locale", "time_zone"]
)
def test_registering_takes_only_texts(world: World, field: str, text: str, code: str) -> None:
    check_flaw(world, "/auth/register", {**REGISTRATION, field: text}, f"/{field}", code)


@pytest.mark.parametrize(("text", "code"), [(LONE, "lone-surrogate"), (NUL, "nul-character")])
def test_signing_in_and_submitting_take_only_texts(world: World, text: str, code: str) -> None:
    for field in ("handle", "password"):
        check_flaw(world, "/auth/login", {**REGISTRATION, field: text}, f"/{field}", code)
    submission = {"language": "python", "source": "x"}
    for field in ("language", "source", "revision"):
        body = {**submission, field: text}
        check_flaw(world, f"/problems/{SLUG}/submissions", body, f"/{field}", code, "learner")


def check_flaw(
    world: World, path: str, body: dict[str, Any], pointer: str, code: str, handle: str = ""
) -> None:
    client = world.client(handle) if handle else world.anonymous()
    answer = client.post(
        V1 + path, content=json.dumps(body), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422, answer.text
    found = [(flaw["pointer"], flaw["code"]) for flaw in answer.json()["errors"]]
    assert (pointer, code) in found


def sign_up(world: World) -> Any:
    add_worker(world.database)
    client = world.anonymous()
    assert client.post(f"{V1}/auth/register", json=REGISTRATION).status_code == 201
    return client


@pytest.mark.parametrize(
    "changes",
    some_always(
        [
            {"name": LONE},
            {"name": NUL},
            {"scopes": [LONE]},
            {"expires_at": "9999-12-31T23:59:59-14:00"},
            {"expires_at": "9999-12-31T23:59:59Z"},
            {"expires_at": "0001-01-01T00:00:00+14:00"},
            {"expires_at": 1e300},
            {LONE: "a field that is not"},
        ],
        one_in=2,
    ),
)
def test_a_token_that_cannot_be_kept_is_refused(world: World, changes: dict[str, Any]) -> None:
    client = sign_up(world)
    body = json.dumps({"name": "n", "scopes": ["problems:read"], **changes})
    answer = client.post(
        f"{V1}/me/tokens", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"]
    assert client.get(f"{V1}/me/tokens").json() == {"items": []}


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "[", "null", "http://\u00ff"])
def test_an_origin_that_is_no_address_is_not_ours(world: World, origin: str) -> None:
    client = sign_up(world)
    headers = {"Origin": origin.encode("latin-1")}
    for path, body in (
        ("/me/tokens", {"name": "n", "scopes": ["problems:read"]}),
        ("/auth/login", REGISTRATION),
        ("/auth/register", {**REGISTRATION, "handle": "mallory"}),
        ("/auth/logout", {}),
    ):
        answer = client.post(V1 + path, json=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "cross-origin"), path


@pytest.mark.parametrize("host", ["[", "a b", "x:y", ""])
def test_a_host_that_is_none_breaks_nothing(world: World, host: str) -> None:
    add_worker(world.database)
    world.submit()
    world.submit()
    client = world.client("learner")
    page = client.get(f"{V1}/submissions?limit=1", headers={"Host": host})
    assert page.status_code == 200
    assert page.json()["next"].startswith(f"{V1}/submissions?limit=1&cursor=")
    anonymous = world.anonymous()
    headers = {"Host": host}
    answer = anonymous.post(f"{V1}/auth/register", json=REGISTRATION, headers=headers)
    assert answer.status_code == 201
    for path in ("/problems/", "/nothing", "//["):
        assert anonymous.get(V1 + path, headers=headers).status_code < 500


@pytest.mark.parametrize("encoded", ["%00", "%ED%A0%80", "%FF", "%F4%90%80%80"])
def test_addresses_with_bytes_that_are_no_text_break_nothing(world: World, encoded: str) -> None:
    client = world.client("admin")
    for path in (
        f"/problems/{encoded}",
        f"/problems?cursor={encoded}",
        f"/problems?locale={encoded}",
        f"/scores?account={encoded}",
        f"/scores?problem={encoded}",
        f"/submissions?account={encoded}&problem={encoded}",
        f"/submissions/{encoded}",
        f"/problems/{SLUG}/hints/{encoded}",
    ):
        assert client.get(V1 + path).status_code < 500, path


def test_a_number_that_no_hint_has(world: World) -> None:
    for number in (10**30, -(10**30), "9" * 5000):
        answer = world.client("teacher").get(f"{V1}/problems/{SLUG}/hints/{number}")
        assert answer.status_code in (404, 422)
