"""The parts of a text that no translation changes: its formulas and its code.

Owns where they stand. It judges nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it.token import Token

from judge.packages.render import statement_tokens

_FORMULAS = ("math_inline", "math_inline_double", "math_block")
_CODE = ("code_inline", "code_block", "fence")
# In Python, Java and C++; a quotient's second half goes too, in every translation alike.
_COMMENT = re.compile(r"(?:#|//).*")


@dataclass(frozen=True)
class Span:
    """A formula, or a piece of code without its comments; ``line`` is where it begins."""

    line: int
    content: str
    is_formula: bool


def spans(text: str) -> Iterator[Span]:
    """All formulas and code of a text, in order."""
    for token in statement_tokens(text):
        line = token.map[0] + 1 if token.map else 1
        # The fence itself is a line above what it holds.
        yield from _span(token, line + (token.type == "fence"))
        for child in token.children or ():
            yield from _span(child, line)
            line += child.content.count("\n") + (child.type in ("softbreak", "hardbreak"))


def _span(token: Token, line: int) -> Iterator[Span]:
    if token.type in _FORMULAS:
        yield Span(line, token.content, is_formula=True)
    elif token.type in _CODE:
        content = token.content
        is_inline = token.type == "code_inline"
        yield Span(line, content if is_inline else _COMMENT.sub("", content), is_formula=False)
