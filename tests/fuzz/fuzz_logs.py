"""What g++ says of hostile sources, true or invented, against the reader of its log."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from fuzz_driver import Round, Target
from fuzz_source import Source, claim, peak_bytes, within_cpu
from fuzz_values import type_of

from judge.domain.signatures import Parameter, Signature
from judge.domain.verdicts import Reason
from judge.harness.cpp_diagnostics import read_log
from judge.harness.cpp_text import MAX_LOG_BYTES
from judge.harness.cpp_unit import ARGUMENT, GLUE_FILES, NAMESPACE, RUNTIME_FILE

# As large as the toolchain's driver lets a log and the judge lets a source be, at the most.
_MOST_LOG_BYTES = 256 * 1024
_MOST_SOURCE_BYTES = 64 * 1024
_CPU_S = 8.0
_BYTES_PER_BYTE = 1200
_BYTES_AT_LEAST = 2 * 1024 * 1024
_REASONS = (Reason.SYNTAX, Reason.ENTRY_POINT, Reason.SIGNATURE, Reason.COMPILE_LIMIT)
_FILES = (
    "solution.cpp", "solution.cpp", "solution.cpp", *GLUE_FILES, RUNTIME_FILE, "unit.cpp",
    "/usr/include/c++/12/bits/stl_algo.h", "/x/cc0abc.s", "{standard input}", "/box/tmp/cc.o",
    "<built-in>", "a b", "é",
)  # fmt: skip
_KINDS = (
    "error", "error", "fatal error", "warning", "note", "sorry, unimplemented",
    "internal compiler error", "Error",
)  # fmt: skip
_TEXTS = (
    "expected ';' before '}' token", "'f' was not declared in this scope", "at end of input",
    "expected initializer before 'extern'", "static assertion failed: number for flag",
    f"no match for call to '({NAMESPACE}Call) (long long&)' {{aka 'long long'}}", f"{ARGUMENT}0",
    "invalid conversion from 'std::vector<int, std::allocator<int> >' to 'int'", "\\U000000e9",
    "\\U0011ffff", "/usr/include/x", "judge", "cannot convert '(…)' (use '-fpermissive=x)",
    "undefined reference to `f(long long)'", "multiple definition of `f'", "vtable for A",
)  # fmt: skip
_LINES = (
    "solution.cpp: In function 'int f()':", "In file included from solution.cpp:1:",
    "                 from <harness-call>:3,", "    1 | int f(", "      | ^~~",
    "compilation terminated.",
    "cc1plus: out of memory allocating 1 bytes",
    "g++: fatal error: Killed signal terminated program",
    "/usr/bin/ld: /tmp/a.o: in function `f': solution.cpp:(.text+0x1): undefined reference to `g'",
    "collect2: error: ld returned 1 exit status", "cc1plus: CPU time limit exceeded",
    "solution.cpp:1:2:   required from 'auto f() [with Got = void]'", "unit.cpp:(.text): x",
)  # fmt: skip
# What is repeated until it is long; a pattern that goes back and forth over it takes forever.
_PIECES = (
    "a", " ", "  ", ":", "1", "/", "'", "`", "<", ">", ", std::allocator<", "::", "|", "^",
    "long ",
    "\\U00", "(", "\t", "[with ", "Got = ", "{aka '", NAMESPACE, "judge", "\x1b[31m", "é", "/a",
    "_",
    "/usr/", "error: ", ".", "-", "/*", "*/", '"', "R\"(", "\\\n", "{", "0'0", "//", "'a",
    "u8R\"x(",
    "\u0300", "\uff21",
)  # fmt: skip


def _line(source: Source) -> str:
    kind = source.randrange(8)
    if kind < 4:
        place = f"{source.pick(_FILES)}:{source.pick((0, 1, 2, 3, 50, 10**9))}"
        column = f":{source.pick((0, 1, 7, 300, 10**8))}" if source.often(0.9) else ""
        return f"{place}{column}: {source.pick(_KINDS)}: {source.pick(_TEXTS)}"
    if kind == 4:
        return f"/x/a.o: undefined reference to `f{source.randrange(99)}'"
    if kind < 7:
        return source.pick(_LINES)
    return _long(source, 3000)


def _long(source: Source, most: int) -> str:
    pieces = "".join(source.some(_PIECES, 3)) or "a"
    count = source.size(most) // len(pieces) + 1
    return source.pick(("", "a", "/", "'")) + pieces * count + source.pick(("", "'", ">", ":", "!"))


def _log(source: Source) -> str:
    lines = [_line(source) for _ in range(source.size(60))]
    if source.often(0.2):
        # The same thing said until the log is full.
        lines *= 1 + source.size(_MOST_LOG_BYTES) // (sum(map(len, lines)) + 1)
    if source.often(0.2):
        place = source.randrange(len(lines) + 1)
        lines.insert(place, "".join(source.some(_TEXTS, 9)) + _long(source, _MOST_LOG_BYTES))
    return "\n".join(lines).encode("utf-8", "replace")[:_MOST_LOG_BYTES].decode("utf-8", "replace")


def _text(source: Source, name: str) -> str:
    parts = source.some((*_PIECES, f"int {name}(int a) {{ return a; }}\n", "\n", *_TEXTS), 30)
    if source.often(0.3):
        parts.insert(0, _long(source, _MOST_SOURCE_BYTES))
    return "".join(parts).encode()[:_MOST_SOURCE_BYTES].decode("utf-8", "replace")


def _read(source: Source, tried: Counter[str]) -> None:
    count = source.randrange(4)
    parameters = tuple(Parameter(f"value_{n}", type_of(source, 2)) for n in range(count))
    signature = Signature(source.pick(("f", "solve_it")), parameters, type_of(source, 2))
    text, log = _text(source, signature.name), _log(source)
    found: list[tuple[Reason, str]] = []

    def act() -> None:
        found.append(read_log(signature, text, log))

    with within_cpu(_CPU_S):
        if source.often(0.9):
            act()
        else:
            peak = peak_bytes(act)
            most = _BYTES_AT_LEAST + _BYTES_PER_BYTE * (len(log) + len(text))
            claim(peak <= most, "a log takes too much memory", peak, len(log), len(text))
    _check(found[0], text)
    tried[f"reason {found[0][0]}"] += 1
    tried["characters of logs"] += len(log)


def _check(found: tuple[Reason, str], text: str) -> None:
    reason, shown = found
    claim(reason in _REASONS, "no reason of a failure", reason)
    claim(shown.strip() and len(shown.encode()) <= MAX_LOG_BYTES, "no log of its size", len(shown))
    for name in re.findall(rf"/usr/include[\w/]*|<harness-\w+>|{NAMESPACE}\w*", shown):
        claim(name in text, "a name of ours is shown", name)


@contextmanager
def _offline() -> Iterator[Round]:
    yield _read


def targets() -> dict[str, Target]:
    """The reader of compile logs."""
    return {"log-cpp": partial(_offline)}
