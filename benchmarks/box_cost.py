"""What isolation costs: one test case in a box against the same fork without isolation.

Both sides use the same zygote, supervisor, frames and driver; the bare side only skips the step
that isolates. It exists in this file alone: the package itself cannot run bare. Blocks of runs
alternate between the two sides.
"""

import argparse
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager

import submissions_sandbox.sandbox as sandbox_module
from judge.domain.signatures import make_signature
from judge.harness import python
from submissions_sandbox import RunLimits, Sandbox, python_profile

_BARE_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "import submissions_sandbox.isolate as isolate; "
    "isolate.Isolation.enter = lambda self, limits: None; "
    "from submissions_sandbox.zygote import main; main(int(sys.argv[2]))"
)
_SIGNATURE = make_signature("sample_token", {"logits": "list[float]", "k": "int"}, "int")
_SOURCE = """
import numpy as np

def sample_token(logits, k):
    return int(np.argsort(-np.array(logits), kind="stable")[k - 1])
"""
_ARGUMENTS = {"logits": [0.5, 2.0, 1.0, -1.0], "k": 2}


@contextmanager
def _start_line(line: str) -> Iterator[None]:
    original = sandbox_module._START_LINE
    sandbox_module._START_LINE = line
    try:
        yield
    finally:
        sandbox_module._START_LINE = original


def _measure(sandbox: Sandbox, request: bytes, runs: int) -> list[float]:
    with sandbox.open_box() as box:
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            outcome = box.run(request, RunLimits())
            times.append((time.perf_counter() - start) * 1000)
            if not outcome.result.startswith(b"V"):
                raise SystemExit(f"a run failed: {outcome}")
    return times


def main() -> None:
    """Print medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=20)
    parser.add_argument("--runs", type=int, default=20, help="runs a block")
    options = parser.parse_args()
    profile = python_profile(python.driver_source(), python.PACKAGES)
    request = python.call_request(_SIGNATURE, _SOURCE, _ARGUMENTS)
    with _start_line(_BARE_START):
        bare = Sandbox(profile)
    boxed = Sandbox(profile)
    times: dict[str, list[float]] = {"bare": [], "box": []}
    ratios = []
    with bare, boxed:
        for _ in range(options.blocks):
            block = {
                "bare": _measure(bare, request, options.runs),
                "box": _measure(boxed, request, options.runs),
            }
            for side, values in block.items():
                times[side] += values
            ratios.append(statistics.median(block["box"]) / statistics.median(block["bare"]))
    for side, values in times.items():
        tenth = statistics.quantiles(values, n=10)[0]
        print(f"{side:<5} median {statistics.median(values):.2f} ms, 10 % below {tenth:.2f} ms")
    print(f"ratio of medians a block: median {statistics.median(ratios):.2f}x")


if __name__ == "__main__":
    main()
