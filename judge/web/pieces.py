"""Short texts taken apart into words and code, so that templates can set each as it should be.

Knows the two notations that our own texts have: backticks, and placeholders in braces. Makes no
HTML: escaping is the templates' work.
"""

import re
from dataclasses import dataclass
from string import Formatter

_CODE = re.compile(r"``(.+?)``|`(.+?)`", re.DOTALL)
_BLANK_LINES = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class Piece:
    """A part of a text that is set in one way."""

    text: str
    is_code: bool = False


Pieces = tuple[Piece, ...]


def read_paragraphs(text: str) -> tuple[Pieces, ...]:
    """The paragraphs of a docstring; its line ends mean nothing."""
    parts = (" ".join(one.split()) for one in _BLANK_LINES.split(text))
    return tuple(_read_code(part) for part in parts if part)


def read_template(template: str) -> Pieces:
    """A sentence of a catalogue (judge.i18n); its placeholders are code, braces and all."""
    pieces: list[Piece] = []
    for words, name, _, _ in Formatter().parse(template):
        pieces += _read_code(words)
        if name is not None:
            pieces.append(Piece(f"{{{name}}}", is_code=True))
    return tuple(pieces)


def _read_code(text: str) -> Pieces:
    pieces, end = [], 0
    for found in _CODE.finditer(text):
        pieces.append(Piece(text[end : found.start()]))
        pieces.append(Piece(found[1] or found[2], is_code=True))
        end = found.end()
    pieces.append(Piece(text[end:]))
    return tuple(piece for piece in pieces if piece.text)
