"""Requests to a toolchain's program and its replies, of which every byte may be hostile."""

import json

import pytest

from judge.harness.replies import ReplyError
from judge.harness.toolchain_wire import ToolRequest, read_tool_reply


def reply(header: object, output: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(4, "little") + text + output


def test_a_request_carries_names_sizes_and_contents() -> None:
    request = ToolRequest(
        ["/usr/bin/g++", "a.cpp"], {"a.cpp": b"int", "b": b""}, "a.out"
    ).to_bytes()
    end = 4 + int.from_bytes(request[:4], "little")
    header = json.loads(request[4:end])
    assert header["argv"] == ["/usr/bin/g++", "a.cpp"]
    assert header["files"] == [["a.cpp", 3], ["b", 0]]
    assert (header["output"], header["stdin"], header["environment"]) == ("a.out", "", {})
    assert request[end:] == b"int"


def test_a_reply_is_status_log_and_output() -> None:
    read = read_tool_reply(reply({"status": -9, "log": "killed"}, b"\x7fELF"))
    assert (read.status, read.log, read.output) == (-9, "killed", b"\x7fELF")


def test_a_log_can_be_stored_whatever_it_holds() -> None:
    assert read_tool_reply(reply(b'{"status": 1, "log": "a\\ud800b"}')).log == "a?b"


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\x01\x00",
        b"\xff\xff\xff\xff{}",
        reply(b"no json"),
        reply([]),
        reply({}),
        reply({"status": 0}),
        reply({"status": True, "log": ""}),
        reply({"status": "0", "log": ""}),
        reply({"status": 0, "log": 1}),
        reply(b"[" * 100_000),
        reply(b"\xff\xfe"),
    ],
)
def test_anything_else_is_refused(frame: bytes) -> None:
    with pytest.raises(ReplyError):
        read_tool_reply(frame)
