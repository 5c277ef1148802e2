"""Java: what goes to the compile server and to the driver, and what the compile server answers.

The driver's own answers are read by judge.harness.replies. The sources in ``drivers/java`` hold the
other side of both protocols. A learner's source is compiled but never run where a compile reply is
written; it is read as hostile all the same.
"""

from collections.abc import Sized
from dataclasses import dataclass
from pathlib import Path

from judge.domain.signatures import Signature
from judge.domain.values import Arguments
from judge.domain.verdicts import Reason
from judge.harness import java, wire
from judge.harness.replies import ReplyError

DRIVER_CLASS = "decodejudge.Driver"
SERVER_CLASS = "decodejudge.CompileServer"
# The jar's: with it, `java -jar` lets the driver open descriptor 3 by its number. The compile
# server is not the jar's main class and needs SERVER_FLAGS instead.
MANIFEST = f"Manifest-Version: 1.0\nMain-Class: {DRIVER_CLASS}\nAdd-Opens: java.base/java.io\n\n"
SERVER_FLAGS = ("--add-opens", "java.base/java.io=ALL-UNNAMED")
# How the driver's sources are compiled.
JAVAC_FLAGS = ("--release", "17", "-XDstringConcat=inline", "-encoding", "UTF-8")
READY = b"W"
# What the compile server keeps to: class files of one program, names included twice.
MAX_CLASS_BYTES = 4 * 1024 * 1024
MAX_REPLY_BYTES = 3 * MAX_CLASS_BYTES
MAX_CLASSES = 100_000
MAX_LOG_BYTES = 8192
_MAX_NAME_BYTES = 65_535
_REASONS = (Reason.SYNTAX, Reason.ENTRY_POINT, Reason.SIGNATURE)


@dataclass(frozen=True)
class JavaProgram:
    """A compiled source: ``entry`` is the binary name of its Solution, ``classes`` all of it."""

    entry: str
    classes: tuple[tuple[str, bytes], ...]

    def to_bytes(self) -> bytes:
        """The form in which replies, calls and caches hold it."""
        classes = (_text(name) + _block(body) for name, body in self.classes)
        return b"".join((_text(self.entry), _count(self.classes), *classes))

    @staticmethod
    def from_bytes(payload: bytes) -> "JavaProgram":
        """Read what ``to_bytes`` wrote.

        Raises:
            ReplyError: the bytes are no program.
        """
        reader = _Reader(payload)
        entry = reader.text(_MAX_NAME_BYTES)
        count = reader.count(MAX_CLASSES)
        classes = {}
        for _ in range(count):
            name = reader.text(_MAX_NAME_BYTES)
            classes[name] = reader.block(MAX_CLASS_BYTES)
        reader.end()
        if entry not in classes or len(classes) != count:
            raise ReplyError("no entry class, or a class twice")
        if sum(map(len, classes.values())) > MAX_CLASS_BYTES:
            raise ReplyError("classes are too large")
        return JavaProgram(entry, tuple(classes.items()))


@dataclass(frozen=True)
class CompileFailure:
    """Why a source cannot be judged; ``log`` is for the learner.

    ``ends_server``: the source has broken the compiler, and the server ends after this reply.
    """

    reason: Reason
    log: str
    ends_server: bool = False


def driver_sources() -> dict[str, str]:
    """Texts of the driver's and compile server's source files by file name."""
    folder = Path(__file__).parent / "drivers" / "java"
    return {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.java"))}


def compile_request(signature: Signature, source: str) -> bytes:
    """Ask the compile server for a program; the frame's length is not in it."""
    declaration = "\n".join((*java.record_declarations(signature), java.method_head(signature)))
    kinds = [signature.returns, *(parameter.type for parameter in signature.parameters)]
    types = [
        _text(str(kind)) + _text(java_type)
        for kind, java_type in zip(kinds, java.method_types(signature), strict=True)
    ]
    parts = (_text(signature.name), _text(declaration), _count(types), *types, _text(source))
    return b"".join(parts)


def program_compile_request(source: str) -> bytes:
    """Ask the compile server for a program with a main method."""
    return b"".join((_text(""), _text(""), _count(()), _text(source)))


def program_request(program: JavaProgram, text: bytes) -> bytes:
    """Ask a driver to run a program; ``text`` is its standard input."""
    return b"".join((program.to_bytes(), _text(""), text))


def read_compile_reply(payload: bytes) -> JavaProgram | CompileFailure:
    """Read a compile server's answer.

    Raises:
        ReplyError: bytes that no compile server wrote.
    """
    if payload[:1] == b"K":
        return JavaProgram.from_bytes(payload[1:])
    if payload[:1] not in (b"C", b"E"):
        raise ReplyError("unknown kind of reply")
    reader = _Reader(payload[1:])
    reason, log = reader.text(_MAX_NAME_BYTES), reader.text(MAX_LOG_BYTES)
    reader.end()
    if reason not in _REASONS:
        raise ReplyError("unknown reason of a failure")
    return CompileFailure(Reason(reason), log, ends_server=payload[:1] == b"E")


def call_request(signature: Signature, program: JavaProgram, arguments: Arguments) -> bytes:
    """Ask a driver for the method's value at one case's arguments."""
    kinds = [signature.returns, *(parameter.type for parameter in signature.parameters)]
    types = [_text(str(kind)) for kind in kinds]
    values = wire.encode_arguments(signature, arguments)
    names = [parameter.name for parameter in signature.parameters]
    drawn = 1 + names.index(signature.drawn) if signature.drawn else 0
    parts = (
        program.to_bytes(),
        _text(signature.name),
        _count(types),
        *types,
        _number(drawn),
        values,
    )
    return b"".join(parts)


def _text(text: str) -> bytes:
    return _block(text.encode())


def _block(body: bytes) -> bytes:
    return len(body).to_bytes(4, "little") + body


def _count(items: Sized) -> bytes:
    return _number(len(items))


def _number(number: int) -> bytes:
    return number.to_bytes(4, "little")


class _Reader:
    """A cursor over hostile bytes; every block has a limit of its own."""

    def __init__(self, payload: bytes) -> None:
        self._payload = payload
        self._position = 0

    def count(self, limit: int) -> int:
        count = int.from_bytes(self._take(4), "little")
        if count > limit:
            raise ReplyError("more than a reply may hold")
        return count

    def block(self, limit: int) -> bytes:
        return self._take(self.count(limit))

    def text(self, limit: int) -> str:
        try:
            return self.block(limit).decode()
        except UnicodeDecodeError:
            raise ReplyError("text is not UTF-8") from None

    def end(self) -> None:
        if self._position != len(self._payload):
            raise ReplyError("bytes are left over")

    def _take(self, size: int) -> bytes:
        start, self._position = self._position, self._position + size
        if self._position > len(self._payload):
            raise ReplyError("the reply ends too early")
        return self._payload[start : self._position]
