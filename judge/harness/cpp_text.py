"""The last step of a C++ compile log: people's spellings, nothing of ours, a bounded length."""

import re
import sys

from judge.harness import cpp_output
from judge.harness.cpp_unit import NAMESPACE

MAX_LOG_BYTES = 8 * 1024
MAX_LINE = 400
MAX_ENTRIES = 20
# Paths, and names of ours; the word before and after is bounded, or a long one takes forever.
_OURS = re.compile(
    r"(?<![\w.])/(?:[\w.+-]+/){0,20}[\w.+-]+|<harness-[a-z]+>|unit\.cpp|cpp_runtime"
    rf"|\w{{0,40}}(?:{NAMESPACE}|__wrap|judge)\w*",
    re.IGNORECASE,
)
# How g++ writes letters beyond ASCII where no locale tells it that it may print them.
_ESCAPED = re.compile(r"\\U00([0-9a-f]{6})")
# The last argument of the standard containers, which nobody writes.
_ALLOCATOR = re.compile(r", std::allocator<[^<>]{0,200}(?:<[^<>]{0,200}>[^<>]{0,9})?>(?=>)")
# How people write what g++ spells out; the order matters.
_SPELLINGS = (
    (re.compile(r"std::__cxx11::"), "std::"),
    (
        re.compile(
            r"std::basic_string<char(?:, std::char_traits<char>)?(?:, std::allocator<char> ?)?>"
        ),
        "std::string",
    ),
    (re.compile(r"\blong long unsigned int\b"), "unsigned long long"),
    (re.compile(r"\blong unsigned int\b"), "unsigned long"),
    (re.compile(r"\b(long long|long|short) int\b"), r"\1"),
    (re.compile(r"(?<=>|g) (?=>)"), ""),
    (re.compile(rf"'[^']*{NAMESPACE}[^']*' \{{aka ('[^']+')\}}"), r"\1"),
    (re.compile(r"('[^']+') \{aka \1\}"), r"\1"),
    # Twice: of containers in containers, too.
    (_ALLOCATOR, ""),
    (_ALLOCATOR, ""),
    (re.compile(rf"(?:::)?{NAMESPACE}::Int::type\b"), "long long"),
    (re.compile(rf"(?:::)?{NAMESPACE}::(?:Floating<double>|Float)::type\b"), "double"),
    (re.compile(rf"(?:::)?{NAMESPACE}::Bool::type\b"), "bool"),
    (re.compile(rf"(?:::)?{NAMESPACE}::Str::type\b"), "std::string"),
    (re.compile(r" \(use '?-f[\w-]+=[^)]*\)"), ""),
)


def within_bounds(entries: list[list[str]], source: str) -> str:
    """The log of some entries, each of which is a few lines; what is said twice is shown once."""
    by_head = {_head(entry): entry for entry in reversed(entries)}
    kept = [by_head[head] for head in dict.fromkeys(map(_head, entries))]
    log, left = "", MAX_LOG_BYTES - len("…".encode())
    for line in [line for entry in kept[:MAX_ENTRIES] for line in entry]:
        shown = _clean(line, source) + "\n"
        left -= len(shown.encode())
        if left < 0:
            return log + "…"
        log += shown
    return log.rstrip("\n")


def _head(entry: list[str]) -> str:
    """The line of an entry that says what is wrong, without its context."""
    return next((line for line in entry if ": error: " in line), entry[0])


def _clean(line: str, source: str) -> str:
    if not cpp_output.EXCERPT.match(line):
        line = _ESCAPED.sub(lambda match: _unescaped(match, source), line)
        for pattern, spelling in _SPELLINGS:
            line = pattern.sub(spelling, line)
    line = _OURS.sub(lambda match: match.group() if match.group() in source else "…", line)
    return line if len(line) <= MAX_LINE else line[:MAX_LINE] + "…"


def _unescaped(match: re.Match[str], source: str) -> str:
    code = int(match[1], 16)
    character = chr(code) if code <= sys.maxunicode else ""
    return character if character and character in source else match.group()
