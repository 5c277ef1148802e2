"""What people read of an answer speaks their locale; codes never change."""

import json
import re

import pytest
from api_world import (
    SLUG,
    World,
    add_worker,
    canary_package,
    hidden_failure,
    judgement_of,
    publish_package,
)
from package_builder import JUDGE_YAML
from sqlalchemy import update

from judge.db.engine import Database
from judge.db.tables import account
from judge.errors import StorageUnavailable
from judge.i18n import LOCALES, catalogue
from judge.server import API

NOTHING = f"{API}/problems/nothing"
PATH = f"{API}/problems/{SLUG}"
JSON = {"Content-Type": "application/json"}


def set_locale(world: World, locale: str) -> None:
    with world.database.write() as connection:
        connection.execute(update(account).values(locale=locale))


@pytest.mark.parametrize(
    ("query", "header", "locale"),
    [
        ("?locale=ja", "vi", "ja"),
        ("", "vi", "vi"),
        ("", "vi-VN", "vi"),
        ("", "fr, ja;q=0.3, vi;q=0.8", "vi"),
        ("", "vi;q=0, ja;q=0.1", "ja"),
        ("", "vi;q=x, ja", "ja"),
        ("", "fr, *", "en"),
        ("", "", "en"),
        ("?locale=fr", "ja", "ja"),
    ],
)
def test_a_refusal_speaks_the_readers_locale(
    world: World, query: str, header: str, locale: str
) -> None:
    answer = world.anonymous().get(f"/nothing{query}", headers={"Accept-Language": header})
    assert answer.headers["content-language"] == locale
    problem = answer.json()
    assert problem["code"] == "not-found"
    assert problem["title"] == catalogue(locale)["title.404"]
    assert problem["detail"] == catalogue(locale)["refused.not-found"]


def test_the_accounts_locale_comes_before_the_browsers(world: World) -> None:
    set_locale(world, "vi")
    client = world.client("learner")
    japanese = {"Accept-Language": "ja"}
    answers = (client.get(path, headers=japanese) for path in (NOTHING, PATH, f"{PATH}/hints/1"))
    assert [answer.headers["content-language"] for answer in answers] == ["vi"] * 3
    assert client.get(NOTHING, headers=japanese).json()["detail"] == "Không có bài nào tên nothing."
    asked = client.get(f"{NOTHING}?locale=ja")
    assert asked.json()["detail"] == "nothing という問題は存在しません。"
    assert asked.json()["slug"] == "nothing"


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    ("method", "path", "content", "code"),
    [
        ("GET", f"{API}/me", b"", "not-signed-in"),
        ("PUT", f"{API}/problems", b"", "method-not-allowed"),
        ("POST", f"{API}/auth/login", b"{", "invalid-json"),
        ("POST", f"{API}/auth/login", b'{"handle":"a","password":"b"}', "bad-credentials"),
        ("GET", f"{API}/problems?cursor=x", b"", "invalid-cursor"),
    ],
)
def test_every_kind_of_refusal_is_translated(
    world: World, locale: str, method: str, path: str, content: bytes, code: str
) -> None:
    headers = {**JSON, "Accept-Language": locale}
    answer = world.anonymous().request(method, path, content=content, headers=headers)
    assert answer.json()["code"] == code
    assert answer.json()["detail"] == catalogue(locale)[f"refused.{code}"]
    assert answer.headers["content-language"] == locale


@pytest.mark.parametrize("locale", LOCALES)
def test_what_is_refused_below_the_application_is_translated(world: World, locale: str) -> None:
    client = world.anonymous()
    nul = client.get(f"{API}/problems/%00?locale={locale}")
    large = client.post(f"{API}/auth/login?locale={locale}", content=b"x" * 600_000, headers=JSON)
    assert nul.json()["detail"] == catalogue(locale)["refused.unreadable-request.nul"]
    assert large.json()["title"] == catalogue(locale)["title.413"]
    assert "524288" in large.json()["detail"]
    for answer in (nul, large):
        assert answer.headers["content-language"] == locale


EARLY = [
    ("GET", "/nothing", b"", 404),
    ("PUT", f"{API}/problems", b"", 405),
    ("GET", f"{API}/problems/%00", b"", 400),
    ("POST", f"{PATH}/submissions", b"{", 400),
    ("POST", f"{PATH}/submissions", b"x" * 600_000, 413),
    ("POST", f"{API}/auth/login", b"{}", 422),
    ("GET", f"{API}/problems?cursor={'x' * 9000}", b"", 414),
]


@pytest.mark.parametrize(("method", "path", "content", "status"), EARLY)
def test_what_is_refused_before_the_caller_is_known_speaks_the_accounts_locale(
    world: World, method: str, path: str, content: bytes, status: int
) -> None:
    set_locale(world, "vi")
    for client in (world.client("learner"), world.browser("learner")):
        answer = client.request(method, path, content=content, headers=JSON)
        assert answer.status_code == status
        assert answer.headers["content-language"] == "vi"
        assert answer.json()["title"] == catalogue("vi")[f"title.{status}"]
        separator = "&" if "?" in path else "?"
        asked = client.request(method, f"{path}{separator}locale=ja", content=content, headers=JSON)
        assert asked.headers["content-language"] == "ja"


@pytest.mark.parametrize("token", ["jt_nothing", "", "Basic x"])
def test_credentials_that_are_not_good_hide_no_early_refusal(world: World, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}", "Accept-Language": "ja"}
    answer = world.anonymous().get("/nothing", headers=headers)
    assert (answer.status_code, answer.headers["content-language"]) == (404, "ja")


def test_a_database_that_is_gone_hides_no_early_refusal(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_self: Database) -> None:
        raise StorageUnavailable("gone")

    client = world.client("learner")
    monkeypatch.setattr(Database, "read", fail)
    answer = client.get("/nothing", headers={"Accept-Language": "ja"})
    assert (answer.status_code, answer.headers["content-language"]) == (404, "ja")


FIELDS = [
    ("auth/login", {}, "/handle", "missing"),
    ("auth/login", {"handle": 1, "password": "b"}, "/handle", "text"),
    ("auth/login", {"handle": "x" * 65, "password": "b"}, "/handle", "too-long"),
    ("auth/login", {"handle": "a\0", "password": "b"}, "/handle", "nul-character"),
    ("auth/login", {"handle": "a", "password": "b", "more": 1}, "/more", "extra-forbidden"),
    ("auth/login", [1], "", "object"),
    ("auth/register", {"handle": "-a-", "password": "correct horse"}, "/handle", "handle"),
    ("auth/register", {"handle": "abc", "password": "short"}, "/password", "password-length"),
    ("problems?locale=fr", None, "/query/locale", "choice"),
    ("problems?limit=0", None, "/query/limit", "at-least"),
    ("problems?limit=201", None, "/query/limit", "at-most"),
    ("problems?limit=ten", None, "/query/limit", "integer"),
]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("path", "body", "pointer", "code"), FIELDS)
def test_what_is_wrong_with_a_field_is_translated(
    world: World, locale: str, path: str, body: object, pointer: str, code: str
) -> None:
    add_worker(world.database)
    method, content = ("GET", b"") if body is None else ("POST", json.dumps(body).encode())
    headers = {**JSON, "Accept-Language": locale}
    answer = world.anonymous().request(method, f"{API}/{path}", content=content, headers=headers)
    assert answer.status_code == 422
    flaw = answer.json()["errors"][0]
    assert (flaw["pointer"], flaw["code"]) == (pointer, code)
    beginning = catalogue(locale)[f"field.{code}"].partition("{")[0]
    assert flaw["message"].startswith(beginning)
    assert "{" not in flaw["message"]
    assert "…" not in flaw["message"]


def test_values_to_choose_from_are_named_without_pydantics_english(world: World) -> None:
    answer = world.anonymous().get(f"{API}/problems?locale=fr", headers={"Accept-Language": "ja"})
    message = answer.json()["errors"][0]["message"]
    assert message == "次のいずれかを選んでください\N{FULLWIDTH COLON}vi、ja、en"


@pytest.mark.parametrize("locale", LOCALES)
def test_verdict_and_reason_have_titles_and_keep_their_codes(world: World, locale: str) -> None:
    case = hidden_failure()
    submission_id = world.submit_and_judge(judgement_of(world.package, {case.id: case}))
    client = world.client("learner")
    whole = client.get(f"{API}/submissions/{submission_id}?locale={locale}")
    listed = client.get(f"{API}/submissions?locale={locale}")
    texts = catalogue(locale)
    for shown in (whole.json(), listed.json()["items"][0], whole.json()["cases"][-1]):
        assert (shown["verdict"], shown["reason"]) == ("runtime_error", "exception")
        assert shown["verdict_title"] == texts["verdict.runtime_error"]
        assert shown["reason_title"] == texts["reason.exception"]
    accepted = whole.json()["cases"][0]
    assert (accepted["verdict_title"], accepted["reason_title"]) == (texts["verdict.accepted"], "")
    assert whole.headers["content-language"] == listed.headers["content-language"] == locale


def test_what_is_not_judged_yet_has_no_title(world: World) -> None:
    answer = world.submit()
    assert (answer["verdict"], answer["verdict_title"], answer["reason_title"]) == (None, None, "")


@pytest.mark.parametrize("locale", LOCALES)
def test_languages_say_how_they_run(world: World, locale: str) -> None:
    answer = world.anonymous().get(f"{API}/languages?locale={locale}").json()["items"][0]
    assert answer["run_command"] == catalogue(locale)["run_command.python"]


def test_a_statement_that_is_missing_in_a_locale_is_announced_as_what_it_is(world: World) -> None:
    for locale in LOCALES:
        answer = world.anonymous().get(f"{PATH}?locale={locale}")
        assert answer.headers["content-language"] == answer.json()["locale"] == locale


AFTER_SUBMIT, AFTER_3 = "after_submit", {"after_n": 3}


@pytest.mark.parametrize(
    ("hints", "solution", "keys"),
    [
        (AFTER_SUBMIT, AFTER_SUBMIT, ["locks.after_submit"]),
        ("never", "never", ["locks.never"]),
        (AFTER_SUBMIT, "always", ["refused.hints-locked.after_submit"]),
        ("always", "after_accept", ["refused.solution-locked.after_accept"]),
        (
            AFTER_SUBMIT,
            AFTER_3,
            ["refused.hints-locked.after_submit", "refused.solution-locked.after_n"],
        ),
        ("always", "always", []),
    ],
)
@pytest.mark.parametrize("locale", LOCALES)
def test_locks_say_what_opens_them(
    world: World, locale: str, hints: object, solution: object, keys: list[str]
) -> None:
    set_reveal(world, hints, solution)
    locks = world.client("learner").get(f"{PATH}?locale={locale}").json()["locks"]
    texts = catalogue(locale)
    expected = texts["list.sentences"].join(texts[key].format(submissions=3) for key in keys)
    assert locks["notice"] == expected
    assert (locks["hints"], locks["solution"]) == (hints != "always", solution != "always")


@pytest.mark.parametrize("locale", LOCALES)
def test_a_locked_text_says_what_opens_it(world: World, locale: str) -> None:
    set_reveal(world, AFTER_3, "after_accept")
    client = world.client("learner")
    hint = client.get(f"{PATH}/hints/1?locale={locale}").json()
    solution = client.get(f"{PATH}/solution?locale={locale}").json()
    texts = catalogue(locale)
    assert (hint["code"], hint["unlock"], hint["submissions"]) == ("hints-locked", AFTER_3, 3)
    assert hint["detail"] == texts["refused.hints-locked.after_n"].format(submissions=3)
    assert (solution["code"], solution["unlock"]) == ("solution-locked", "after_accept")
    assert solution["detail"] == texts["refused.solution-locked.after_accept"]


def set_reveal(world: World, hints: object, solution: object) -> None:
    """Publish a revision with other reveal rules."""
    rules = f"reveal: {{hints: {json.dumps(hints)}, solution: {json.dumps(solution)}, cases: 2}}"
    written = re.sub(r"^reveal: .*$", rules, JUDGE_YAML, flags=re.M)
    publish_package(world.database, canary_package({"judge.yaml": written}))


def test_who_registers_gets_the_locale_of_the_request(world: World) -> None:
    add_worker(world.database)
    client = world.anonymous()
    body = {"handle": "ada", "password": "correct horse"}
    answer = client.post(f"{API}/auth/register", json=body, headers={"Accept-Language": "ja"})
    assert answer.json()["locale"] == "ja"
