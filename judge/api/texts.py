"""Rendered statements, hints and solutions, kept as long as there is room.

A revision never changes, so what was rendered once stays right. Formulas cost some milliseconds,
and a hostile text a second: one is rendered at a time, and never the same one twice at once.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping

from judge.packages.render import render_statement, render_text

MAX_KEPT_CHARACTERS = 32 * 1024 * 1024

Constants = Mapping[str, int | float | str]
Parts = tuple[str | int, ...]
# The text; how many samples it shows, -1 for one that is no statement; its constants.
_Key = tuple[str, int, tuple[tuple[str, int | float | str], ...]]
_NO_STATEMENT = -1


class TextRenderer:
    """Markdown to safe HTML with a bounded memory; safe to share between threads."""

    def __init__(self, most_characters: int = MAX_KEPT_CHARACTERS) -> None:
        self._most = most_characters
        self._kept: OrderedDict[_Key, Parts] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()
        self._turn = threading.Lock()

    def statement(self, markdown: str, samples: int, constants: Constants) -> Parts:
        """Parts of a statement: safe HTML, or the number of a sample (from 1) to show there."""
        key = (markdown, samples, tuple(constants.items()))
        return self._remembered(key, lambda: render_statement(markdown, samples, constants).parts)

    def text(self, markdown: str, constants: Constants) -> str:
        """A hint or a solution as safe HTML."""
        key = (markdown, _NO_STATEMENT, tuple(constants.items()))
        (html,) = self._remembered(key, lambda: (render_text(markdown, constants).html,))
        return str(html)

    def _remembered(self, key: _Key, render: Callable[[], Parts]) -> Parts:
        found = self._find(key)
        if found is not None:
            return found
        with self._turn:
            # Somebody may have rendered it while this one waited.
            found = self._find(key)
            if found is None:
                found = render()
                self._keep(key, found)
        return found

    def _find(self, key: _Key) -> Parts | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def _keep(self, key: _Key, parts: Parts) -> None:
        with self._lock:
            self._kept[key] = parts
            self._characters += _length(key, parts)
            while self._characters > self._most:
                self._characters -= _length(*self._kept.popitem(last=False))


def _length(key: _Key, parts: Parts) -> int:
    return len(key[0]) + sum(len(part) for part in parts if isinstance(part, str))
