"""Ends that nobody planned, in each language that can meet them.

What is killed while a submission is judged costs its author nothing, and what a compiler leaves
running ends with its run.
"""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from attack_box import start
from grading_packages import HONEST_SOURCES, start_grader
from judge_data import require
from processes import children

from judge.domain.problem import Problem
from judge.domain.verdicts import Verdict
from judge.errors import JudgeBroken
from judge.grading.engines.cpp_engine import COMPILE_KIND, COMPILE_LIMITS
from judge.grading.pipeline import Grader
from judge.harness.languages import CPP, JAVA, PYTHON
from judge.harness.toolchain_wire import ToolRequest, read_tool_reply
from submissions_sandbox import ALL_TIERS, Outcome, Tier
from submissions_sandbox.watch import RunWatch, pid_behind

# Each says that it runs, and then does so for a while: what is killed meanwhile dies in its run.
RUNS_FOR_A_WHILE = {
    PYTHON: b"""
import time
def pair_sum(a, b):
    print("here", flush=True)
    while time.process_time() < 0.4:
        pass
    return a + b
""",
    CPP: b"""
#include <ctime>
#include <iostream>
long long pair_sum(long long a, long long b) {
  std::cout << "here" << std::endl;
  while (std::clock() < 0.4 * CLOCKS_PER_SEC) {}
  return a + b;
}
""",
    JAVA: b"""
class Solution {
    static long pair_sum(long a, long b) {
        System.out.println("here");
        System.out.flush();
        long start = System.nanoTime();
        while (System.nanoTime() - start < 400_000_000L) {}
        return a + b;
    }
}
""",
}
# In a session of its own where it may make one; it says itself that it is there.
DAEMON = """
(echo left; exec >/dev/null 2>&1; setsid sleep 1000 || exec sleep 1000) &
"""
each_language = pytest.mark.parametrize("language", [PYTHON, CPP, JAVA])


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    """A grader that the tests may break."""
    grader = start_grader()
    yield grader
    grader.__exit__(None, None, None)


@pytest.fixture
def one_case(pair_sum: Problem) -> Problem:
    """A problem with one case, and time for it to be killed in."""
    limits = replace(pair_sum.limits, cpu_ms=5000)
    return replace(pair_sum, cases=pair_sum.cases[:1], limits=limits)


def kill_zygotes(grader: Grader) -> None:
    """Kill every zygote from outside, as the kernel might when memory runs out."""
    for sandbox in [place.sandbox for place in grader.boxes._places if place.sandbox]:
        sandbox._zygote.process.kill()
        sandbox._zygote.process.wait()


def kill_box_inits(patch: pytest.MonkeyPatch, times: int) -> list[int]:
    """Kill the box init of a run that says that it is here, so many times; the pids of those."""
    killed: list[int] = []
    follow = RunWatch.follow

    def follow_and_kill(watch: RunWatch) -> Outcome:
        said = watch._pipes["stdout"]
        if len(killed) < times:
            ended = watch.follow_until(lambda: b"here" in said.data and watch._pidfd >= 0)
            if ended is not None:
                return ended
            killed.append(parent_of(pid_behind(watch._pidfd)))
            os.kill(killed[-1], signal.SIGKILL)
        return follow(watch)

    patch.setattr(RunWatch, "follow", follow_and_kill)
    return killed


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@each_language
def test_a_zygote_that_died_between_submissions_is_replaced(
    grader: Grader, pair_sum: Problem, language: str
) -> None:
    require(grader, language)
    kill_zygotes(grader)
    judgement = grader.grade(pair_sum, HONEST_SOURCES[language], language)
    assert judgement.verdict is Verdict.ACCEPTED


@each_language
def test_a_zygote_that_dies_while_it_judges_costs_the_learner_nothing(
    grader: Grader, pair_sum: Problem, language: str
) -> None:
    require(grader, language)
    deaths: list[int] = []

    def die_once(stage: str, done: int, planned: int) -> None:
        if stage == "running" and not deaths:
            deaths.append(done)
            kill_zygotes(grader)

    judgement = grader.grade(pair_sum, HONEST_SOURCES[language], language, die_once)
    assert deaths
    assert (judgement.verdict, judgement.passed) == (Verdict.ACCEPTED, 6)


@each_language
def test_a_box_init_that_dies_in_a_run_costs_the_learner_nothing(
    grader: Grader, one_case: Problem, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(grader, language)
    killed = kill_box_inits(monkeypatch, times=1)
    judgement = grader.grade(one_case, RUNS_FOR_A_WHILE[language], language)
    assert (judgement.verdict, judgement.passed) == (Verdict.ACCEPTED, 1)
    assert len(killed) == 1


@each_language
def test_one_that_dies_again_is_the_judges_fault_and_no_verdict(
    grader: Grader, one_case: Problem, language: str
) -> None:
    require(grader, language)
    with pytest.MonkeyPatch.context() as patch:
        killed = kill_box_inits(patch, times=3)
        with pytest.raises(JudgeBroken, match="broke twice: box init ended"):
            grader.grade(one_case, RUNS_FOR_A_WHILE[language], language)
    assert len(killed) == 2
    judgement = grader.grade(one_case, HONEST_SOURCES[language], language)
    assert judgement.verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("tier", ALL_TIERS)
@pytest.mark.parametrize("language", [CPP])
def test_a_daemon_in_the_compilers_box_ends_with_the_run(
    grader: Grader, language: str, tier: Tier
) -> None:
    require(grader, language)
    request = ToolRequest(["/usr/bin/sh", "-c", DAEMON], {}).to_bytes()
    with start(grader.boxes._profiles[COMPILE_KIND], tier) as sandbox, sandbox.open_box() as box:
        for _ in range(3):
            outcome = box.run(request, COMPILE_LIMITS)
            assert read_tool_reply(outcome.result).log == "left\n", outcome
            assert children(pid_behind(box._init_pidfd)) == []
