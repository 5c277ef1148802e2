"""Limits of one run, and how they become rlimits."""

import resource
from dataclasses import asdict, dataclass

# A program is killed past its CPU limit only: the caller judges by the measured time, and the same
# work takes up to so much longer while a core's other thread, or another guest of the machine, is
# busy (benchmarks/cpu_limit.py). What comes to its end in between can be measured again.
CPU_KILL_FACTOR = 1.6
SUPERVISOR_SLACK_S = 2.0


@dataclass(frozen=True)
class RunLimits:
    """What one run may use.

    Attributes:
        cpu_ms: CPU time summed over threads; the run is killed at 1.6 times this.
        memory_kb: address space on top of what the interpreter already had; data where
            ``memory_as_data`` says so.
        stdout_bytes: what each of stdout and stderr may hold; one byte more ends the run.
        result_bytes: what the result descriptor may hold.
        processes_at_start: the same while a program is started ahead of its request, if larger: so
            one that makes as many threads as it may does not keep others from being started.
        tmp_bytes: size of the private /tmp.
        tmp_files: number of inodes in the private /tmp.
        processes: processes and threads of all boxes of one zygote together: the kernel counts
            them for the user whom they share. What holds a single program is its memory, of which
            every thread takes a stack.
        threads: threads of one run. A control group refuses more; where there is none, the
            supervisor looks from time to time and ends a run that has more.
        growth_kb: for a program that was started ahead, what it may take on top of what it has when
            its request comes; 0 for memory_kb.
        open_files: open descriptors.
        memory_as_data: count writable private memory only, for programs that reserve far more
            address space than they use (a JVM).
        requests: how many requests one process answers; each has ``cpu_ms`` of its own.
    """

    cpu_ms: int = 6000
    memory_kb: int = 512 * 1024
    stdout_bytes: int = 64 * 1024
    result_bytes: int = 8 * 1024 * 1024
    tmp_bytes: int = 16 * 1024 * 1024
    tmp_files: int = 256
    processes: int = 1024
    processes_at_start: int = 0
    threads: int = 256
    growth_kb: int = 0
    open_files: int = 64
    memory_as_data: bool = False
    requests: int = 1

    @property
    def cpu_kill_s(self) -> float:
        """CPU seconds at which the supervisor kills."""
        return self.cpu_ms * CPU_KILL_FACTOR / 1000

    @property
    def idle_kill_s(self) -> float:
        """Seconds without using or waiting for a core after which the supervisor kills.

        With the CPU limit that makes a wall limit of 2.6 times that and two seconds. It guards
        against idling and judges nobody who works.
        """
        return self.cpu_ms / 1000 + SUPERVISOR_SLACK_S

    def to_message(self) -> dict[str, int | bool]:
        """Plain form for the channel to the box."""
        return asdict(self)


@dataclass(frozen=True)
class Base:
    """What is there before a run takes anything, so that its limits come on top.

    Attributes:
        address_space_bytes: of the zygote that the run is forked from.
        processes: of the same user, whom the kernel counts together; 0 where a box has its own.
        stack_bytes: what the main thread's stack may grow to.
    """

    address_space_bytes: int
    processes: int
    stack_bytes: int


def as_rlimits(limits: RunLimits, base: Base) -> tuple[tuple[int, int], ...]:
    """Every rlimit of a run, with its value for soft and hard.

    RLIMIT_CPU is only a backstop for a dead supervisor: it counts in whole seconds.
    """
    backstop_s = (int(limits.cpu_kill_s) + 2) * limits.requests
    memory_bytes = base.address_space_bytes + limits.memory_kb * 1024
    which_memory = resource.RLIMIT_DATA if limits.memory_as_data else resource.RLIMIT_AS
    return (
        (which_memory, memory_bytes),
        (resource.RLIMIT_CPU, backstop_s),
        (resource.RLIMIT_FSIZE, limits.tmp_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_NPROC, base.processes + max(limits.processes, limits.processes_at_start)),
        (resource.RLIMIT_STACK, base.stack_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, 64),
    )
