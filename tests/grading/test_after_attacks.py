"""After one attack of each kind in one grader: honest programs run as if nothing had been."""

import os
from dataclasses import replace
from pathlib import Path

import golden
import pytest
from grading_packages import HONEST_SOURCES, read_problem
from judge_data import require
from processes import children

from judge.domain.problem import Problem
from judge.domain.verdicts import Verdict
from judge.grading.pipeline import Grader
from judge.harness.languages import CPP, JAVA, LANGUAGES, PYTHON

GROWTH_KB = 2 * 1024
# Runs of one submission: as in a package, each lane makes several of them.
CASES = 10
SOME = {PYTHON: 100, CPP: 60, JAVA: 30}
MANY = 1000
RUNS = [
    *(
        pytest.param(language, runs, id=f"{runs} {language} runs")
        for language, runs in SOME.items()
    ),
    *(
        pytest.param(language, MANY, id=f"{MANY} {language} runs", marks=pytest.mark.slow)
        for language in SOME
    ),
]


def one_of_each_kind(language: str) -> list[Path]:
    """Of each kind of attack, the first folder that does not take long."""
    found: dict[str, Path] = {}
    for folder in golden.folders(language):
        kind = golden.kind_of(folder, language)
        if kind in golden.ATTACKS and not golden.read_expected(folder).get("slow", False):
            found.setdefault(kind, folder)
    return list(found.values())


def zygotes() -> dict[int, int]:
    """What each zygote holds, in kilobytes: the processes two levels below this one."""
    below = [pid for outer in children(os.getpid()) for pid in children(outer)]
    return {pid: resident_kb(pid) for pid in below}


def resident_kb(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") // 1024


def with_cases(problem: Problem, count: int) -> Problem:
    """The problem with so many cases: its own, over and over."""
    own = (problem.cases[index % len(problem.cases)] for index in range(count))
    cases = (replace(case, id=f"{case.id}-{index}") for index, case in enumerate(own))
    return replace(problem, cases=tuple(cases))


@pytest.mark.slow
@pytest.mark.parametrize(("language", "runs"), RUNS)
def test_honest_runs_after_one_attack_of_each_kind_are_all_accepted(
    grader: Grader, rest: tuple[int, int], language: str, runs: int
) -> None:
    require(grader, language)
    before = zygotes()
    attacks = one_of_each_kind(language)
    assert len(attacks) > 5
    for folder in attacks:
        source = (folder / LANGUAGES[language].file_name).read_bytes()
        grader.grade(golden.asked(golden.read_expected(folder)), source, language)
    problem = with_cases(read_problem("pair_sum"), CASES)
    accepted = 0
    for _ in range(runs // CASES):
        judgement = grader.grade(problem, HONEST_SOURCES[language], language)
        assert judgement.verdict is Verdict.ACCEPTED, judgement
        accepted += judgement.passed
    assert accepted == runs
    golden.assert_nothing_is_left(grader, rest)
    after = zygotes()
    assert len(after) == len(before)
    grown = {pid: after[pid] - before[pid] for pid in after if pid in before}
    assert grown
    assert all(kb <= GROWTH_KB for kb in grown.values()), grown
