"""The critical values of a distribution.

That of a case follows from its pmf and the number of draws; its simulation has a seed of the same
content, so every proof of a package finds the same one.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from judge.domain.checkers.distribution import CALIBRATION_RUNS, null_quantile, pmf_flaw
from judge.domain.problem import Problem
from judge.errors import Finding
from judge.grading.draws import KIND
from judge.grading.proof.power import seed_of

FRESH_INPUTS = 10
FRESH_RUNS = 100_000


def is_distribution(problem: Problem) -> bool:
    """Whether there is anything to calibrate."""
    return problem.checker.kind == KIND


def calibrated(
    problem: Problem, on_progress: Callable[[str], None], runs: int = CALIBRATION_RUNS
) -> Problem:
    """The problem with the critical value of every case; takes a second or so for each."""
    found: dict[int, float] = {}
    calibration: dict[str, float] = {}
    draws = problem.checker.draws
    for case in problem.cases:
        pmf = cast(list[float], case.expected)
        seed = seed_of(pmf, draws)
        if seed not in found:
            on_progress(f"calibration: {case.id}")
            found[seed] = null_quantile(pmf, draws, seed, runs)
        calibration[case.id] = found[seed]
    return replace(problem, calibration=calibration)


def calibrated_fresh(problem: Problem, on_progress: Callable[[str], None]) -> Problem | Finding:
    """The same of fresh inputs, from fewer runs; the first one whose pmf is none as a finding."""
    for case in problem.cases:
        flaw = pmf_flaw(cast(list[float], case.expected))
        if flaw:
            return Finding("bad-pmf", "reference.py", f"pmf() on {case.id}: {flaw}")
    return calibrated(problem, on_progress, FRESH_RUNS)
