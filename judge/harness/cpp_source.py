"""Places in a C++ source: where a name is mentioned, where it ends, how a line is quoted.

Reads the learner's text just well enough to tell code from comments and literals; it is no parser,
and nothing but the wording of a compile log depends on it.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from judge.harness.cpp_unit import FILE_NAME

TAB_COLUMNS = 8
MAX_QUOTED = 200
# What is not code comes first; a number's apostrophes are no character literal. A literal that is
# left open ends with its line: looked for again and again, its end would take forever.
_TOKEN = re.compile(
    r"""
      (?P<comment> //(?:\\\n|[^\n])* | /\*.*?(?:\*/|\Z) )
    | (?P<raw> (?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\(.*?(?:\)(?P=fence)"|\Z) )
    | (?P<text> "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'? )
    | (?P<number> \.?\d(?:'?[\w.])* )
    | (?P<word> [^\W\d]\w* )
    | (?P<mark> [^\w\s] )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Place:
    """Line and column, from 1, as g++ counts them: a tab ends at the next multiple of 8."""

    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{FILE_NAME}:{self.line}:{self.column}"


def mention(name: str, source: str) -> Place | None:
    """Where the code first mentions a name before a parenthesis, or else first mentions it."""
    tokens = list(_code(source))
    places = [index for index, token in enumerate(tokens) if token.group() == name]
    for index in places:
        if index + 1 < len(tokens) and tokens[index + 1].group() == "(":
            return _place(source, tokens[index].start())
    return _place(source, tokens[places[0]].start()) if places else None


def last_place(source: str) -> Place:
    """The last character that is not white space."""
    text = source.rstrip()
    return _place(source, max(len(text) - 1, 0))


def is_left_open(source: str) -> bool:
    """Whether more brackets are opened than closed."""
    marks = [token.group() for token in _code(source)]
    return sum(map(marks.count, "([{")) > sum(map(marks.count, ")]}"))


def excerpt(place: Place, source: str) -> list[str]:
    """The line and a caret under the column, as g++ prints them; nothing for a line that is not."""
    lines = source.split("\n")
    if not 1 <= place.line <= len(lines):
        return []
    shown = _expand(lines[place.line - 1])
    if max(len(shown), place.column) > MAX_QUOTED:
        return []
    caret = " " * (place.column - 1) + "^"
    return [f"{place.line:5} | {shown}", f"{'':5} | {caret}"]


def _code(source: str) -> Iterator[re.Match[str]]:
    return (token for token in _TOKEN.finditer(source) if token["word"] or token["mark"])


def _place(source: str, position: int) -> Place:
    start = source.rfind("\n", 0, position) + 1
    column = 0
    for character in source[start:position]:
        column += _width(character, column)
    return Place(source.count("\n", 0, position) + 1, column + 1)


def _expand(line: str) -> str:
    column, shown = 0, ""
    for character in line:
        width = _width(character, column)
        shown += " " * width if character == "\t" else character
        column += width
    return shown


def _width(character: str, column: int) -> int:
    """Columns of a terminal that a character takes."""
    if character == "\t":
        return TAB_COLUMNS - column % TAB_COLUMNS
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
