"""Runs inside a box of a package's own: calls a Kattis output validator in Python once.

This file is read as text by judge.harness.validators and handed to the sandbox, which calls
``preload()`` once and ``main(request)`` in each run. The validator finds the case's input, its
answer and an empty feedback folder under the names in its arguments, and the learner's output on
its standard input. It ends with its own exit status; on descriptor 3 stands what it wrote to
judgemessage.txt.

Request: blocks of a u32 length and that many bytes: input, answer, output, count of files, for each
its name and content (the first one starts), then the arguments.
"""

import contextlib
import os
import pathlib
import runpy
import sys
import traceback

RESULT_DESCRIPTOR = 3
MAX_MESSAGE_BYTES = 4000
FEEDBACK = "feedback/"


def preload() -> None:
    """Nothing to warm."""


def main(request: bytes) -> None:
    """Answer one request; does not return."""
    blocks = split(request)
    for name, content in zip(("input", "answer", "output"), blocks, strict=False):
        pathlib.Path(name).write_bytes(content)
    files_end = 4 + 2 * int(blocks[3])
    names = [name.decode() for name in blocks[4:files_end:2]]
    for name, content in zip(names, blocks[5:files_end:2], strict=True):
        pathlib.Path(name).write_bytes(content)
    pathlib.Path(FEEDBACK).mkdir()
    arguments = [block.decode() for block in blocks[files_end:]]
    status = run(names[0], ["input", "answer", FEEDBACK, *arguments])
    tell()
    os._exit(status)


def split(request: bytes) -> list[bytes]:
    """The request's blocks."""
    blocks, position = [], 0
    while position < len(request):
        start = position + 4
        position = start + int.from_bytes(request[position:start], "little")
        blocks.append(request[start:position])
    return blocks


def run(name: str, arguments: list[str]) -> int:
    """The validator's exit status."""
    output = os.open("output", os.O_RDONLY)
    os.dup2(output, 0)
    os.close(output)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.argv = [name, *arguments]
    sys.dont_write_bytecode = True
    sys.path.insert(0, ".")
    status: object = 0
    try:
        runpy.run_path(name, run_name="__main__")
    except SystemExit as error:
        status = error.code
    except BaseException:
        traceback.print_exc()
        status = 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    return status if isinstance(status, int) else 0 if status is None else 1


def tell() -> None:
    """Hand back what the validator wrote for the judges."""
    with contextlib.suppress(OSError):
        message = pathlib.Path(FEEDBACK, "judgemessage.txt").read_bytes()[:MAX_MESSAGE_BYTES]
        os.write(RESULT_DESCRIPTOR, message)
