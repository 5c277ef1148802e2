"""A program that needs most of its CPU limit is judged alike every time, however busy the cores.

It reads its own CPU clock, so that what varies is how the judge measures it. How much longer the
same work takes on a busy machine, benchmarks/cpu_limit.py shows.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from judge_data import require

from judge.domain.problem import Problem
from judge.domain.verdicts import Verdict
from judge.grading.pipeline import Grader

SOURCES = {
    "python": """import time

def pair_sum(a, b):
    end = time.process_time() + {seconds}
    while time.process_time() < end:
        pass
    return a + b
""",
    "cpp": """#include <ctime>

long long pair_sum(long long a, long long b) {{
    const std::clock_t end = std::clock() + {seconds} * CLOCKS_PER_SEC;
    while (std::clock() < end) {{}}
    return a + b;
}}
""",
    "java": """import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

class Solution {{
    static long pair_sum(long a, long b) {{
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        while (clock.getCurrentThreadCpuTime() < {seconds} * 1e9) {{}}
        return a + b;
    }}
}}
""",
}
CPU_MS = 500


@pytest.fixture
def _all_cores_busy() -> Iterator[None]:
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(os.cpu_count() or 1)
    ]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


@pytest.fixture
def one_case(pair_sum: Problem) -> Problem:
    limits = replace(pair_sum.limits, cpu_ms=CPU_MS)
    return replace(pair_sum, cases=pair_sum.cases[:1], limits=limits)


def graded(
    grader: Grader, problem: Problem, language: str, share: float, times: int
) -> tuple[set[Verdict], list[int]]:
    """The verdicts of that many gradings, and the times that were counted."""
    require(grader, language)
    source = SOURCES[language].format(seconds=share * CPU_MS / 1000).encode()
    judgements = [grader.grade(problem, source, language) for _ in range(times)]
    counted = [judgement.cases[0].cpu_ms for judgement in judgements]
    return {judgement.verdict for judgement in judgements}, counted


@pytest.mark.usefixtures("_all_cores_busy")
@pytest.mark.parametrize("language", SOURCES)
class TestBusy:
    @pytest.mark.parametrize(
        "times", [1, pytest.param(30, marks=pytest.mark.slow)], ids=["once", "30 times"]
    )
    def test_nine_tenths_of_the_limit_are_accepted(
        self, grader: Grader, one_case: Problem, language: str, times: int
    ) -> None:
        verdicts, counted = graded(grader, one_case, language, 0.9, times)
        assert verdicts == {Verdict.ACCEPTED}
        assert min(counted) >= 0.9 * CPU_MS - 1  # whole milliseconds
        assert max(counted) < 0.96 * CPU_MS

    @pytest.mark.slow  # measured twice each, with a part of a core
    def test_a_tenth_too_much_is_not(
        self, grader: Grader, one_case: Problem, language: str
    ) -> None:
        verdicts, _ = graded(grader, one_case, language, 1.1, times=10)
        assert verdicts == {Verdict.TIME_LIMIT_EXCEEDED}
