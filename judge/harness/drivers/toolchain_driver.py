"""Runs inside a tool box: starts one program of a toolchain on files and hands back what it made.

This file is read as text by judge.harness.toolchain_wire and handed to the sandbox, which calls
``preload()`` once and ``main(request)`` in each run. A compiler reads a hostile source, so what
comes back is believed for no more than "this is what the compiler made of it".

Request: u32 length and JSON header {argv, files: [[name, size]], stdin, output, environment}, then
the files.
Reply on descriptor 3: u32 length and JSON {status, log}, then the output file, if there is one.
The program's own descriptor 3 is a file that nobody reads.
"""

import json
import os
import pathlib
import signal
import typing

RESULT_DESCRIPTOR = 3
MAX_LOG_BYTES = 128 * 1024  # of the beginning, and of the end
READ_BYTES = 1 << 16
ENVIRONMENT = {"HOME": ".", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin", "TMPDIR": "."}


def preload() -> None:
    """Nothing to warm: the time goes into the program that is started."""


def main(request: bytes) -> None:
    """Answer one request."""
    header_end = 4 + int.from_bytes(request[:4], "little")
    header = json.loads(request[4:header_end])
    write_files(header["files"], request[header_end:])
    status, log = run(header["argv"], header["stdin"], ENVIRONMENT | header["environment"])
    made = read_output(header["output"])
    facts = json.dumps({"status": status, "log": log.decode("utf-8", "replace")}).encode()
    frame = memoryview(len(facts).to_bytes(4, "little") + facts + made)
    while frame:
        frame = frame[os.write(RESULT_DESCRIPTOR, frame) :]


def write_files(files: list[list[typing.Any]], contents: bytes) -> None:
    """Put the request's files into the box's own folder."""
    position = 0
    for name, size in files:
        pathlib.Path(name).write_bytes(contents[position : position + size])
        position += size


def run(argv: list[str], stdin: str, environment: dict[str, str]) -> tuple[int, bytes]:
    """Exit status (negative: a signal) and the head of what the program said."""
    listen, say = os.pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, stdin or "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, say, 1),
        (os.POSIX_SPAWN_DUP2, say, 2),
        (os.POSIX_SPAWN_OPEN, RESULT_DESCRIPTOR, "unread", os.O_WRONLY | os.O_CREAT, 0o600),
    ]
    # Python ignores SIGPIPE, and who is started would inherit that.
    child = os.posix_spawn(
        argv[0], argv, environment, file_actions=actions, setsigdef=[signal.SIGPIPE]
    )
    os.close(say)
    log = read_ends(listen)
    os.close(listen)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), log


def read_ends(descriptor: int) -> bytes:
    """What a pipe brings to its end; of very much only the beginning and the end."""
    head, tail = b"", b""
    while part := os.read(descriptor, READ_BYTES):
        room = MAX_LOG_BYTES - len(head)
        head += part[:room]
        tail = (tail + part[room:])[-MAX_LOG_BYTES:]
    return head + tail


def read_output(name: str) -> bytes:
    """The file that the program made; empty where it made none."""
    path = pathlib.Path(name)
    return path.read_bytes() if name and path.is_file() else b""
