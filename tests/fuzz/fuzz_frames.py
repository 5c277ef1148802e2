"""Bytes out of a box against whoever reads them: a value, the documented error, or a finding."""

import json
import struct
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from fuzz_driver import Round, Target
from fuzz_source import EDGES, Source, claim, peak_bytes, within_cpu
from fuzz_values import holds_nan, is_of, mutated, type_of, value_of
from plain_values import plain

from judge.domain.signatures import Scalar, ValueType
from judge.domain.values import from_json, to_json
from judge.domain.verdicts import Reason
from judge.grading.engines.elf import claimed_memory_bytes
from judge.harness import java_wire, toolchain_wire, wire
from judge.harness.java_wire import CompileFailure, JavaProgram
from judge.harness.replies import MAX_MESSAGE, ReplyError, ReplyKind, read_reply
from submissions_sandbox import reports

_FRAMES_PER_ROUND = 40
# For frames of some kilobytes; what any of them takes is far below.
_CPU_S = 2.0
_MOST_BYTES = 20_000
# A value's objects take more room than their bytes: an empty text of four bytes 57 and a place in
# a list, a tuple of one flag 48, and tuples may stand in tuples.
_BYTES_PER_BYTE = 200
_BYTES_AT_LEAST = 256 * 1024
_FLOAT = Scalar("float")
_FAILURES = (Reason.SYNTAX, Reason.ENTRY_POINT, Reason.SIGNATURE)
_TEXTS = ("", "m", "é\x00\ud800", "x" * 5000, "wrong_shape", "ValueError", "\U0010ffff" * 9)


def _read_value(source: Source, tried: Counter[str]) -> None:
    """judge.harness.wire, both ways."""
    kind = type_of(source)
    value = value_of(source, kind)
    claim(is_of(kind, value), "the fuzzer makes a value of another type", str(kind), value)
    frame = wire.encode(kind, value)
    claim(plain(wire.decode(kind, frame)) == plain(value), "a value changes", str(kind), value)
    again = from_json(kind, json.loads(json.dumps(to_json(kind, value))))
    claim(plain(again) == plain(value), "a value changes through JSON", str(kind), value)
    for _ in range(_FRAMES_PER_ROUND):
        _read_hostile_value(source, tried, kind, _hostile(source, frame))


def _read_hostile_value(source: Source, tried: Counter[str], kind: ValueType, frame: bytes) -> None:
    read = _bounded(source, partial(wire.decode, kind), frame, wire.WireError)
    tried["values" if read else "refused"] += 1
    if read:
        claim(is_of(kind, read[0]), "not of its type", str(kind), frame)
        back = wire.encode(kind, read[0])
        # A value has one form, but for what a processor does to the bits of a NaN.
        is_same = back == frame or (holds_nan(read[0]) and len(back) == len(frame))
        claim(is_same, "a value has two forms", str(kind), frame, back)


def _read_reply(source: Source, tried: Counter[str]) -> None:
    """judge.harness.replies."""
    fields = {
        name: source.pick(_TEXTS) if source.often(0.8) else _any_json(source, 3)
        for name in source.sample(("reason", "message", "error_class", "more"), 3)
    }
    fields["line"] = _any_json(source, 1) if source.often(0.3) else source.pick(EDGES)
    valid = source.pick(tuple(ReplyKind)).encode() + json.dumps(fields).encode()
    for frame in (valid, *(_hostile(source, valid) for _ in range(_FRAMES_PER_ROUND))):
        read = _bounded(source, read_reply, frame, ReplyError)
        tried["replies" if read else "refused"] += 1
        if read:
            reply = read[0]
            texts = (reply.reason, reply.message, reply.error_class)
            claim(all(len(text.encode()) <= 4 * MAX_MESSAGE for text in texts), "long text", frame)
            claim(type(reply.line) is int and 0 <= reply.line <= 1 << 17, "no line", frame)


def _read_tool_reply(source: Source, tried: Counter[str]) -> None:
    """judge.harness.toolchain_wire."""
    facts: Any = {"status": source.pick((0, 1, -9, True, 1.5)), "log": source.pick(_TEXTS)}
    if source.often(0.2):
        facts = _any_json(source, 3)
    text = json.dumps(facts).encode()
    output = source.randbytes(source.size(500))
    valid = len(text).to_bytes(4, "little") + text + output
    for frame in (valid, *(_hostile(source, valid) for _ in range(_FRAMES_PER_ROUND))):
        read = _bounded(source, toolchain_wire.read_tool_reply, frame, ReplyError)
        tried["replies" if read else "refused"] += 1
        if read:
            claim(type(read[0].status) is int, "no status", frame)
            read[0].log.encode()
            claim(frame.endswith(read[0].output), "another output", frame)


def _read_compile_reply(source: Source, tried: Counter[str]) -> None:
    """judge.harness.java_wire, both ways."""
    names = [f"Solution{source.pick(_TEXTS)[:3]}".replace("\ud800", "") for _ in range(3)]
    classes = [(name, source.randbytes(source.size(300))) for name in names]
    if source.often(0.9):
        classes = list(dict(classes).items())
    program = JavaProgram(source.pick(names), tuple(classes))
    if len(dict(classes)) == len(classes):
        claim(JavaProgram.from_bytes(program.to_bytes()) == program, "a program changes", program)
    reasons = (*_FAILURES * 8, *Reason)
    log = source.pick(_TEXTS).encode("utf-8", "replace")
    blocks = (source.pick(reasons).encode(), b"Solution.java:1: " + log)
    texts = b"".join(len(block).to_bytes(4, "little") + block for block in blocks)
    valid = source.pick((b"K" + program.to_bytes(), b"C" + texts, b"E" + texts))
    for frame in (valid, *(_hostile(source, valid) for _ in range(_FRAMES_PER_ROUND))):
        read = _bounded(source, java_wire.read_compile_reply, frame, ReplyError)
        tried["refused" if not read else type(read[0]).__name__] += 1
        if read and isinstance(read[0], JavaProgram):
            claim(read[0].to_bytes() == frame[1:], "a program changes", frame)
            found = [name for name, _ in read[0].classes]
            claim(found.count(read[0].entry) == 1, "no entry class, or two", frame)
            claim(len(set(found)) == len(found), "a class stands twice", frame)
        elif read:
            claim(isinstance(read[0], CompileFailure), "no failure", frame)


def _read_report(source: Source, tried: Counter[str]) -> None:
    """submissions_sandbox.reports, both ways."""
    figure, size = value_of(source, _FLOAT), source.randrange(1 << 40)
    texts = tuple(text.replace("\ud800", "") for text in _TEXTS)
    report: reports.Report = source.pick(
        (
            reports.Started(),
            reports.Ready(figure, size),
            reports.Exited(source.randrange(1 << 16), figure, size),
            reports.Failed(source.pick(texts)[:400]),
        )
    )
    valid = reports.encode(report)
    claim(repr(reports.decode(valid)) == repr(report), "a report changes", report)
    for frame in (valid, *(_hostile(source, valid) for _ in range(_FRAMES_PER_ROUND))):
        read = _bounded(source, reports.decode, frame, ValueError)
        tried["refused" if not read else type(read[0]).__name__] += 1


def _read_program(source: Source, tried: Counter[str]) -> None:
    """judge.grading.engines.elf: what a compiler made of a hostile source."""
    head = b"\x7fELF\x02\x01" + bytes(26)
    words = struct.pack("<Q14xHH", source.word(), source.randrange(1 << 16), source.getrandbits(16))
    valid = head + words + source.randbytes(source.size(300))
    for frame in (valid, *(_hostile(source, valid) for _ in range(_FRAMES_PER_ROUND))):
        read = _bounded(source, claimed_memory_bytes, frame, ())
        claim(read and type(read[0]) is int and read[0] >= 0, "no size", frame)
        tried["sizes"] += 1


def _hostile(source: Source, valid: bytes) -> bytes:
    """Near valid bytes, or behind their first one anything, or anything at all."""
    kind = source.randrange(10)
    if kind < 8:
        return mutated(source, valid)[:_MOST_BYTES]
    noise = source.randbytes(source.size(_MOST_BYTES))
    if source.often(0.5):
        noise = source.pick((b"\0", b"\1", b"\xff")) * len(noise)
    if kind == 8:
        return valid[:1] + noise
    # As many small items as there is room for.
    share = source.pick((1, 4, 5, 8))
    return (len(noise) // share).to_bytes(4, "little") + noise


def _any_json(source: Source, depth: int) -> Any:
    kind = source.randrange(8 if depth else 6)
    match kind:
        case 6:
            return [_any_json(source, depth - 1) for _ in range(source.randrange(3))]
        case 7:
            return {source.pick(_TEXTS): _any_json(source, depth - 1)}
    return source.pick((None, True, 1.5, source.word(), -1, 10**400, "text", "\ud800"))


def _bounded(
    source: Source,
    read: Callable[[bytes], Any],
    frame: bytes,
    refusal: type[Exception] | tuple[()],
) -> list[Any]:
    """What a reader makes of a frame, alone in a list; empty where it refuses it properly."""
    found: list[Any] = []

    def act() -> None:
        try:
            found.append(read(frame))
        except refusal:
            return
        except Exception as error:
            error.add_note(f"frame: {frame!r}")
            raise

    with warnings.catch_warnings(), within_cpu(_CPU_S):
        warnings.simplefilter("error")
        # To measure takes several times as long as to read.
        if source.often(0.9):
            act()
        else:
            peak = peak_bytes(act)
            most = _BYTES_AT_LEAST + _BYTES_PER_BYTE * len(frame)
            claim(peak <= most, "a frame takes too much memory", peak, len(frame), frame[:200])
    return found


@contextmanager
def _offline(one_round: Round) -> Iterator[Round]:
    yield one_round


def targets() -> dict[str, Target]:
    """Every reader by name."""
    rounds: dict[str, Round] = {
        "frames-value": _read_value,
        "frames-reply": _read_reply,
        "frames-tool": _read_tool_reply,
        "frames-java": _read_compile_reply,
        "frames-report": _read_report,
        "frames-elf": _read_program,
    }
    return {name: partial(_offline, one_round) for name, one_round in rounds.items()}
