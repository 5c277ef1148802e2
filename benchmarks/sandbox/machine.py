"""What a result needs beside it: on which machine it was taken, and how busy that was."""

import os
import platform
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import programs

from submissions_sandbox import Sandbox

_CPUINFO = Path("/proc/cpuinfo")


@dataclass(frozen=True)
class Machine:
    """Facts about this machine; ``load`` is the average of the minute before the start."""

    processor: str
    cores: int
    kernel: str
    python: str
    numpy: str
    user: str
    tier: str
    load: float

    @staticmethod
    def look() -> "Machine":
        """Look now."""
        uid = os.getuid()
        with Sandbox(programs.profile()) as sandbox:
            tier = sandbox.description.tier
        return Machine(
            processor=_processor(),
            cores=len(os.sched_getaffinity(0)),
            kernel=platform.release(),
            python=platform.python_version(),
            numpy=version("numpy"),
            user="root" if uid == 0 else f"uid {uid}",
            tier=tier,
            load=load(),
        )

    def __str__(self) -> str:
        return (
            f"{self.processor}, {self.cores} cores, Linux {self.kernel}, Python {self.python}, "
            f"NumPy {self.numpy}, as {self.user}, tier {self.tier}, "
            f"load {self.load:.2f}"
        )


def load() -> float:
    """Average number of programs that wanted a core in the last minute."""
    return os.getloadavg()[0]


def _processor() -> str:
    for line in _CPUINFO.read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.machine()
