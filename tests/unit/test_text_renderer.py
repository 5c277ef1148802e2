"""Rendered texts are kept while there is room, and rendered once however many ask."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from judge.api import texts
from judge.api.texts import TextRenderer
from judge.packages.render import RenderedText, render_text


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that was rendered, in order."""
    seen: list[str] = []

    def render(markdown: str, constants: texts.Constants) -> RenderedText:
        seen.append(markdown)
        return render_text(markdown, constants)

    monkeypatch.setattr(texts, "render_text", render)
    return seen


def test_a_text_is_rendered_once(rendered: list[str]) -> None:
    renderer = TextRenderer()
    assert renderer.text("a *b*", {}) == renderer.text("a *b*", {}) == "<p>a <em>b</em></p>\n"
    assert rendered == ["a *b*"]


def test_other_constants_are_another_text(rendered: list[str]) -> None:
    renderer = TextRenderer()
    assert [renderer.text("{{n}}", {"n": n}) for n in (1, 2)] == ["<p>1</p>\n", "<p>2</p>\n"]


def test_a_hint_and_a_statement_of_the_same_words_are_two() -> None:
    renderer = TextRenderer()
    assert renderer.statement("a", 0, {}) == (renderer.text("a", {}),)
    assert renderer.statement("a", 1, {}) == ("<p>a</p>\n", 1)


def test_what_was_asked_for_longest_ago_makes_room(rendered: list[str]) -> None:
    renderer = TextRenderer(most_characters=60)
    for markdown in ("a" * 10, "b" * 10, "a" * 10, "c" * 10, "a" * 10, "b" * 10):
        renderer.text(markdown, {})
    assert [markdown[0] for markdown in rendered] == ["a", "b", "c", "b"]


def test_what_is_larger_than_the_room_is_rendered_and_not_kept(rendered: list[str]) -> None:
    renderer = TextRenderer(most_characters=60)
    for _ in range(2):
        assert renderer.text("d" * 100, {}) == f"<p>{'d' * 100}</p>\n"
    assert len(rendered) == 2


def test_many_that_ask_at_once_get_one_rendering(rendered: list[str]) -> None:
    renderer, start = TextRenderer(), threading.Barrier(8)

    def ask(_: int) -> str:
        start.wait()
        return renderer.text("e", {})

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(8))) == {"<p>e</p>\n"}
    assert rendered == ["e"]
