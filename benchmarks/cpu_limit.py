"""Does a program that needs most of its CPU limit get the same verdict every time?

One test case of a small problem, graded again and again by a real grader while every core is busy
with something else. By the clock, the program runs until its own CPU clock shows ``--share`` of the
limit: what differs then is how the judge measures. By work, it does as much as took that long when
nothing else ran: then the machine's own unsteadiness is in the figure as well, and the same work is
measured without a judge beside it (bare). Prints how often each verdict came, and how the CPU time
that was counted lay around the limit.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from judge.domain.problem import Problem
from judge.domain.submission import Judgement
from judge.domain.verdicts import Verdict
from judge.grading.pipeline import Grader
from judge.packages.files import read_folder
from judge.packages.package import load

_ROOT = Path(__file__).resolve().parent.parent
_PACKAGE = _ROOT / "tests" / "grading" / "packages" / "pair_sum"
_BY_CLOCK = {
    "python": """import time

def pair_sum(a, b):
    end = time.process_time() + {amount} / 1e6
    while time.process_time() < end:
        pass
    return a + b
""",
    "cpp": """#include <ctime>

long long pair_sum(long long a, long long b) {{
    const std::clock_t end = std::clock() + {amount}LL * CLOCKS_PER_SEC / 1000000;
    while (std::clock() < end) {{}}
    return a + b;
}}
""",
}
_BY_WORK = {
    "python": """def pair_sum(a, b):
    total = 0
    for number in range({amount}):
        total += number & 3
    return a + b
""",
    "cpp": """long long pair_sum(long long a, long long b) {{
    volatile long long total = 0;
    for (long long number = 0; number < {amount}LL; ++number) total = total + (number & 3);
    return a + b;
}}
""",
    "java": """class Solution {{
    static volatile long total;
    static long pair_sum(long a, long b) {{
        for (long number = 0; number < {amount}L; ++number) total = total + (number & 3);
        return a + b;
    }}
}}
""",
}
_FIRST_ROUNDS = 200_000
_CALIBRATIONS = 7
_HARDLY_NOTHING_MS = 20
_BUSY = "while True: pass"


def one_case(cpu_limit_ms: int) -> Problem:
    """The first case of the problem, with this limit."""
    problem = load(read_folder(_PACKAGE), "pair_sum").problem
    limits = replace(problem.limits, cpu_ms=cpu_limit_ms)
    return replace(problem, cases=problem.cases[:1], limits=limits)


@contextmanager
def all_cores_busy() -> Iterator[None]:
    """One endless loop a core."""
    loops = [
        subprocess.Popen([sys.executable, "-c", _BUSY])  # noqa: S603 - our own interpreter
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def cpu_ms(judgement: Judgement) -> int:
    """What was counted for the only case."""
    return judgement.cases[0].cpu_ms


class Repeater:
    """Grades programs of one language that need more or less; ``source`` has a place for that."""

    def __init__(self, grader: Grader, language: str, source: str, cpu_limit_ms: int) -> None:
        self._grader = grader
        self._language = language
        self._source = source
        self._limit_ms = cpu_limit_ms

    def rounds_for(self, wanted_ms: float) -> int:
        """How many rounds take so long while nothing else runs."""
        rounds = _FIRST_ROUNDS
        unlimited = Repeater(self._grader, self._language, self._source, 100 * self._limit_ms)
        # In steps: a short run is mostly start, and a first guess may be far off.
        while (taken_ms := unlimited.median_ms(rounds, 1)) < wanted_ms / 4:
            rounds *= 2 if taken_ms > _HARDLY_NOTHING_MS else 4
        for _ in range(3):
            taken_ms = unlimited.median_ms(rounds, _CALIBRATIONS)
            rounds = round(rounds * wanted_ms / taken_ms)
        return rounds

    def median_ms(self, amount: int, times: int) -> float:
        """CPU time of a few gradings."""
        return statistics.median(cpu_ms(self.grade(amount)) for _ in range(times))

    def grade(self, amount: int) -> Judgement:
        """Grade a program of so many rounds, or of so many microseconds."""
        source = self._source.format(amount=amount).encode()
        judgement = self._grader.grade(one_case(self._limit_ms), source, self._language)
        if judgement.verdict not in (Verdict.ACCEPTED, Verdict.TIME_LIMIT_EXCEEDED):
            raise SystemExit(f"neither accepted nor late: {judgement}")
        return judgement


def bare_shares(repeats: int) -> list[float]:
    """The same work in this process, each time as a share of what it usually takes."""
    namespace: dict[str, Any] = {}
    exec(_BY_WORK["python"].format(amount=20 * _FIRST_ROUNDS), namespace)  # noqa: S102 - from above
    taken_s = []
    for _ in range(repeats):
        start_s = time.process_time()
        namespace["pair_sum"](1, 2)
        taken_s.append(time.process_time() - start_s)
    usual_s = statistics.median(taken_s)
    return [taken / usual_s for taken in taken_s]


def main() -> int:
    """Calibrate, repeat, print; 0 if there was one verdict only."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--share", type=float, default=0.9)
    parser.add_argument("--cpu-ms", type=int, default=500)
    parser.add_argument("--by", choices=("clock", "work"), default="clock")
    parser.add_argument("--language", choices=tuple(_BY_WORK), default="python")
    parser.add_argument("--calm", action="store_true", help="leave the cores alone")
    options = parser.parse_args()
    sources = _BY_CLOCK if options.by == "clock" else _BY_WORK
    if options.language not in sources:
        parser.error(f"{options.language} has no clock of its own: --by work")
    wanted_ms = options.share * options.cpu_ms
    with tempfile.TemporaryDirectory() as folder, Grader(data_dir=Path(folder)) as grader:
        source = sources[options.language]
        repeater = Repeater(grader, options.language, source, options.cpu_ms)
        by_clock = options.by == "clock"
        amount = round(wanted_ms * 1000) if by_clock else repeater.rounds_for(wanted_ms)
        start_s = time.monotonic()
        with nullcontext() if options.calm else all_cores_busy():
            judgements = [repeater.grade(amount) for _ in range(options.repeats)]
            took_s = time.monotonic() - start_s
            bare = [] if by_clock else bare_shares(options.repeats)
    _report(options, judgements, took_s, bare)
    return 0 if len({judgement.verdict for judgement in judgements}) == 1 else 1


def _report(
    options: argparse.Namespace, judgements: list[Judgement], took_s: float, bare: list[float]
) -> None:
    under = "calm" if options.calm else f"{os.cpu_count()} cores busy"
    needs = f"{options.share:.0%} of {options.cpu_ms} ms by {options.by}"
    print(f"{options.language}, {needs}, {under}: {len(judgements)} repeats in {took_s:.0f} s")
    for verdict, count in Counter(judgement.verdict.value for judgement in judgements).items():
        print(f"  {verdict}: {count}")
    shares = [cpu_ms(judgement) / options.cpu_ms for judgement in judgements]
    print(f"  counted, of the limit: {_spread(shares)}")
    if bare:
        print(f"  bare, of its own median: {_spread(bare)}")


def _spread(shares: list[float]) -> str:
    low, middle, high = min(shares), statistics.median(shares), max(shares)
    return f"least {low:.1%}, median {middle:.1%}, most {high:.1%}"


if __name__ == "__main__":
    sys.exit(main())
