"""What browsers are told of an answer, whose word on addresses counts, what logs never hold."""

import logging
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from api_world import SLUG, World, add_worker, judgement_of
from starlette.testclient import TestClient

from judge.api.middleware import MAX_ADDRESS_BYTES, MAX_HEADER_BYTES
from judge.cli.serve import server_config
from judge.errors import Misconfigured
from judge.settings import Settings, read_settings

V1 = "/api/v1"
SITE = "https://lessons.example"
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
}
SAFE = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


@pytest.mark.parametrize(
    "path", ["/healthz", f"{V1}/problems", f"{V1}/nothing", f"{V1}/me", "/%00"]
)
def test_every_answer_is_safe_to_show(world: World, path: str) -> None:
    answer = world.anonymous().get(path)
    assert {name: answer.headers.get(name) for name in SAFE} == SAFE
    assert "camera=()" in answer.headers["Permissions-Policy"]
    assert "Strict-Transport-Security" not in answer.headers


def served(tmp_path: Path, database_url: str, **settings: Any) -> World:
    return World(Settings(data_dir=tmp_path, database_url=database_url, **settings))


@pytest.mark.parametrize(
    ("public_url", "base_url", "is_strict"),
    [
        ("", "https://judge.example", True),
        ("https://judge.example", "http://10.0.0.5", True),
        ("http://judge.example", "http://judge.example", False),
    ],
)
def test_where_there_is_tls_there_is_nothing_else(
    tmp_path: Path, sqlite_url: str, public_url: str, base_url: str, is_strict: bool
) -> None:
    with served(tmp_path, sqlite_url, public_url=public_url) as world:
        answer = TestClient(world.app, base_url=base_url).get("/healthz")
    found = answer.headers.get("Strict-Transport-Security")
    assert found == ("max-age=31536000" if is_strict else None)


def test_no_other_site_reads_answers_by_default(world: World) -> None:
    client = world.client("learner")
    asked = client.options(f"{V1}/problems", headers={"Origin": SITE, **PREFLIGHT})
    assert (asked.status_code, asked.json()["code"]) == (405, "method-not-allowed")
    answer = client.get(f"{V1}/problems", headers={"Origin": SITE})
    assert answer.status_code == 200
    for one in (asked, answer):
        assert not [name for name in one.headers if name.startswith("access-control")]


def test_named_sites_read_answers_with_a_token_never_with_a_cookie(
    tmp_path: Path, sqlite_url: str
) -> None:
    with served(tmp_path, sqlite_url, cors_origins=f"http://localhost:5173, {SITE}") as world:
        client = world.client("learner")
        asked = client.options(f"{V1}/problems", headers={"Origin": SITE, **PREFLIGHT})
        answer = client.get(f"{V1}/me", headers={"Origin": SITE})
        refused = client.get(f"{V1}/submissions/sub_1", headers={"Origin": SITE})
        stranger = client.get(f"{V1}/me", headers={"Origin": f"{SITE}.evil"})
        question = client.options(f"{V1}/me", headers={"Origin": "null", **PREFLIGHT})
    assert (asked.status_code, answer.status_code, refused.status_code) == (204, 200, 404)
    for one in (asked, answer, refused):
        assert one.headers["Access-Control-Allow-Origin"] == SITE
        assert "Origin" in one.headers["Vary"]
        assert "Access-Control-Allow-Credentials" not in one.headers
    allowed = asked.headers["Access-Control-Allow-Headers"].lower()
    assert all(name in allowed for name in ("authorization", "if-match", "last-event-id"))
    assert "RateLimit" in answer.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Origin" not in stranger.headers
    assert "Origin" in stranger.headers["Vary"]
    assert question.status_code == 405
    assert "Access-Control-Allow-Origin" not in question.headers


@pytest.mark.parametrize(
    "value", ["*", "null", "lessons.example", "https://lessons.example/", "https://a,*"]
)
def test_a_list_of_sites_names_sites(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("JUDGE_CORS_ORIGINS", value)
    with pytest.raises(Misconfigured, match=r"JUDGE_CORS_ORIGINS: .* is no origin"):
        read_settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("JUDGE_PUBLIC_URL", "judge.example"),
        ("JUDGE_PUBLIC_URL", "https://example.org/judge"),
        ("JUDGE_TRUSTED_PROXIES", "127.0.0.1,nonsense"),
        ("JUDGE_TRUSTED_PROXIES", "*"),
    ],
)
def test_addresses_are_addresses(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(Misconfigured, match=rf"{name}: .* is no address"):
        read_settings()


FORWARDED = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"}


@pytest.mark.parametrize(
    ("trusted", "peer", "is_believed"),
    [
        ("", "203.0.113.9", False),
        ("", "127.0.0.1", False),
        ("203.0.113.9", "203.0.113.9", True),
        ("203.0.113.0/24", "203.0.113.9", True),
        ("203.0.113.9", "192.0.2.1", False),
    ],
)
def test_only_trusted_proxies_are_believed(
    tmp_path: Path, sqlite_url: str, trusted: str, peer: str, is_believed: bool
) -> None:
    """Through uvicorn's middleware, as judge serve sets it up."""
    settings = Settings(
        data_dir=tmp_path, database_url=sqlite_url, trusted_proxies=trusted, reads_per_minute=1
    )
    config = server_config(settings)
    config.load()
    client = TestClient(config.loaded_app, client=(peer, 50000))  # type: ignore[arg-type]
    first = client.get(f"{V1}/problems", headers=FORWARDED)
    assert ("Strict-Transport-Security" in first.headers) == is_believed
    # Who is not believed gets no new quota by another name; of a chain the last stranger counts.
    for named in ("198.51.100.8", "198.51.100.7, 198.51.100.9"):
        again = client.get(f"{V1}/problems", headers={"X-Forwarded-For": named})
        assert again.status_code == (200 if is_believed else 429)
    spoofed = client.get(f"{V1}/problems", headers={"X-Forwarded-For": "192.0.2.77, 198.51.100.7"})
    assert spoofed.status_code == 429


def test_the_server_listens_as_it_is_tested(tmp_path: Path, sqlite_url: str) -> None:
    config = server_config(Settings(data_dir=tmp_path, database_url=sqlite_url))
    assert isinstance(config, uvicorn.Config)
    assert (config.access_log, config.server_header, config.proxy_headers) == (False, False, False)


@pytest.mark.parametrize(
    ("path", "names"),
    [
        (f"{V1}/scores?changed_sinc=2026-01-01T00:00:00Z", ["changed_sinc"]),
        (f"{V1}/problems?limit=5&page=2&Limit=1", ["page", "Limit"]),
        (f"{V1}/problems/{SLUG}?a~b/c=1", ["a~0b~1c"]),
        (f"{V1}/me?%FF=", ["\ufffd"]),
    ],
)
def test_a_parameter_that_is_not_known_is_refused(
    world: World, path: str, names: list[str]
) -> None:
    answer = world.client("learner").get(path)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")
    found = [(flaw["pointer"], flaw["code"]) for flaw in answer.json()["errors"]]
    assert found == [(f"/query/{name}", "unknown-parameter") for name in names]


def test_what_is_refused_names_what_is_known(world: World) -> None:
    flaw = world.client("learner").get(f"{V1}/submissions?acount=x").json()["errors"][0]
    for name in ("account", "cursor", "limit", "locale", "problem"):
        assert name in flaw["message"]


def test_posts_refuse_parameters_too(world: World) -> None:
    client = world.client("learner")
    body = {"language": "python", "source": "x"}
    answer = client.post(f"{V1}/problems/{SLUG}/submissions?wiat=5", json=body)
    assert answer.status_code == 422
    assert client.get(f"{V1}/submissions").json()["items"] == []
    assert world.anonymous().post(f"{V1}/auth/login?next=/", json={}).status_code == 422


def test_addresses_and_headers_have_an_end(world: World) -> None:
    client = world.anonymous()
    for path in (f"{V1}/problems?cursor={'x' * MAX_ADDRESS_BYTES}", f"/{'x' * MAX_ADDRESS_BYTES}"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (414, "address-too-long")
    answer = client.get(f"{V1}/problems", headers={"X-Much": "x" * MAX_HEADER_BYTES})
    assert (answer.status_code, answer.json()["code"]) == (431, "headers-too-large")
    assert answer.json()["max_bytes"] == MAX_HEADER_BYTES


def test_logs_hold_no_secret(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    add_worker(world.database)
    client = world.anonymous()
    password, wrong, source = "canary-password-1", "canary-password-2", "canary_source = 1\n"
    account = {"handle": "ada", "password": password}
    registered = client.post(
        f"{V1}/auth/register", json={**account, "locale": "en", "time_zone": "UTC"}
    )
    assert registered.status_code == 201
    cookies = [client.cookies["judge_session"]]
    assert client.post(f"{V1}/auth/login", json={**account, "password": wrong}).status_code == 401
    assert client.post(f"{V1}/auth/login", json=account).status_code == 200
    cookies.append(client.cookies["judge_session"])
    made = client.post(
        f"{V1}/me/tokens", json={"name": "n", "scopes": ["problems:read", "submissions:write"]}
    )
    token = made.json()["token"]
    client.cookies.clear()
    guessed = f"{token[:-6]}canary"
    bearer = {"Authorization": f"Bearer {token}"}
    assert client.get(f"{V1}/me", headers={"Authorization": f"Bearer {guessed}"}).status_code == 401
    stored = client.post(
        f"{V1}/problems/{SLUG}/submissions",
        json={"language": "python", "source": source},
        headers={**bearer, "Idempotency-Key": "once"},
    )
    assert stored.status_code == 201
    world.judge_next(judgement_of(world.package))
    # Where the judge itself fails, the log gets the reason and nothing of the request.
    world.app.state.parts.database.close()
    world.app.state.parts = None
    failed = client.post(
        f"{V1}/auth/login",
        json=account,
        headers={**bearer, "Cookie": f"judge_session={cookies[1]}"},
    )
    assert failed.status_code == 500
    written = caplog.text + "".join(str(record.__dict__) for record in caplog.records)
    assert "failed" in written
    secrets = [password, wrong, *cookies, token, token.split("_")[2], guessed, "canary"]
    assert [secret for secret in secrets if secret in written] == []
