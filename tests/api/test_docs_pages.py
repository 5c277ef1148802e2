"""The pages below /docs: what the type of an error leads to, and the API's routes."""

import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from api_world import World
from starlette.testclient import TestClient

import judge.web
from judge.api.error_codes import CODES_BY_STATUS
from judge.db.engine import Database
from judge.errors import StorageUnavailable
from judge.i18n import LOCALES, catalogue, text
from judge.web.error_codes import list_codes

TEMPLATES = Path(judge.web.__file__).parent / "templates"
PAGES = ("/docs", "/docs/errors", "/docs/errors/not-verified", "/docs/errors/no-such-code")
VOID = {"meta", "link"}


@dataclass
class Element:
    """One element with everything that is written in it."""

    tag: str
    attributes: dict[str, str | None]
    language: str
    text: str = ""


@dataclass
class Page(HTMLParser):
    """A page as a browser without a style sheet sees it; every element must be closed."""

    html: str
    elements: list[Element] = field(default_factory=list)
    open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        around = self.open[-1].language if self.open else ""
        element = Element(tag, attributes, attributes.get("lang") or around)
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data

    def all(self, tag: str) -> list[Element]:
        return [one for one in self.elements if one.tag == tag]

    def texts(self, tag: str) -> list[str]:
        return [" ".join(one.text.split()) for one in self.all(tag)]

    def links(self) -> list[str]:
        return [one.attributes["href"] or "" for one in self.all("a")]


def read(client: TestClient, path: str, status: int = 200, **headers: str) -> Page:
    answer = client.get(path, headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    return Page(answer.text)


def words(template: str) -> str:
    """A sentence of a catalogue as a page shows it."""
    return template.replace("`", "")


def test_every_code_has_a_page_in_every_locale(world: World) -> None:
    client = world.anonymous()
    for locale in LOCALES:
        texts = catalogue(locale)
        for code in list_codes():
            page = read(client, f"/docs/errors/{code}?locale={locale}")
            shown = " ".join(page.all("main")[0].text.split())
            assert page.texts("h1") == [code]
            for key, template in texts.items():
                if key == f"refused.{code}" or key.startswith(f"refused.{code}."):
                    assert words(template) in shown, (locale, key)


def test_the_list_has_every_code_with_its_sentences(world: World) -> None:
    for locale in LOCALES:
        page = read(world.anonymous(), f"/docs/errors?locale={locale}")
        shown = " ".join(page.all("main")[0].text.split())
        for key, template in catalogue(locale).items():
            if key.startswith("refused."):
                assert words(template) in shown, (locale, key)
        assert {f"/docs/errors/{code}?locale={locale}" for code in list_codes()} <= set(
            page.links()
        )


def test_the_type_of_an_error_leads_to_a_page_that_names_it(world: World) -> None:
    for method, path in (
        ("GET", "/api/v1/me"),
        ("GET", "/api/v1/problems/nothing"),
        ("GET", "/nothing"),
        ("GET", "/readyz"),
        ("PUT", "/docs"),
        ("POST", "/api/v1/auth/login"),
    ):
        problem = world.anonymous().request(method, path).json()
        page = read(world.anonymous(), problem["type"])
        assert page.texts("h1") == [problem["code"]]
        assert f"{problem['status']} · {problem['title']}" in page.texts("dd")


def test_a_page_names_the_statuses_of_its_code_and_guesses_none(world: World) -> None:
    for status, codes in CODES_BY_STATUS.items():
        for code in codes:
            shown = read(world.anonymous(), f"/docs/errors/{code}").texts("dd")
            assert any(one.startswith(f"{status} ·") for one in shown), code
    assert read(world.anonymous(), "/docs/errors/error").texts("dd") == []


def test_placeholders_are_code(world: World) -> None:
    page = read(world.anonymous(), "/docs/errors/too-many-requests")
    assert page.texts("code") == ["too-many-requests", "{most}", "{window}", "{seconds}"]


UNKNOWN = {
    "no-such-code": "no-such-code",
    "<script>alert(1)</script>": "<script>alert(1)</script>",
    "%3Cscript%3Ealert(1)%3C%2Fscript%3E": "<script>alert(1)</script>",
    "{{7*7}}": "{{7*7}}",
    '"onmouseover="x': '"onmouseover="x',
    "not-found/more": "not-found/more",
    "Not-Found": "Not-Found",
    "not-verified.running": "not-verified.running",
}


def test_an_unknown_code_is_told_and_stays_text(world: World) -> None:
    for address, code in UNKNOWN.items():
        page = read(world.anonymous(), f"/docs/errors/{address}", 404)
        assert page.texts("h1") == [text("docs.unknown-title", "en")]
        assert page.texts("code") == [code]
        assert page.all("script") == []
        assert "/docs/errors" in page.links()


def test_a_list_without_a_code_is_the_list(world: World) -> None:
    assert read(world.anonymous(), "/docs/errors/").html == (
        read(world.anonymous(), "/docs/errors").html
    )


def test_every_operation_of_the_document_stands_on_the_page(world: World) -> None:
    document = world.anonymous().get("/api/v1/openapi.json").json()
    for locale in LOCALES:
        page = read(world.anonymous(), f"/docs?locale={locale}")
        codes, headings, paragraphs = page.texts("code"), page.texts("h3"), page.texts("p")
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                name = f"{method.upper()} {path}"
                assert f"{name} {operation['summary']}" in headings
                # In the index, and at the operation itself.
                assert codes.count(name) >= 2
                assert f"#op-{operation['operationId']}" in page.links()
                for paragraph in operation["description"].split("\n\n"):
                    assert " ".join(paragraph.replace("`", "").split()) in paragraphs


def examples(found: Any) -> set[str]:
    """Every example of a body, anywhere in an OpenAPI document."""
    if not isinstance(found, dict):
        return set()
    own = {
        one if isinstance(one, str) else json.dumps(one, indent=2, ensure_ascii=False)
        for one in (body["example"] for body in found.get("content", {}).values() if body)
        if one is not None
    }
    return own.union(*(examples(one) for one in found.values()))


def test_every_parameter_status_and_example_stands_on_the_page(world: World) -> None:
    document = world.anonymous().get("/api/v1/openapi.json").json()
    page = read(world.anonymous(), "/docs")
    shown = {one.text.removesuffix("\n") for one in page.all("pre")}
    assert {one.removesuffix("\n") for one in examples(document["paths"])} <= shown
    terms = page.texts("dt")
    for methods in document["paths"].values():
        for operation in methods.values():
            assert set(operation["responses"]) <= set(terms)
            for one in operation.get("parameters", []):
                required = f" {text('docs.required', 'en')}" if one["required"] else ""
                assert f"{one['name']} {one['in']}{required}" in terms


def test_scopes_and_sets_of_words_stand_on_the_page(world: World) -> None:
    document = world.anonymous().get("/api/v1/openapi.json").json()
    html = read(world.anonymous(), "/docs").html
    article = html.partition('id="op-list_scores"')[2].partition("</article>")[0]
    assert "<code>scores:read</code>" in article
    codes = read(world.anonymous(), "/docs").texts("code")
    for name, schema in document["components"]["schemas"].items():
        for word in schema.get("enum", ()):
            assert {name, f'"{word}"'} <= set(codes)


def test_who_may_call_is_said(world: World) -> None:
    html = read(world.anonymous(), "/docs").html
    for key, operation in (
        ("open", "check_health"),
        ("open-more", "list_problems"),
        ("needs", "add_submission"),
    ):
        article = html.partition(f'id="op-{operation}"')[2].partition("</article>")[0]
        assert text(f"docs.{key}", "en") in article


@pytest.mark.parametrize("locale", LOCALES)
def test_a_page_is_sound(world: World, locale: str) -> None:
    for path in PAGES:
        page = Page(world.anonymous().get(f"{path}?locale={locale}").text)
        assert page.all("html")[0].attributes["lang"] == locale
        levels = [int(one.tag[1]) for one in page.elements if re.fullmatch("h[1-6]", one.tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))
        ids = [one.attributes["id"] for one in page.elements if "id" in one.attributes]
        assert len(ids) == len(set(ids))
        assert {link[1:] for link in page.links() if link.startswith("#")} <= set(ids)
        assert not any("docs." in shown for shown in page.texts("main"))
        assert "" not in page.texts("p")
        for other in LOCALES:
            assert (f"?locale={other}" in page.links()) == (other != locale)


def test_the_words_of_the_document_are_english_in_every_locale(world: World) -> None:
    page = read(world.anonymous(), "/docs?locale=vi")
    told = [one for one in page.all("p") if one.text.startswith("Store and queue a submission")]
    assert [one.language for one in told] == ["en"]
    assert {one.language for one in page.all("pre")} == {"en"}
    assert {one.language for one in page.all("h4")} == {"vi"}


def test_a_page_runs_nothing_and_loads_one_style_sheet_of_ours(world: World) -> None:
    for path in PAGES:
        answer = world.anonymous().get(path)
        policy = dict(
            one.strip().split(" ", 1)
            for one in answer.headers["Content-Security-Policy"].split(";")
        )
        assert policy == {
            "default-src": "'none'",
            "style-src": "'self'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'none'",
        }
        page = Page(answer.text)
        assert not [one for one in page.elements if one.tag in ("script", "style", "img", "form")]
        assert not [
            name
            for one in page.elements
            for name in one.attributes
            if name == "style" or name.startswith("on")
        ]
        loaded = [one.attributes["href"] for one in page.all("link")]
        assert len(loaded) == 1
        style = world.anonymous().get(loaded[0] or "")
        assert (style.status_code, style.headers["Content-Type"]) == (
            200,
            "text/css; charset=utf-8",
        )
        assert "url(" not in style.text
        assert "@import" not in style.text
        assert all(link.startswith(("/", "#", "?")) for link in page.links())


def test_other_answers_keep_the_strictest_policy(world: World) -> None:
    for path in ("/api/v1/problems", "/docs/style.css", "/nothing"):
        policy = world.anonymous().get(path).headers["Content-Security-Policy"]
        assert policy == "default-src 'none'; frame-ancestors 'none'"


def language_of(client: TestClient, query: str = "", **headers: str) -> str | None:
    answer = client.get(f"/docs/errors/not-found{query}", headers=headers)
    found = Page(answer.text).all("html")[0].attributes["lang"]
    assert answer.headers["Content-Language"] == found
    return found


def test_a_page_speaks_as_the_api_does(world: World) -> None:
    """The locale that is asked for, else the account's, else the browser's, else English."""
    vietnamese = {"Accept-Language": "vi-VN, en;q=0.5"}
    anonymous = world.anonymous()
    assert language_of(anonymous) == "en"
    assert language_of(anonymous, **{"Accept-Language": "fr"}) == "en"
    assert language_of(anonymous, **vietnamese) == "vi"
    assert language_of(anonymous, "?locale=ja", **vietnamese) == "ja"
    assert language_of(anonymous, "?locale=fr", **vietnamese) == "vi"
    browser = world.browser("learner")
    read_me = browser.get("/api/v1/me")
    changed = browser.patch(
        "/api/v1/me", json={"locale": "ja"}, headers={"If-Match": read_me.headers["ETag"]}
    )
    assert changed.status_code == 200, changed.text
    assert language_of(browser, **vietnamese) == "ja"
    assert language_of(browser, "?locale=vi") == "vi"


def test_a_locale_that_was_asked_for_stays(world: World) -> None:
    links = read(world.anonymous(), "/docs/errors/not-found?locale=ja").links()
    assert {"/docs?locale=ja", "/docs/errors?locale=ja"} <= set(links)
    links = read(world.anonymous(), "/docs/errors/not-found", **{"Accept-Language": "ja"}).links()
    assert {"/docs", "/docs/errors"} <= set(links)


def test_credentials_that_do_not_hold_hide_no_page(world: World) -> None:
    assert language_of(world.anonymous(), Authorization="Bearer jt_no_such") == "en"
    assert language_of(world.anonymous(), Cookie="judge_session=none") == "en"


def test_a_database_that_is_away_hides_no_page(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = world.browser("learner")

    def fail(_self: Database) -> None:
        raise StorageUnavailable("away")

    monkeypatch.setattr(Database, "read", fail)
    monkeypatch.setattr(Database, "write", fail)
    problem = browser.get("/api/v1/problems").json()
    assert read(browser, problem["type"]).texts("h1") == ["storage-unavailable"]


def test_what_a_reader_has_is_not_sent_again(world: World) -> None:
    for path in (*PAGES[:3], "/docs/style.css"):
        client = world.anonymous()
        first = client.get(path)
        assert first.headers["Cache-Control"] == "no-cache"
        assert {"Accept-Language", "Cookie"} <= set(first.headers["Vary"].split(", "))
        again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        other = client.get(f"{path}?locale=vi", headers={"If-None-Match": first.headers["ETag"]})
        assert other.status_code == (304 if path.endswith(".css") else 200)


def test_a_head_is_that_of_the_page(world: World) -> None:
    for path in (*PAGES, "/docs/style.css"):
        head, whole = world.anonymous().head(path), world.anonymous().get(path)
        assert head.status_code == whole.status_code
        for name in ("Content-Type", "Content-Length", "Content-Security-Policy"):
            assert head.headers[name] == whole.headers[name]


def test_pages_count_for_no_rate(world: World) -> None:
    for path in PAGES:
        assert "RateLimit" not in world.anonymous().get(path).headers


def test_pages_are_no_operations(world: World) -> None:
    paths = world.anonymous().get("/api/v1/openapi.json").json()["paths"]
    assert [path for path in paths if path.startswith("/docs")] == []


def test_pages_are_only_read(world: World) -> None:
    refused = world.client("admin").post("/docs")
    assert (refused.status_code, refused.json()["code"]) == (405, "method-not-allowed")
    assert set(refused.headers["Allow"].split(", ")) == {"GET", "HEAD"}


def test_templates_say_every_text_of_the_frame_and_no_other() -> None:
    written = "".join(path.read_text("utf-8") for path in sorted(TEMPLATES.glob("*.html")))
    kept = {key.removeprefix("docs.") for key in catalogue("en") if key.startswith("docs.")}
    said = {
        key
        for call in re.findall(r"say\(([^)]*)\)", written)
        for key in re.findall(r'"(.+?)"', call)
    }
    assert said == kept
