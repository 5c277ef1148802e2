"""Memory by every way to get it, in both tiers, with and without control groups.

The honest get what they were promised and are measured as they are; the others get no more.
"""

import ast
import shutil
import struct
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from attack_box import LIMITS, PROGRAM, Runner, start

from submissions_sandbox import (
    ALL_TIERS,
    Binary,
    OutcomeKind,
    RunLimits,
    Tier,
    binary_profile,
    exec_profile,
    host_binds,
    python_profile,
)
from submissions_sandbox.cgroups import Groups, Lacking
from submissions_sandbox.profile import Profile
from submissions_sandbox.syscall_numbers import machine

# What always runs of this kind is in test_memory.py.
pytestmark = pytest.mark.slow

MIB = 1024
LIMIT_KB = 512 * MIB
LARGE = {"cpu_ms": 6000, "memory_kb": LIMIT_KB, "processes": 128}
# The group's own limit, coarse and above the program's, and what a look in between may miss.
ROOM_KB = 34 * MIB
GETTING = """
import errno, mmap
taken, keep = 0, []
def touch(block):
    for at in range(0, len(block), 4096): block[at] = 1
def hold(block):
    global taken
    keep.append(block)
    taken += len(block) >> 20
"""
# Each gets 600 MB on an unguarded machine, in steps; it says how much it got, and what stopped it.
HOGS = {
    "heap": """
        for _ in range(60): hold(bytearray(10 << 20))
    """,
    "private maps": """
        for _ in range(60):
            block = mmap.mmap(-1, 10 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            touch(block); hold(block)
    """,
    "shared maps": """
        for _ in range(60):
            block = mmap.mmap(-1, 10 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
            touch(block); hold(block)
    """,
    "a memory file": """
        file = os.memfd_create("store")
        for _ in range(60):
            os.write(file, bytes(10 << 20)); taken += 10
    """,
    "many files in /tmp": """
        for number in range(150):
            with open(f"/tmp/{number}", "wb", buffering=0) as file:
                file.write(bytes(4 << 20)); taken += 4
    """,
    "one file in /tmp": """
        with open("/tmp/file", "wb", buffering=0) as file:
            for _ in range(60):
                if file.write(bytes(10 << 20)) < 10 << 20:
                    raise OSError(errno.ENOSPC, "as full as it gets")
                taken += 10
    """,
    "many small threads": """
        threading.stack_size(1 << 16)
        wait = threading.Event()
        started = threading.Semaphore(0)
        faults = []
        def work():
            try:
                hold(bytearray(10 << 20))
            except MemoryError as error:
                faults.append(error)
            started.release()
            wait.wait()
        for _ in range(60):
            threading.Thread(target=work, daemon=True).start()
            started.acquire()
            if faults: raise faults[0]
    """,
}
STOPPED = {
    "MemoryError",
    "OSError ENOMEM",
    "PermissionError EPERM",
    "PermissionError EACCES",
    "OSError ENOSPC",
    "OSError EFBIG",
    "FileNotFoundError ENOENT",
    "RuntimeError",
}
SHARED_HOG = """
import mmap
block = mmap.mmap(-1, 600 << 20)
for at in range(0, len(block), 4096): block[at] = 1
while True: pass
"""


@pytest.fixture(scope="module", params=[False, True], ids=["no group", "a control group"])
def groups(request: pytest.FixtureRequest) -> Iterator[Groups | None]:
    if not request.param:
        yield None
        return
    found = Groups.find()
    if isinstance(found, Lacking):
        pytest.skip(f"this user has no control groups of its own ({found.detail})")
    with found:
        yield found


@pytest.fixture(scope="module", params=ALL_TIERS, ids=[f"tier {tier}" for tier in ALL_TIERS])
def tier(request: pytest.FixtureRequest) -> Tier:
    found: Tier = request.param
    return found


@pytest.fixture(scope="module")
def run(tier: Tier, groups: Groups | None) -> Iterator[Runner]:
    with start(tier=tier, groups=groups) as sandbox, sandbox.open_box() as box:
        yield Runner(box, tier)


def source_of(groups: Groups | None) -> str:
    return "rusage" if groups is None else groups.source


HONEST = {
    "heap": "block = bytearray(400 << 20)",
    "a map": GETTING
    + "block = mmap.mmap(-1, 400 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\n"
    + "touch(block)",
    "a shared map": GETTING + "block = mmap.mmap(-1, 400 << 20)\ntouch(block)",
}


@pytest.mark.parametrize("code", HONEST.values(), ids=HONEST)
def test_400_mb_fit_below_512_and_are_measured_and_leave_nothing_to_the_next_run(
    run: Runner, groups: Groups | None, code: str
) -> None:
    baseline_kb = run("pass", **LARGE).memory_kb
    large = run(code, **LARGE)
    assert (large.kind, large.exit_code, large.stderr) == ("exited", 0, b"")
    assert large.memory_kb == pytest.approx(400 * MIB, rel=0.05)
    small = run("block = bytearray(5 << 20)", **LARGE)
    assert small.memory_kb == pytest.approx(baseline_kb + 5 * MIB, abs=3 * MIB)
    assert run("pass", **LARGE).memory_kb == pytest.approx(baseline_kb, abs=2 * MIB)
    assert {large.memory_source, small.memory_source} == {source_of(groups)}


def test_400_mb_of_an_array_are_accepted_and_measured(tier: Tier, groups: Groups | None) -> None:
    pytest.importorskip("numpy", reason="no numpy beside this interpreter")
    profile = numpy_profile()
    with start(profile, tier, groups) as sandbox, sandbox.open_box() as box:
        code = "import numpy\nblock = numpy.ones(50_000_000)\nreport(int(block.sum()))"
        outcome = Runner(box, tier)(code, **LARGE)
    assert (outcome.kind, outcome.result) == ("exited", b"50000000")
    assert outcome.memory_kb == pytest.approx(50_000_000 * 8 / 1024, rel=0.05)


def numpy_profile() -> Profile:
    program = PROGRAM.replace("def preload():\n    pass", "def preload():\n    import numpy")
    return python_profile(program, ("numpy",))


@pytest.mark.parametrize("code", HOGS.values(), ids=HOGS)
def test_600_mb_are_not_to_be_had(run: Runner, groups: Groups | None, code: str) -> None:
    outcome = run(hog(code), **LARGE)
    assert outcome.memory_kb <= LIMIT_KB + ROOM_KB
    assert outcome.memory_source == source_of(groups)
    if outcome.kind is OutcomeKind.MEMORY:
        return
    assert (outcome.kind, outcome.exit_code) == ("exited", 0), outcome.stderr
    taken_mb, stopped_by = ast.literal_eval(outcome.result.decode())
    assert taken_mb < 512
    assert stopped_by in STOPPED


def hog(code: str) -> str:
    """The program around it: it gives everything back before it says how much that was."""
    body = textwrap.indent(textwrap.dedent(code), "    ")
    return f"""{GETTING}
stopped_by = ''
try:
{body}
except OSError as error:
    stopped_by = f'{{type(error).__name__}} {{errno.errorcode[error.errno]}}'
except (MemoryError, RuntimeError) as error:
    stopped_by = type(error).__name__
keep.clear()
report((taken, stopped_by))
os._exit(0)
"""


def test_what_a_program_was_refused_does_not_count(run: Runner) -> None:
    for act in ("bytearray(600 << 20)", "import mmap\nmmap.mmap(-1, 600 << 20)"):
        outcome = run(act, **LARGE)
        assert (outcome.kind, outcome.exit_code) == ("exited", 1)
        assert outcome.memory_kb < 8 * MIB


def test_files_in_tmp_count_where_a_group_does(run: Runner, groups: Groups | None) -> None:
    """Where none does, their own limit is all that bounds them."""
    if run.tier is Tier.B:
        pytest.skip("tier B has no /tmp")
    code = "with open('/tmp/file', 'wb') as file: file.write(bytes(10 << 20))"
    held_kb = run(code, **LARGE).memory_kb
    assert held_kb < 3 * MIB if groups is None else held_kb > 8 * MIB


def test_a_run_whose_files_and_heap_together_pass_the_limit_ends_for_memory(
    run: Runner, groups: Groups | None
) -> None:
    """Also where it comes to its end: the group's own limit lies above the program's."""
    if run.tier is Tier.B or groups is None:
        pytest.skip("only a group counts the files, and only tier A has a /tmp")
    heap = "block = bytearray(60 << 20)"
    files = "with open('/tmp/file', 'wb', buffering=0) as file: file.write(bytes(9 << 20))"
    limits = {**LARGE, "memory_kb": 64 * MIB}
    assert run(heap, **limits).kind == "exited"
    assert run(files, **limits).kind == "exited"
    both = run(f"{files}\n{heap}", **limits)
    assert (both.kind, both.detail) == ("memory", "peak")


class TestLimitOnData:
    """A limit on data does not see shared maps: only a look from outside does, or the group."""

    def test_a_forked_hog_with_a_shared_map_ends_for_memory(
        self, run: Runner, groups: Groups | None
    ) -> None:
        outcome = run(SHARED_HOG, memory_as_data=True, **LARGE)
        assert (outcome.kind, outcome.detail) == ("memory", how(groups))
        assert outcome.memory_kb >= LIMIT_KB * 0.95

    def test_an_honest_shared_map_is_left_alone(self, run: Runner) -> None:
        outcome = run(HONEST["a shared map"], memory_as_data=True, **LARGE)
        assert (outcome.kind, outcome.exit_code) == ("exited", 0)
        assert outcome.memory_kb == pytest.approx(400 * MIB, rel=0.05)

    def test_a_started_hog_with_a_shared_map_ends_for_memory(
        self, tier: Tier, groups: Groups | None
    ) -> None:
        prefixes = {str(Path(sys.base_prefix).resolve()), str(Path(sys.base_prefix))}
        profile = exec_profile(host_binds(("/usr/bin", "/usr/lib", *prefixes)))
        executable = str(Path(sys.executable).resolve())
        with start(profile, tier, groups) as sandbox, sandbox.open_box() as box:
            argv = (executable, "-I", "-S", "-c", SHARED_HOG)
            outcome = box.run(b"", RunLimits(memory_as_data=True, **LARGE), argv)
        assert (outcome.kind, outcome.detail) == ("memory", how(groups))

    @pytest.mark.skipif(machine() != "x86_64", reason="its code is that of x86_64")
    def test_a_binary_hog_with_a_shared_map_ends_for_memory(
        self, tier: Tier, groups: Groups | None
    ) -> None:
        with (
            start(binary_profile(), tier, groups) as sandbox,
            sandbox.open_box() as box,
            Binary(binary_hog(600 << 20)) as binary,
        ):
            limits = RunLimits(memory_as_data=True, **LARGE)
            outcome = box.run(b"", limits, ("hog",), binary)
            small = box.run(b"", replace(limits, memory_kb=1 << 20, cpu_ms=700), ("hog",), binary)
        assert (outcome.kind, outcome.detail) == ("memory", how(groups))
        assert outcome.memory_source == source_of(groups)
        # Below a larger limit the same program runs until its time is over.
        assert small.kind == "time"
        assert small.memory_kb == pytest.approx(600 * MIB, rel=0.05)


def how(groups: Groups | None) -> str:
    return "resident" if groups is None else "group"


def binary_hog(size_bytes: int) -> bytes:
    """A program of no more than its header and code: maps memory, touches it, and goes on."""
    code = b"".join(
        (
            b"\xb8\x09\x00\x00\x00",  # mov eax, 9 (mmap)
            b"\x31\xff",  # xor edi, edi
            b"\xbe" + struct.pack("<I", size_bytes),  # mov esi, size
            b"\xba\x03\x00\x00\x00",  # mov edx, PROT_READ | PROT_WRITE
            b"\x41\xba\x21\x00\x00\x00",  # mov r10d, MAP_SHARED | MAP_ANONYMOUS
            b"\x49\xc7\xc0\xff\xff\xff\xff",  # mov r8, -1
            b"\x4d\x31\xc9",  # xor r9, r9
            b"\x0f\x05",  # syscall
            b"\xb9" + struct.pack("<I", size_bytes >> 12),  # mov ecx, pages
            b"\xc6\x00\x01",  # touch: mov byte [rax], 1
            b"\x48\x05\x00\x10\x00\x00",  # add rax, 4096
            b"\xff\xc9",  # dec ecx
            b"\x75\xf3",  # jnz touch
            b"\xeb\xfe",  # jmp to itself
        )
    )
    base, head = 0x400000, 64 + 56
    size = head + len(code)
    elf = b"\x7fELF\x02\x01\x01" + bytes(9)
    elf += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, base + head, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    elf += struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, size, size, 4096)
    return elf + code


@pytest.mark.parametrize("name", ["tail", "sort"])
def test_a_binary_that_grows_without_end_gets_its_limit_and_says_why_it_ended(
    tier: Tier, groups: Groups | None, name: str
) -> None:
    path = shutil.which(name)
    assert path is not None
    limits = RunLimits(cpu_ms=3000, memory_kb=128 * MIB)
    with (
        start(binary_profile(), tier, groups) as sandbox,
        sandbox.open_box() as box,
        Binary(Path(path).read_bytes()) as binary,
    ):
        outcome = box.run(b"", limits, (name, "/dev/zero"), binary)
    assert (outcome.kind, outcome.exit_code) != ("exited", 0)
    assert outcome.memory_kb <= limits.memory_kb + ROOM_KB
    assert outcome.kind == "memory" or b"memory" in outcome.stderr


def test_memory_that_a_run_gave_back_is_there_for_the_next(run: Runner) -> None:
    code = "for _ in range(8): block = bytearray(100 << 20); del block"
    for _ in range(2):
        outcome = run(code, **{**LARGE, "memory_kb": 128 * MIB})
        assert (outcome.kind, outcome.exit_code, outcome.stderr) == ("exited", 0, b"")
        assert outcome.memory_kb == pytest.approx(100 * MIB, rel=0.05)


def test_small_limits_hold_too(run: Runner) -> None:
    outcome = run(hog(HOGS["heap"]), **{**LIMITS, "memory_kb": 24 * MIB})
    assert ast.literal_eval(outcome.result.decode()) == (20, "MemoryError")
