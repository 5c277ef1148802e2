"""Programs that were started ahead of their request, by argv."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attack_box import start

from submissions_sandbox import (
    Box,
    Outcome,
    OutcomeKind,
    RunLimits,
    Sandbox,
    SandboxError,
    Spare,
    exec_profile,
    host_binds,
)

LIMITS = RunLimits(cpu_ms=300, memory_kb=256 * 1024)
PREFIXES = {str(Path(sys.base_prefix).resolve()), str(Path(sys.base_prefix))}
SERVER = """
import os, sys, time

def take(size):
    content = b""
    while len(content) < size:
        part = os.read(0, size - len(content))
        if not part:
            sys.exit()
        content += part
    return content

os.write(3, b"W")
while True:
    request = take(int.from_bytes(take(4), "little"))
    if request == b"loop":
        while True: pass
    if request == b"flood":
        while True: os.write(3, b"x" * 65536)
    if request == b"leave":
        os._exit(7)
    os.write(3, len(request).to_bytes(4, "little") + request[::-1])
"""


@pytest.fixture
def box() -> Iterator[Box]:
    start().close()  # skips where there is no isolation
    profile = exec_profile(host_binds(("/usr/bin", "/usr/lib", *PREFIXES)))
    with Sandbox(profile) as sandbox, sandbox.open_box() as box:
        yield box


def started(box: Box, code: str, limits: RunLimits = LIMITS) -> Spare:
    executable = str(Path(sys.executable).resolve())
    return box.start(limits, (executable, "-I", "-S", "-c", code))


def answered(spare: Spare, request: bytes) -> bytes:
    answer = spare.ask(request)
    assert isinstance(answer, bytes), answer
    return answer


def ended(spare: Spare, request: bytes) -> Outcome:
    answer = spare.ask(request)
    assert isinstance(answer, Outcome), answer
    return answer


def test_a_spare_reads_its_request_to_the_end_and_its_input_is_empty_then(box: Box) -> None:
    code = """
import os, sys
os.write(3, b"W")
request = sys.stdin.buffer.read()
os.write(3, b"%d %r" % (len(request), sys.stdin.buffer.read()))
"""
    with started(box, code) as spare:
        outcome = spare.run(b"x" * (3 << 20))
    assert (outcome.kind, outcome.result) == (OutcomeKind.EXITED, b"3145728 b''")


def test_what_a_spare_used_before_its_request_is_not_counted(box: Box) -> None:
    code = """
import os, sys, time
held = bytearray(64 << 20)
while time.process_time() < 1.5: pass
os.write(3, b"W")
sys.stdin.read()
"""
    with started(box, code) as spare:
        outcome = spare.run(b"")
    assert outcome.kind is OutcomeKind.EXITED
    assert outcome.cpu_ms < 300
    assert outcome.memory_kb < 32 * 1024


@pytest.mark.parametrize(
    ("act", "kind", "detail"),
    [
        ("while True: pass", OutcomeKind.TIME, "cpu"),
        ("time.sleep(60)", OutcomeKind.TIME, "wall"),
        ("while True: os.write(3, bytes(65536))", OutcomeKind.OUTPUT, "result"),
    ],
)
def test_limits_hold_from_the_request_on(
    box: Box, act: str, kind: OutcomeKind, detail: str
) -> None:
    code = f"import os, sys, time\nos.write(3, b'W')\nsys.stdin.read()\n{act}"
    with started(box, code) as spare:
        outcome = spare.run(b"")
    assert (outcome.kind, outcome.detail) == (kind, detail)


def test_a_program_that_never_becomes_warm_is_a_fault_of_the_judge(box: Box) -> None:
    code = "import sys; sys.exit('no such class')"
    with started(box, code) as spare, pytest.raises(SandboxError, match="no such class"):
        spare.run(b"")


def test_a_spare_that_died_before_its_request_is_a_fault_of_the_judge(box: Box) -> None:
    with started(box, "import os, time; os.write(3, b'W'); time.sleep(0.2)") as spare:
        spare.wait_until_warm()
        spare._watch.follow()
        with pytest.raises(SandboxError, match="before its request"):
            spare.run(b"")


def test_how_long_a_spare_has_waited_does_not_matter(box: Box) -> None:
    with started(box, SERVER) as spare:
        spare._watch._deadline_s -= 1e6
        assert answered(spare, b"ab") == b"ba"
        spare._watch._deadline_s -= 1e6
        assert answered(spare, b"cd") == b"dc"


def test_one_program_answers_many_requests(box: Box) -> None:
    with started(box, SERVER) as spare:
        assert [answered(spare, word) for word in (b"abc", b"", b"xy")] == [b"cba", b"", b"yx"]
        large = bytes(range(256)) * 8192
        assert answered(spare, large) == large[::-1]


def test_time_counts_for_each_request_anew(box: Box) -> None:
    code = SERVER.replace(
        "    os.write(3, len(request)",
        "    end = time.process_time() + 0.2\n"
        "    while time.process_time() < end: pass\n"
        "    os.write(3, len(request)",
    )
    with started(box, code, RunLimits(cpu_ms=300, requests=10)) as spare:
        for _ in range(5):
            assert answered(spare, b"ab") == b"ba"


@pytest.mark.parametrize(
    ("request_", "kind", "detail"),
    [
        (b"loop", OutcomeKind.TIME, "cpu"),
        (b"flood", OutcomeKind.OUTPUT, "result"),
        (b"leave", OutcomeKind.EXITED, ""),
    ],
)
def test_a_request_may_end_the_program(
    box: Box, request_: bytes, kind: OutcomeKind, detail: str
) -> None:
    with started(box, SERVER, RunLimits(cpu_ms=300, result_bytes=1 << 20)) as spare:
        assert answered(spare, b"ab") == b"ba"
        outcome = ended(spare, request_)
    assert (outcome.kind, outcome.detail) == (kind, detail)


def test_from_its_request_on_a_program_may_make_fewer_threads_than_at_its_start(box: Box) -> None:
    code = """
import os, sys, threading, time
os.write(3, b"W")
sys.stdin.read()
threading.stack_size(1 << 16)
count = 0
try:
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        count += 1
except RuntimeError:
    os.write(3, str(count).encode())
os._exit(0)
"""
    limits = RunLimits(cpu_ms=1000, memory_kb=4 << 20, processes=24, processes_at_start=96)
    with started(box, code, limits) as bomb:
        bomb.wait_until_warm()
        outcome = bomb.run(b"")
    assert 0 < int(outcome.result) <= 24


def test_a_started_program_sees_no_descriptor_but_its_own(box: Box) -> None:
    code = """
import json, os, sys
os.write(3, b"W")
sys.stdin.read()
seen = []
for number in range(1024):
    try:
        os.fstat(number)
    except OSError:
        continue
    seen.append(number)
os.write(3, json.dumps(seen).encode())
"""
    with started(box, code) as spare:
        assert json.loads(spare.run(b"").result) == [0, 1, 2, 3]
