"""What memory a box has to itself while its program sits in the learner's function.

Read from outside: the private pages of the test process, clean and dirty. The function uses numpy
and then sleeps; the process is read once it has been asleep for a while.
"""

import os
import threading
import time
from pathlib import Path

import programs
from blocks import Measured, NotMeasured, Plan, Row, Side, alone

from submissions_sandbox import Box, RunLimits, Sandbox

_SOURCE = """
import time

import numpy as np

def sample_token(logits, k):
    token = int(np.argsort(-np.array(logits), kind="stable")[k - 1])
    time.sleep(0.25)
    return token
"""
_LOOK_EVERY_S = 0.01
# So many looks in a row must find it asleep.
_LOOKS = 3
_GIVE_UP_S = 5.0
_COUNTED = ("Private_Clean:", "Private_Dirty:")
_PROC = Path("/proc")


def _measure(plan: Plan) -> Measured:
    def run_block(runs: int) -> list[float]:
        with sandbox.open_box() as box:
            return [_private_mb(box) for _ in range(runs)]

    with Sandbox(programs.profile()) as sandbox:
        return alone(plan, Side("private pages", run_block, plan.slow_runs, "MB"))


def _private_mb(box: Box) -> float:
    ends = []
    asked = programs.request(_SOURCE)
    test = threading.Thread(target=lambda: ends.append(box.run(asked, RunLimits())))
    test.start()
    try:
        return _read_private_mb(_wait_for_sleeper(os.getpid()))
    finally:
        test.join()
        for end in ends:
            programs.checked(end)


def _wait_for_sleeper(supervisor: int) -> int:
    """The test process: the youngest below the zygote's box init, asleep."""
    give_up = time.monotonic() + _GIVE_UP_S
    seen: list[int] = []
    while time.monotonic() < give_up:
        time.sleep(_LOOK_EVERY_S)
        depth, pid, state = _deepest(supervisor)
        # Below this process: what starts the zygote, the zygote, box init, the test.
        seen = [*seen, pid] if depth == 4 and state == "S" else []
        if seen[-_LOOKS:] == [pid] * _LOOKS:
            return pid
    raise RuntimeError("no test process was found asleep")


def _deepest(ancestor: int) -> tuple[int, int, str]:
    """Depth, pid and state of the process that is farthest below; the youngest of several."""
    parents: dict[int, tuple[int, str]] = {}
    for stat in _PROC.glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(") ")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        parents[int(stat.parent.name)] = (int(parent), state)

    def depth(pid: int) -> int:
        steps = 0
        while pid != ancestor:
            if pid not in parents:
                return 0
            pid, steps = parents[pid][0], steps + 1
        return steps

    deepest, pid = max((depth(pid), pid) for pid in parents)
    return deepest, pid, parents[pid][1]


def _read_private_mb(pid: int) -> float:
    try:
        lines = (_PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except PermissionError as error:
        raise NotMeasured(f"the memory of a box cannot be read from outside: {error}") from None
    counted_kb = sum(int(line.split()[1]) for line in lines if line.startswith(_COUNTED))
    return counted_kb * 1024 / 1_000_000


ROWS = (Row("memory", 3, at_least=False, measure=_measure),)
