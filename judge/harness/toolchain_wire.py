"""Requests to a program of a toolchain and what it made of them, read as hostile bytes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judge.harness.replies import ReplyError

_LENGTH_BYTES = 4


@dataclass(frozen=True)
class ToolReply:
    """What a program came to: exit status (negative: a signal), its words, the file it made."""

    status: int
    log: str
    output: bytes


def driver_source() -> str:
    """The program that the sandbox preloads for tool boxes."""
    return (Path(__file__).parent / "drivers" / "toolchain_driver.py").read_text()


@dataclass(frozen=True)
class ToolRequest:
    """One program to be run on files in the box's own folder.

    Attributes:
        argv: the program by its absolute path, and its arguments.
        files: names and contents of what it finds there.
        output: name of the file that is to come back; empty for none.
        stdin: name of the file that it reads as standard input; empty for none.
        environment: variables besides the usual ones.
    """

    argv: Sequence[str]
    files: Mapping[str, bytes]
    output: str = ""
    stdin: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """What the driver reads."""
        header = {
            "argv": list(self.argv),
            "files": [[name, len(content)] for name, content in self.files.items()],
            "stdin": self.stdin,
            "output": self.output,
            "environment": dict(self.environment),
        }
        text = json.dumps(header).encode()
        return b"".join((len(text).to_bytes(_LENGTH_BYTES, "little"), text, *self.files.values()))


def read_tool_reply(frame: bytes) -> ToolReply:
    """Read one reply.

    Raises:
        ReplyError: bytes that the driver did not write.
    """
    end = _LENGTH_BYTES + int.from_bytes(frame[:_LENGTH_BYTES], "little")
    if len(frame) < _LENGTH_BYTES or end > len(frame):
        raise ReplyError("the reply ends too early")
    try:
        facts = json.loads(frame[_LENGTH_BYTES:end])
        status, log = facts["status"], facts["log"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ReplyError("the reply has no header") from None
    if type(status) is not int or type(log) is not str:
        raise ReplyError("the reply's header is not what a driver writes")
    # Lone surrogates are legal in JSON and in no file.
    return ToolReply(status, log.encode("utf-8", "replace").decode(), frame[end:])
