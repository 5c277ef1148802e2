"""What g++ prints, taken apart: errors with what led to them, the quoted lines and the notes.

The text is hostile: ``#error`` and ``#line`` put into it what the learner likes. Nothing is
believed for more than "the compiler may have said so", which decides the wording of a log.
Understood are the formats of g++ 12 to 15, with either kind of quotation marks.
"""

import re
from dataclasses import dataclass, field

MAX_LINE = 2000
BROKEN = "internal compiler error"
_QUOTES = str.maketrans("\u2018\u2019", "''")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# The assembler has no columns.
_DIAGNOSTIC = re.compile(
    r"(?P<file>[^\s:][^:]*):(?P<line>\d{1,9}):(?:(?P<column>\d{1,9}):)? "
    r"(?P<kind>fatal error|error|warning|note|sorry, unimplemented|internal compiler error|Error)"
    r": (?P<text>.*)"
)
_LOCATION = re.compile(r"(?P<file>[^\s:][^:]*):(?P<line>\d{1,9}):(?P<column>\d{1,9}): {2,}\S")
_INCLUDED = re.compile(r"(?:In file included | {4,40})from (?P<file>[^\s:][^:]*):(?P<line>\d{1,9})")
EXCERPT = re.compile(r" {0,12}(?:\d{1,9}|\+\+\+)? {1,12}\|")
_KINDS = {"Error": "error", "fatal error": "error", "sorry, unimplemented": "error"}


@dataclass(frozen=True)
class Location:
    """A file, as the compiler was told that it is called, and a place in it."""

    file: str
    line: int
    column: int = 1


@dataclass
class Diagnostic:
    """An error, warning or note.

    ``context`` are the lines before it: the function, and what instantiated it, innermost first.
    """

    kind: str
    at: Location
    text: str
    context: list[str] = field(default_factory=list)
    excerpt: list[str] = field(default_factory=list)
    notes: list["Diagnostic"] = field(default_factory=list)

    def instantiated_at(self) -> list[Location]:
        """The places that led to the instantiation of a template, innermost first."""
        return _locations(_LOCATION, self.context)

    def included_at(self) -> list[Location]:
        """The lines that included the file, innermost first."""
        return _locations(_INCLUDED, self.context)


def clean_lines(log: str) -> list[str]:
    """The log's lines, cut to a bounded length, without control characters but tabs."""
    # The bound is for the patterns here and elsewhere: some take quadratic time.
    lines = (line[:MAX_LINE] for line in log.split("\n"))
    return [_CONTROLS.sub("\N{REPLACEMENT CHARACTER}", line) for line in lines]


def parse(lines: list[str]) -> list[Diagnostic]:
    """Every error and warning in order, with its notes."""
    found: list[Diagnostic] = []
    context: list[str] = []
    target: list[str] | None = None
    for line in lines:
        if EXCERPT.match(line):
            if target is not None:
                target.append(line)
            continue
        plain = line.translate(_QUOTES)
        diagnostic = _read(plain, context)
        target = diagnostic.excerpt if diagnostic else None
        if diagnostic is None:
            context.append(plain)
            continue
        context = []
        if diagnostic.kind != "note":
            found.append(diagnostic)
        elif found:
            found[-1].notes.append(diagnostic)
    return found


def _read(line: str, context: list[str]) -> Diagnostic | None:
    match = _DIAGNOSTIC.fullmatch(line)
    if match is None:
        return None
    at = Location(match["file"], int(match["line"]), int(match["column"] or 1))
    return Diagnostic(_KINDS.get(match["kind"], match["kind"]), at, match["text"], context)


def _locations(pattern: re.Pattern[str], lines: list[str]) -> list[Location]:
    found = []
    for line in lines:
        if match := pattern.match(line):
            column = int(match["column"]) if "column" in pattern.groupindex else 1
            found.append(Location(match["file"], int(match["line"]), column))
    return found
