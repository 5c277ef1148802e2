"""What boxes are like here: NumPy, memory figures that are true, what a run costs."""

import os
import statistics
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from submissions_sandbox.cgroups import Groups
from submissions_sandbox.limits import RunLimits
from submissions_sandbox.probes.attacks import HOW_TO_SEE_MORE, TRIED, facts
from submissions_sandbox.probes.report import Decides, DidNotHold, NotThere, Probe, attempt
from submissions_sandbox.profiles import python_profile
from submissions_sandbox.sandbox import Box, Sandbox
from submissions_sandbox.tiers import Tier

_NUMPY_PROGRAM = """
import os, numpy

def preload():
    numpy.dot(numpy.ones(4), numpy.ones(4))

def main(request):
    os.write(3, b"tried ")
    assert float(numpy.arange(10.0).sum()) == 45
    os.write(3, b"done")
"""
_LIMITS = RunLimits(cpu_ms=5000, memory_kb=256 * 1024)
_HONEST_KB = 80 * 1024
_TOLERANCE = 0.1
_RUNS = 11
_WALL_S = 20.0
_BARE_FORKS = f"""
import os, statistics, time

def timed():
    begun = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return time.perf_counter() - begun

print(1000 * statistics.median(timed() for _ in range({_RUNS})))
"""
_PRIVATE = ("Private_Clean:", "Private_Dirty:")
_MB_KB = 1000
_PROC = Path("/proc")
# Of the fields behind the name, the one with the time of the start.
_BEGUN = 19


def probe_boxes(sandbox: Sandbox, groups: Groups | None) -> list[Probe]:
    """Lines about boxes in the tier of this sandbox."""
    return [
        attempt("NumPy in a box", Decides.FITNESS, lambda: numpy_runs(sandbox.tier, groups)),
        attempt("memory peak", Decides.FITNESS, lambda: true_peak(sandbox)),
        attempt("fork floor", Decides.NOTHING, lambda: fork_floor(sandbox)),
        attempt("private memory of a box", Decides.NOTHING, lambda: private_memory(sandbox)),
    ]


def numpy_runs(tier: Tier, groups: Groups | None) -> str:
    """Load NumPy into a zygote and use it in a box.

    Raises:
        NotThere: it is not installed here.
        DidNotHold: it does not run.
    """
    try:
        profile = python_profile(_NUMPY_PROGRAM, ("numpy",))
    except ModuleNotFoundError as error:
        raise NotThere(f"{error}; the judge needs it", "pip install numpy") from error
    with Sandbox(profile, (tier,), groups) as sandbox, sandbox.open_box() as box:
        outcome = box.run(b"", _LIMITS)
        version = sandbox.description.versions.get("numpy", "")
    if outcome.result != TRIED + b"done":
        raise DidNotHold(facts(outcome), HOW_TO_SEE_MORE)
    return f"{version}, {facts(outcome)}"


def true_peak(sandbox: Sandbox) -> str:
    """Take 80 MiB and compare it with what is told.

    Raises:
        DidNotHold: the figure is more than a tenth off.
    """
    with sandbox.open_box() as box:
        outcome = box.run(f"b'x' * {_HONEST_KB * 1024}".encode(), _LIMITS)
    told = f"{_HONEST_KB} KiB taken, {outcome.memory_kb} KiB told by {outcome.memory_source}"
    if outcome.result != TRIED + b"done":
        raise DidNotHold(facts(outcome), HOW_TO_SEE_MORE)
    if abs(outcome.memory_kb - _HONEST_KB) > _TOLERANCE * _HONEST_KB:
        raise DidNotHold(told, "control groups, as in their line above, count exactly")
    return told


def fork_floor(sandbox: Sandbox) -> str:
    """How long an empty run, and a bare fork of a small interpreter, take; told, never judged."""
    with sandbox.open_box() as box:
        in_box_ms = 1000 * statistics.median(_timed_run(box) for _ in range(_RUNS))
    bare = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-I", "-S", "-c", _BARE_FORKS],
        stdout=subprocess.PIPE,
        timeout=_WALL_S,
        check=True,
    )
    bare_ms = float(bare.stdout)
    return f"an empty run {in_box_ms:.1f} ms, a bare fork {bare_ms:.1f} ms; medians of {_RUNS}"


def private_memory(sandbox: Sandbox) -> str:
    """What a process that waits for its request shares with nobody; told, never judged."""
    with sandbox.open_box() as box, box.start(_LIMITS) as spare:
        spare.wait_until_warm()
        try:
            text = (_PROC / str(_deepest_below(os.getpid())) / "smaps_rollup").read_text()
        except OSError as error:
            detail = f"cannot be read from outside: {error.strerror}"
            raise NotThere(detail, "nothing to do: it is only told") from error
    kept_kb = sum(int(line.split()[1]) for line in text.splitlines() if line.startswith(_PRIVATE))
    return f"{kept_kb / _MB_KB:.1f} MB of a process that waits for its request"


def _timed_run(box: Box) -> float:
    begun = time.perf_counter()
    box.run(b"", _LIMITS)
    return time.perf_counter() - begun


def _deepest_below(ancestor: int) -> int:
    """The process with the most parents up to this one, and of several the youngest.

    Only a test process has so many; that of a box that has just been closed may be there still.
    """
    parents, begun = {}, {}
    for stat in _PROC.glob("[0-9]*/stat"):
        with suppress(OSError):
            pid, fields = int(stat.parent.name), stat.read_text().rpartition(")")[2].split()
            parents[pid], begun[pid] = int(fields[1]), int(fields[_BEGUN])

    def rank(pid: int) -> tuple[int, int, int]:
        steps, at = 0, pid
        while at != ancestor:
            if at not in parents:
                return 0, 0, 0
            at, steps = parents[at], steps + 1
        return steps, begun[pid], pid

    return max(parents, key=rank)
