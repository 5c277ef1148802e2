"""How much is kept of what a box said, and in which form every database takes it."""

import json

from judge.db.tables.results import MAX_GOT_BYTES
from judge.domain.signatures import ValueType
from judge.domain.values import Value, to_json

MAX_OUTPUT_CHARACTERS = 4 * 1024
MAX_MESSAGE_CHARACTERS = 2 * 1024
MAX_NOTE_CHARACTERS = 2 * 1024
MAX_LOG_CHARACTERS = 16 * 1024


def clean(text: str, limit: int) -> str:
    """Text that every database takes: no NUL, no lone surrogate, cut with a sign that it is."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return cut.replace("\0", "\ufffd").encode(errors="replace").decode()


def json_head(value_type: ValueType, value: Value) -> bytes:
    """The head of a value as JSON text; one that was cut ends in ``~``."""
    data = to_json(value_type, value)
    # ASCII only, so characters are bytes; a value of megabytes is not spelled out to its end.
    head: list[str] = []
    room = MAX_GOT_BYTES - 1
    for piece in json.JSONEncoder(ensure_ascii=True).iterencode(data):
        room -= len(piece)
        if room < 0:
            return "".join([*head, piece[:room], "~"]).encode()
        head.append(piece)
    return "".join(head).encode()
