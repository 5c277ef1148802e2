"""Limits of one test case, in the units that the rest of the judge counts in."""

from dataclasses import dataclass

MAX_SOURCE_BYTES = 64 * 1024


@dataclass(frozen=True)
class Limits:
    """What one test case may use.

    Time is CPU time summed over threads. Memory counts what the learner's program adds to the
    interpreter that was there before it.
    """

    cpu_ms: int
    memory_kb: int
    stdout_kb: int = 64
    result_kb: int = 8 * 1024
