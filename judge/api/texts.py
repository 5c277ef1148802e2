"""Rendered statements, hints and solutions, kept for as long as the process lives.

A revision never changes, so what was rendered once stays right. Formulas cost some milliseconds.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

from judge.packages.render import render_statement, render_text

MAX_KEPT = 512

Constants = Mapping[str, int | float | str]
_Pairs = tuple[tuple[str, int | float | str], ...]


class TextRenderer:
    """Markdown to safe HTML with a bounded memory."""

    def __init__(self) -> None:
        self._statement: Callable[[str, int, _Pairs], tuple[str | int, ...]] = lru_cache(MAX_KEPT)(
            lambda markdown, samples, pairs: render_statement(markdown, samples, dict(pairs)).parts
        )
        self._text: Callable[[str, _Pairs], str] = lru_cache(MAX_KEPT)(
            lambda markdown, pairs: render_text(markdown, dict(pairs)).html
        )

    def statement(self, markdown: str, samples: int, constants: Constants) -> tuple[str | int, ...]:
        """Parts of a statement: safe HTML, or the number of a sample (from 1) to show there."""
        return self._statement(markdown, samples, tuple(constants.items()))

    def text(self, markdown: str, constants: Constants) -> str:
        """A hint or a solution as safe HTML."""
        return self._text(markdown, tuple(constants.items()))
