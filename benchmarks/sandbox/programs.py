"""The one program that every side runs: it takes a request, calls a function, answers.

As a submission for a box, and as a program of its own for what starts a process a test; with numpy
and, for the peer that has none, with the standard library or without any import. Also what starts
such a process.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from blocks import NotMeasured

from judge.domain.signatures import make_signature
from judge.harness import python
from submissions_sandbox import Box, Outcome, Profile, RunLimits, Sandbox, python_profile

_SIGNATURE = make_signature("sample_token", {"logits": "list[float]", "k": "int"}, "int")
_ARGUMENTS = {"logits": [0.5, 2.0, 1.0, -1.0], "k": 2}
INPUT, ANSWER = "0.5 2.0 1.0 -1.0\n2\n", "2\n"
_PROCESS_WALL_S = 60

NUMPY_SOURCE = """
import numpy as np

def sample_token(logits, k):
    return int(np.argsort(-np.array(logits), kind="stable")[k - 1])
"""
LIBRARY_SOURCE = """
import heapq
import math
import random

def sample_token(logits, k):
    best = heapq.nlargest(k, range(len(logits)), key=lambda place: logits[place])
    weights = [math.exp(logits[place]) for place in best]
    return random.Random(0).choices(best, weights)[0]
"""
PLAIN_SOURCE = """
def sample_token(logits, k):
    return sorted(range(len(logits)), key=lambda place: -logits[place])[k - 1]
"""
_CALL = """
logits = [float(word) for word in input().split()]
print(sample_token(logits, int(input())))
"""


def profile() -> Profile:
    """The judge's own Python box."""
    return python_profile(python.driver_source(), python.PACKAGES)


def request(source: str) -> bytes:
    """What a box is asked: to call the source's function with the arguments."""
    return python.call_request(_SIGNATURE, source, _ARGUMENTS)


def checked(outcome: Outcome) -> Outcome:
    """The same outcome, if it holds a value.

    Raises:
        RuntimeError: it does not, so its time says nothing.
    """
    if not outcome.result.startswith(b"V"):
        raise RuntimeError(f"a run failed: {outcome}")
    return outcome


def box_block(sandbox: Sandbox, source: str) -> Callable[[int], list[float]]:
    """Milliseconds of each of a block's tests: one box for the block, as for one submission."""
    asked = request(source)

    def run_block(runs: int) -> list[float]:
        with sandbox.open_box() as box:
            return [_time_test(box, asked) for _ in range(runs)]

    return run_block


def process_block(argv: Sequence[str]) -> Callable[[int], list[float]]:
    """Milliseconds of each of a block's processes that run the numpy program and answer.

    It is run by this very interpreter, with the packages that it has.
    """
    numpy_argv = (sys.executable, "-c", program(NUMPY_SOURCE))

    def run_block(runs: int) -> list[float]:
        return [_time_process([*argv, *numpy_argv]) for _ in range(runs)]

    return run_block


def program(source: str) -> str:
    """The source as a program that reads the arguments and prints the answer."""
    return source + _CALL


def find_program(name: str) -> str:
    """Path of a program that is not ours.

    Raises:
        NotMeasured: it is not installed.
    """
    path = shutil.which(name)
    if path is None:
        raise NotMeasured(f"{name} is missing (benchmarks/sandbox/install.sh)")
    return path


def _time_test(box: Box, asked: bytes) -> float:
    start = time.perf_counter()
    outcome = box.run(asked, RunLimits())
    took_ms = (time.perf_counter() - start) * 1000
    checked(outcome)
    return took_ms


def _time_process(argv: Sequence[str]) -> float:
    # As in a box: no threads that a small program starts for nothing.
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}
    start = time.perf_counter()
    done = subprocess.run(  # noqa: S603 - the programs that are compared
        argv,
        input=INPUT,
        capture_output=True,
        text=True,
        env=environment,
        timeout=_PROCESS_WALL_S,
        check=False,
    )
    took_ms = (time.perf_counter() - start) * 1000
    if done.returncode != 0 or done.stdout != ANSWER:
        said = done.stderr.strip().rpartition("\n")[2]
        raise RuntimeError(
            f"{argv[0]} answered {done.stdout!r} with status {done.returncode}: {said}"
        )
    return took_ms
