"""What the server and its reading process say to each other: JSON, then bytes as they are.

Owns both forms. A message is the length of its JSON head in eight bytes, the head, and the parts
whose sizes the head states; so the large texts of an upload are never parsed again. The server
believes the head's form no more than any other input: what does not fit is WireBroken.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from judge.errors import Finding
from judge.packages.content import CaseContent, Content
from judge.packages.intake.examine import Examined

# The head of an answer: texts of every locale, titles and hints of every case.
MAX_HEAD_BYTES = 8 * 1024 * 1024
_LENGTH_BYTES = 8
_TUPLES = ("topics", "prerequisites", "unwritten", "statements", "groups")


class WireBroken(ValueError):
    """A message that is not in the form that both sides agreed on."""


@dataclass(frozen=True)
class Order:
    """What is to be read: an upload with the slugs that there are, or (None) a stored package."""

    archive: bytes
    known: tuple[str, ...] | None


def write_order(order: Order) -> bytes:
    """An order as bytes."""
    return _pack({"known": order.known}, [order.archive])


def read_order(message: bytes) -> Order:
    """An order from bytes.

    Raises:
        WireBroken: they are none.
    """
    head, parts = _unpack(message)
    known = head["known"]
    return Order(parts[0], None if known is None else tuple(known))


def write_answer(examined: Examined) -> bytes:
    """An answer as bytes.

    Raises:
        WireBroken: its head is larger than may be answered.
    """
    head: dict[str, Any] = {"findings": [asdict(one) for one in examined.findings]}
    parts: list[bytes] = []
    content = examined.content
    if content is not None:
        plain = {name: getattr(content, name) for name in Content.__dataclass_fields__}
        parts.append(plain.pop("blob"))
        cases = plain.pop("cases")
        for case in cases:
            parts += (case.arguments, case.expected)
        head |= {"content": plain, "cases": [case.facts for case in cases]}
    return _pack(head, parts)


def read_answer(message: bytes) -> Examined:
    """An answer from bytes.

    Raises:
        WireBroken: they are none.
    """
    head, parts = _unpack(message)
    try:
        findings = tuple(Finding(**one) for one in head["findings"])
        if "content" not in head:
            return Examined(findings, None)
        plain = head["content"] | {name: tuple(head["content"][name]) for name in _TUPLES}
        blob, *texts = parts
        cases = tuple(
            CaseContent(facts, arguments, expected)
            for facts, arguments, expected in zip(
                head["cases"], texts[::2], texts[1::2], strict=True
            )
        )
        return Examined(findings, Content(**plain, blob=blob, cases=cases))
    except (KeyError, TypeError, ValueError) as error:
        raise WireBroken(f"no answer: {error}") from error


def _pack(head: dict[str, Any], parts: Sequence[bytes]) -> bytes:
    text = json.dumps({**head, "sizes": [len(part) for part in parts]}, ensure_ascii=False)
    encoded = text.encode("utf-8", "surrogatepass")
    if len(encoded) > MAX_HEAD_BYTES:
        raise WireBroken(f"a head of {len(encoded)} bytes")
    return b"".join((len(encoded).to_bytes(_LENGTH_BYTES, "little"), encoded, *parts))


def _unpack(message: bytes) -> tuple[dict[str, Any], list[bytes]]:
    length = int.from_bytes(message[:_LENGTH_BYTES], "little")
    place = _LENGTH_BYTES + length
    if length > MAX_HEAD_BYTES or place > len(message):
        raise WireBroken("a head that is cut off")
    try:
        head = json.loads(message[_LENGTH_BYTES:place].decode("utf-8", "surrogatepass"))
        sizes = [int(size) for size in head["sizes"]]
    except (KeyError, TypeError, ValueError) as error:
        raise WireBroken(f"no head: {error}") from error
    parts = []
    for size in sizes:
        parts.append(message[place : place + size])
        place += size
    if place != len(message) or any(size < 0 for size in sizes):
        raise WireBroken("parts of other sizes than the head states")
    return head, parts
