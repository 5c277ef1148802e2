"""What a run came to: facts only, never a verdict.

Every figure here was taken outside the box. ``result``, ``stdout`` and ``stderr`` are bytes that
the program chose: the caller must treat them as hostile.
"""

from dataclasses import dataclass, field
from enum import StrEnum


class OutcomeKind(StrEnum):
    """How a run ended.

    ``time`` and ``output`` were ended by the supervisor, ``denied`` by the system call filter
    (SIGSYS), ``memory`` by the kernel's memory accounting or by what it showed at the end.
    ``failed`` means that the sandbox itself broke: nothing was learned about the program.
    """

    EXITED = "exited"
    SIGNALLED = "signalled"
    TIME = "time"
    MEMORY = "memory"
    OUTPUT = "output"
    DENIED = "denied"
    FAILED = "failed"


@dataclass(frozen=True)
class Outcome:
    """Facts about one run.

    Attributes:
        kind: how the run ended.
        detail: for ``time`` ``cpu`` or ``wall``; for ``output`` ``stdout``, ``stderr`` or
            ``result``; for ``memory`` ``group`` or ``resident``, who saw it, or ``peak`` where
            only that showed it; for ``signalled`` ``threads`` where there were too many; for
            ``failed`` what broke.
        exit_code: exit status where the program exited, else -1.
        signal: number of the signal that ended the program, else 0.
        cpu_ms: CPU time of the program alone, without fork and box set-up, summed over threads.
        wall_ms: time from the start of the program to its end.
        memory_kb: peak of the memory that came on top of what the program was forked with, or had
            when its request came; of a program that was started by argv all of it. Without a
            control group that is the resident set, and for the latter no less than its zygote's.
        memory_source: where that figure comes from: ``rusage``, ``cgroup v1`` or ``cgroup v2``.
        result: what the program wrote to its result descriptor.
        stdout: head of what it printed; ``stdout_dropped`` bytes were not kept.
        stderr: the same for the error stream.
    """

    kind: OutcomeKind
    detail: str = ""
    exit_code: int = -1
    signal: int = 0
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    memory_kb: int = 0
    memory_source: str = "rusage"
    result: bytes = b""
    stdout: bytes = b""
    stderr: bytes = b""
    stdout_dropped: int = 0
    stderr_dropped: int = 0


class SandboxError(Exception):
    """The sandbox itself broke or cannot be set up; it says nothing about any program."""


class SandboxUnavailable(SandboxError):
    """This machine does not offer what the sandbox needs; running bare is refused."""


@dataclass(frozen=True)
class Description:
    """Which protection is in force: the tier, its layers, and what the box runs on."""

    tier: str
    layers: tuple[str, ...]
    versions: dict[str, str] = field(default_factory=dict)
