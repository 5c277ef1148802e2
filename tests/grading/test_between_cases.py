"""What one test case may tell another: nothing, and what is the same in all of them by choice."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import golden
import pytest
from judge_data import require

from judge.domain.problem import Problem
from judge.domain.submission import CaseResult
from judge.domain.verdicts import Verdict
from judge.grading.pipeline import Grader
from judge.harness.languages import CPP, JAVA, PYTHON

# Each prints a line a source of randomness. None of them is seeded by the learner.
RANDOM = {
    PYTHON: b"""
import random, tempfile, uuid
import numpy as np
import os
def pair_sum(a, b):
    for drawn in (random.random(), np.random.random(), np.random.default_rng().random(),
                  uuid.uuid4(), os.urandom(8).hex(), next(tempfile._get_candidate_names())):
        print(drawn)
    return a + b
""",
    CPP: b"""
#include <cstdlib>
#include <iostream>
#include <random>
#include <sys/auxv.h>
long long pair_sum(long long a, long long b) {
  std::cout << std::random_device()() << '\\n';
  const auto* bytes = reinterpret_cast<const unsigned long long*>(getauxval(AT_RANDOM));
  std::cout << bytes[0] << '\\n' << static_cast<void*>(&b) << '\\n';
  return a + b;
}
""",
    JAVA: b"""
class Solution {
    static long pair_sum(long a, long b) {
        System.out.println(Math.random());
        System.out.println(new java.util.Random().nextLong());
        System.out.println(java.util.UUID.randomUUID());
        System.out.println(java.util.concurrent.ThreadLocalRandom.current().nextLong());
        System.out.println(new java.util.SplittableRandom().nextLong());
        return a + b;
    }
}
""",
}
LARGE_THEN_SMALL = {
    PYTHON: (
        b"def pair_sum(a, b):\n    return a + b + len(b'x' * (50 << 20)) - (50 << 20)\n",
        b"def pair_sum(a, b):\n    return a + b + len(b'x' * (5 << 20)) - (5 << 20)\n",
    ),
    CPP: (
        b"#include <vector>\nlong long pair_sum(long long a, long long b) {"
        b" std::vector<char> block(50 << 20, 1); return a + b + block[a & 1] - 1; }\n",
        b"#include <vector>\nlong long pair_sum(long long a, long long b) {"
        b" std::vector<char> block(5 << 20, 1); return a + b + block[a & 1] - 1; }\n",
    ),
    JAVA: (
        b"class Solution { static long pair_sum(long a, long b) {"
        b" byte[] block = new byte[35 << 20]; java.util.Arrays.fill(block, (byte) 1);"
        b" return a + b + block[9] - 1; } }\n",
        b"class Solution { static long pair_sum(long a, long b) {"
        b" byte[] block = new byte[5 << 20]; java.util.Arrays.fill(block, (byte) 1);"
        b" return a + b + block[9] - 1; } }\n",
    ),
}
HASHES = {
    PYTHON: b"def pair_sum(a, b):\n    print(hash('abc'))\n    return a + b\n",
    CPP: b"""
#include <functional>
#include <iostream>
#include <string>
long long pair_sum(long long a, long long b) {
  std::cout << std::hash<std::string>()("abc") << '\\n';
  return a + b;
}
""",
    JAVA: b"""
class Solution {
    static long pair_sum(long a, long b) {
        System.out.println("abc".hashCode());
        return a + b;
    }
}
""",
}
NINE_TENTHS = b"""
import time
def pair_sum(a, b):
    while time.process_time() < 0.18:
        pass
    return a + b
"""


@pytest.fixture
def busy_cores() -> Iterator[None]:
    """As many processes that never rest as two cores."""
    with ExitStack() as stack:
        for _ in range(2):
            burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(burner.wait)
            stack.callback(burner.kill)
        yield


def repeated(problem: Problem, count: int) -> Problem:
    """The problem with its first case so many times."""
    cases = (replace(problem.cases[0], id=f"sample/{index}") for index in range(count))
    return replace(problem, cases=tuple(cases))


def accepted(
    grader: Grader, problem: Problem, source: bytes, language: str
) -> tuple[CaseResult, ...]:
    require(grader, language)
    judgement = grader.grade(problem, source, language)
    assert judgement.verdict is Verdict.ACCEPTED, judgement
    return judgement.cases


@pytest.mark.parametrize("language", RANDOM)
def test_what_is_drawn_in_one_case_is_not_drawn_in_another(
    grader: Grader, pair_sum: Problem, language: str
) -> None:
    cases = accepted(grader, pair_sum, RANDOM[language], language)
    for drawn in zip(*(case.stdout.split() for case in cases), strict=True):
        assert len(set(drawn)) == len(cases), drawn


@pytest.mark.parametrize(("language", "count"), [(PYTHON, 50), (CPP, 50), (JAVA, 6)])
def test_a_hash_is_the_same_in_every_case(
    grader: Grader, pair_sum: Problem, language: str, count: int
) -> None:
    cases = accepted(grader, repeated(pair_sum, count), HASHES[language], language)
    assert len({case.stdout for case in cases}) == 1
    assert cases[0].stdout.strip()


@pytest.mark.parametrize("language", LARGE_THEN_SMALL)
def test_a_peak_is_not_carried_over_to_the_next_case(
    grader: Grader, pair_sum: Problem, language: str
) -> None:
    large, small = LARGE_THEN_SMALL[language]
    assert all(case.memory_kb > 30 * 1024 for case in accepted(grader, pair_sum, large, language))
    most_kb = golden.HONEST_PEAK_KB[language] + 5 * 1024
    assert all(case.memory_kb < most_kb for case in accepted(grader, pair_sum, small, language))


@pytest.mark.slow
@pytest.mark.usefixtures("busy_cores")
def test_nine_tenths_of_the_time_is_enough_every_time(grader: Grader, pair_sum: Problem) -> None:
    problem = repeated(pair_sum, 200)
    problem = replace(problem, limits=replace(problem.limits, cpu_ms=200))
    assert len(accepted(grader, problem, NINE_TENTHS, PYTHON)) == 200
