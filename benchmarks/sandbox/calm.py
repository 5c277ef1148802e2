"""Waiting for a moment in which nobody else is at work on this machine's cores."""

import os
import time
from pathlib import Path

_STAT = Path("/proc/stat")
_LOOK_S = 0.2
_IDLE_SHARE = 0.9


def wait_until_calm(patience_s: float) -> bool:
    """Wait until the cores idle, no longer than that; whether they do. Looks once at least."""
    give_up = time.monotonic() + patience_s
    while True:
        before_s, start = _idle_s(), time.monotonic()
        time.sleep(_LOOK_S)
        could_idle_s = (time.monotonic() - start) * (os.cpu_count() or 1)
        if _idle_s() - before_s >= _IDLE_SHARE * could_idle_s:
            return True
        if time.monotonic() >= give_up:
            return False


def _idle_s() -> float:
    """Seconds that all cores together have idled or waited for a disk since they started."""
    idle, waiting = _STAT.read_text().split("\n", 1)[0].split()[4:6]
    return (int(idle) + int(waiting)) / os.sysconf("SC_CLK_TCK")
