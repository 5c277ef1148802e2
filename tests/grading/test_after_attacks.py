"""After one attack of each kind in one grader: honest programs run as if nothing had been."""

import os
from pathlib import Path

import golden
import pytest
from grading_packages import HONEST_SOURCES, read_problem
from judge_data import require
from processes import children

from judge.domain.verdicts import Verdict
from judge.grading.pipeline import Grader
from judge.harness.languages import CPP, JAVA, LANGUAGES, PYTHON

CASES_OF_PAIR_SUM = 6
GROWTH_KB = 2 * 1024
SUBMISSIONS = [
    pytest.param(PYTHON, 100 // CASES_OF_PAIR_SUM + 1, id="100 Python runs"),
    pytest.param(CPP, 10, id="60 C++ runs"),
    pytest.param(JAVA, 5, id="30 Java runs"),
    pytest.param(
        PYTHON, 1000 // CASES_OF_PAIR_SUM + 1, id="1000 Python runs", marks=pytest.mark.slow
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


@pytest.mark.parametrize(("language", "submissions"), SUBMISSIONS)
def test_honest_runs_after_one_attack_of_each_kind_are_all_accepted(
    grader: Grader, rest: tuple[int, int], language: str, submissions: int
) -> None:
    require(grader, language)
    before = zygotes()
    attacks = one_of_each_kind(language)
    assert len(attacks) > 5
    for folder in attacks:
        source = (folder / LANGUAGES[language].file_name).read_bytes()
        grader.grade(golden.asked(golden.read_expected(folder)), source, language)
    problem = read_problem("pair_sum")
    assert len(problem.cases) == CASES_OF_PAIR_SUM
    for _ in range(submissions):
        judgement = grader.grade(problem, HONEST_SOURCES[language], language)
        assert judgement.verdict is Verdict.ACCEPTED, judgement
    golden.assert_nothing_is_left(grader, rest)
    after = zygotes()
    assert len(after) == len(before)
    grown = {pid: after[pid] - before[pid] for pid in after if pid in before}
    assert all(kb <= GROWTH_KB for kb in grown.values()), grown
