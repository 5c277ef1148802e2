"""Reply frames: whatever bytes arrive, they become a bounded reply or are refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.harness.replies import MAX_MESSAGE, Reply, ReplyError, ReplyKind, read_reply

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
KEYS = ("reason", "message", "error_class", "line")


def frame(kind: str, **fields: Any) -> bytes:
    return kind.encode() + json.dumps(fields).encode()


def test_a_value_is_handed_on_unread() -> None:
    assert read_reply(b"V\x00\xffanything") == Reply(ReplyKind.VALUE, payload=b"\x00\xffanything")


@pytest.mark.parametrize("kind", [kind for kind in ReplyKind if kind is not ReplyKind.VALUE])
def test_every_other_kind_carries_texts(kind: ReplyKind) -> None:
    reply = read_reply(frame(kind, reason="r", message="m", error_class="E", line=7, more=1))
    assert reply == Reply(kind, b"", "r", "m", "E", 7)


@pytest.mark.parametrize(
    "bytes_",
    [b"", b"v", b"Z{}", b"\xff", b"\xc3\xa9", b"R", b"R{", b"R[]", b"R1", b"Rnull", b'R"text"',
     b"R{}{}", b"R\xff\xfe", b"R" + b"[" * 100_000, b'R{"line": 1' + b"0" * 5000 + b"}"],
)  # fmt: skip
def test_anything_else_is_refused(bytes_: bytes) -> None:
    with pytest.raises(ReplyError):
        read_reply(bytes_)


@given(st.binary(max_size=300))
def test_no_bytes_do_worse_than_a_refusal(bytes_: bytes) -> None:
    bounded_or_refused(bytes_)


@given(st.sampled_from("MRXCKO"), st.dictionaries(st.sampled_from(KEYS) | st.text(), JSON))
def test_fields_of_any_kind_become_bounded_texts_and_a_line(
    kind: str, fields: dict[str, Any]
) -> None:
    bounded_or_refused(kind.encode() + json.dumps(fields).encode())


def bounded_or_refused(bytes_: bytes) -> None:
    try:
        reply = read_reply(bytes_)
    except ReplyError:
        return
    for text in (reply.reason, reply.message, reply.error_class):
        assert len(text) <= MAX_MESSAGE
        text.encode()
    assert type(reply.line) is int
    assert 0 <= reply.line <= 1 << 17


@pytest.mark.parametrize("line", [True, 0, -1, 1.5, "3", None, [1], 1 << 18])
def test_what_is_no_line_number_is_none(line: object) -> None:
    assert read_reply(frame("R", line=line)).line == 0


def test_lone_surrogates_do_not_pass() -> None:
    assert read_reply(b'R{"message": "\\ud800!"}').message == "?!"


def test_long_texts_are_cut() -> None:
    assert len(read_reply(frame("R", message="x" * 50_000)).message) == MAX_MESSAGE
