"""Binaries that arrive as a descriptor, and tools that start processes."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from attack_box import start

from submissions_sandbox import (
    Binary,
    Box,
    Outcome,
    OutcomeKind,
    RunLimits,
    Sandbox,
    binary_profile,
    tool_profile,
)
from submissions_sandbox.watch import pid_behind

LIMITS = RunLimits(cpu_ms=500, memory_kb=256 * 1024)
TOOL = """
import os, subprocess

def preload():
    pass

def main(request):
    exec(compile(request, "tool", "exec"), {"os": os, "subprocess": subprocess})
"""


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    start().close()  # skips where there is no isolation
    with Sandbox(binary_profile({"ANSWER": "42"})) as sandbox, sandbox.open_box() as box:
        yield box


@pytest.fixture(scope="module")
def tool_box() -> Iterator[Box]:
    start().close()
    with Sandbox(tool_profile(TOOL, ())) as sandbox, sandbox.open_box() as box:
        yield box


def program(name: str) -> bytes:
    path = shutil.which(name)
    assert path is not None
    return Path(path).read_bytes()


def execute(box: Box, name: str, *arguments: str, stdin: bytes = b"") -> Outcome:
    with Binary(program(name)) as binary:
        return box.run(stdin, LIMITS, (name, *arguments), binary)


def test_a_binary_runs_with_its_request_as_input(box: Box) -> None:
    outcome = execute(box, "cat", stdin=b"bytes\x00\xff")
    assert (outcome.kind, outcome.exit_code, outcome.stdout) == ("exited", 0, b"bytes\x00\xff")


def test_a_binary_has_the_environment_of_its_profile(box: Box) -> None:
    assert b"ANSWER=42" in execute(box, "env").stdout.splitlines()


def test_a_binary_sees_libraries_and_no_programs(box: Box) -> None:
    assert execute(box, "sh", "-c", "echo /usr/*").stdout == b"/usr/lib /usr/lib64\n"
    assert execute(box, "sh", "-c", "echo /*").stdout == b"/bin /box /dev /lib /lib64 /tmp /usr\n"


def test_a_binary_sees_no_file_that_another_box_sees(box: Box) -> None:
    """A page of a file that two boxes map is a place where one could wake the other."""
    mounts = {bind.source: bind for bind in binary_profile().binds}
    assert mounts
    assert all(bind.copied for bind in mounts.values())


def test_a_binary_cannot_start_another_nor_itself_again(box: Box) -> None:
    for argv in (("sh", "-c", "exec /lib64/ld-linux-x86-64.so.2"), ("env", "cat")):
        assert execute(box, *argv).exit_code in (126, 127)


def test_runs_of_one_binary_share_it_and_cannot_change_it(box: Box) -> None:
    with Binary(program("cat")) as binary:
        with pytest.raises(OSError, match="Operation not permitted"):
            os.write(binary.descriptor, b"x")
        for word in (b"one", b"two"):
            assert box.run(word, LIMITS, ("cat",), binary).stdout == word


@pytest.mark.parametrize("content", [b"", b"no program", b"\x7fELF" + bytes(60)])
def test_what_is_no_program_does_not_start(box: Box, content: bytes) -> None:
    with Binary(content) as binary:
        outcome = box.run(b"", LIMITS, ("solution",), binary)
    assert (outcome.kind, outcome.exit_code) == (OutcomeKind.EXITED, 127)


def test_a_tool_starts_programs_and_reads_what_they_say(tool_box: Box) -> None:
    code = b"os.write(3, subprocess.check_output(['/usr/bin/env', 'echo', 'made']))"
    assert tool_box.run(code, LIMITS).result == b"made\n"


def test_what_a_tool_leaves_behind_ends_with_its_run(tool_box: Box) -> None:
    code = b"""
if os.fork() == 0:
    if os.fork() == 0:
        os.close(3)
        while True: pass
    os._exit(0)
os.write(3, b"left")
"""
    for _ in range(3):
        outcome = tool_box.run(code, LIMITS)
        assert (outcome.kind, outcome.result) == (OutcomeKind.EXITED, b"left")
        assert children_of_init(tool_box) == []


def children_of_init(box: Box) -> list[str]:
    pid = pid_behind(box._init_pidfd)
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


@pytest.mark.parametrize(
    "act",
    [
        "open('/etc/passwd')",
        "__import__('socket').socket()",
        "os.unshare(0x10000000) if hasattr(os, 'unshare') else open('/none')",
        "subprocess.check_call(['/usr/bin/mount', '-t', 'tmpfs', 'x', '/tmp'])",
        "os.kill(1, 9)",
    ],
)
def test_a_tool_is_held_like_any_program(tool_box: Box, act: str) -> None:
    code = f"try:\n    {act}\n    os.write(3, b'done')\nexcept Exception:\n    os.write(3, b'held')"
    assert tool_box.run(code.encode(), LIMITS).result == b"held"
