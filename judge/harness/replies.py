"""What a driver wrote, read as hostile bytes.

A reply can only fail a case or hand over an answer: the judge takes no verdict, time or memory
figure from it.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MAX_MESSAGE = 4000
# What a driver writes besides a value; JSON that is larger was written to cost memory.
MAX_WORDS_BYTES = 64 * 1024


class ReplyKind(StrEnum):
    """First byte of a reply frame."""

    VALUE = "V"
    MISMATCH = "M"
    RAISED = "R"
    OUT_OF_MEMORY = "O"
    EXIT = "X"
    DOES_NOT_COMPILE = "C"
    FINE = "K"


@dataclass(frozen=True)
class Reply:
    """One reply: ``payload`` for a value, the texts for everything else."""

    kind: ReplyKind
    payload: bytes = b""
    reason: str = ""
    message: str = ""
    error_class: str = ""
    line: int = 0


class ReplyError(ValueError):
    """Bytes that no driver wrote."""


def read_reply(frame: bytes) -> Reply:
    """Read one frame.

    Raises:
        ReplyError: an unknown kind or a malformed payload.
    """
    try:
        kind = ReplyKind(frame[:1].decode("ascii"))
    except ValueError:
        raise ReplyError("unknown kind of reply") from None
    if kind is ReplyKind.VALUE:
        return Reply(kind, payload=frame[1:])
    if len(frame) > MAX_WORDS_BYTES:
        raise ReplyError("reply is too large")
    try:
        fields = json.loads(frame[1:])
    except (ValueError, RecursionError):
        raise ReplyError("reply is no JSON") from None
    if not isinstance(fields, dict):
        raise ReplyError("reply is no JSON object")
    return Reply(
        kind,
        reason=_text(fields, "reason"),
        message=_text(fields, "message"),
        error_class=_text(fields, "error_class"),
        line=_line(fields.get("line")),
    )


def _text(fields: dict[str, Any], key: str) -> str:
    value = fields.get(key, "")
    if not isinstance(value, str):
        return ""
    # Lone surrogates are legal in JSON and in no database.
    return value[:MAX_MESSAGE].encode("utf-8", "replace").decode()


def _line(value: object) -> int:
    # JSON's true is an int for isinstance.
    return value if type(value) is int and 0 < value <= 1 << 17 else 0
