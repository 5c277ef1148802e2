"""What a distribution needs of its proof: critical values, and the power against wrong programs.

The critical value of a case follows from its pmf and the number of draws; its simulation has a seed
of the same content, so every proof of a package finds the same one.

Power. A wrong submission's own distribution is estimated from many times as many draws as a case
makes, and the two stages are simulated with it. The estimate's own noise makes it look a little
further from the target than it is, by (cells - 1) / (2 * draws) of divergence: with ``DRAWN_TIMES``
times the draws of a case that is 1 / DRAWN_TIMES of what chance adds to the statistic there.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import numpy.typing as npt

from judge.domain.checkers.distribution import (
    CALIBRATION_RUNS,
    null_quantile,
    pmf_flaw,
    power,
)
from judge.domain.problem import Problem, TestCase
from judge.domain.verdicts import Reason, Verdict
from judge.errors import Finding
from judge.grading.draws import KIND
from judge.grading.pipeline import Grader
from judge.grading.proof.report import PowerRow
from judge.packages.submissions import ExampleSubmission

LEAST_POWER = 0.99999
POWER_RUNS = 300_000
DRAWN_TIMES = 20
FRESH_INPUTS = 10
FRESH_RUNS = 100_000
_BY_THE_TOKENS = (Reason.OFF_TOLERANCE, Reason.WRONG_VALUE)


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
        seed = _seed(pmf, draws)
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


def weak(rows: Sequence[PowerRow]) -> Iterator[Finding]:
    """What is caught, but by luck."""
    for row in rows:
        if row.power < LEAST_POWER:
            message = (
                f"is rejected with a chance of {row.power:.5f} only (by {row.case}), at least "
                f"{LEAST_POWER} needed; more draws, or a case that differs more"
            )
            yield Finding("weak-power", f"submissions/{row.path}", message)


def power_against(
    problem: Problem, submission: ExampleSubmission, groups: Sequence[str], grader: Grader
) -> PowerRow | None:
    """How surely a wrong submission is caught, by the case that does it best.

    Looks at the ``groups`` that it failed, and no further than the first case that is sure enough.
    None where no token says that it is wrong: it fails in another way.
    """
    best: PowerRow | None = None
    for case in problem.cases:
        if case.group not in groups:
            continue
        tokens = _draw_many(problem, case, submission, grader)
        if not len(tokens):
            continue
        row = PowerRow(submission.path, case.id, _power(problem, case, tokens), len(tokens))
        if best is None or row.power > best.power:
            best = row
        if best.power >= LEAST_POWER:
            break
    return best


def _power(problem: Problem, case: TestCase, tokens: npt.NDArray[np.int64]) -> float:
    """By a cell of its own for whatever is no token of the target."""
    pmf = cast(list[float], case.expected)
    known = (tokens >= 0) & (tokens < len(pmf))
    counts = np.bincount(np.where(known, tokens, len(pmf)), minlength=len(pmf) + 1)
    draws, critical = problem.checker.draws, problem.calibration[case.id]
    own = (counts / counts.sum()).tolist()
    return power([*pmf, 0.0], own, draws, critical, POWER_RUNS, _seed(pmf, draws))


def _draw_many(
    problem: Problem, case: TestCase, submission: ExampleSubmission, grader: Grader
) -> npt.NDArray[np.int64]:
    """Tokens of many runs of one case, none of which is rejected by the statistic."""
    cases = [
        replace(case, id=f"{case.id}#{number}", ordinal=number)
        for number in range(1, DRAWN_TIMES + 1)
    ]
    repeated = replace(
        problem, cases=tuple(cases), calibration=dict.fromkeys((one.id for one in cases), math.inf)
    )
    judgement = grader.grade(repeated, submission.source, submission.language)
    said = [
        np.asarray(result.returned, dtype=np.int64)
        for result in judgement.cases
        if result.verdict is Verdict.ACCEPTED
        or (result.verdict is Verdict.WRONG_ANSWER and result.reason in _BY_THE_TOKENS)
    ]
    return np.concatenate(said) if said else np.zeros(0, np.int64)


def _seed(pmf: Sequence[float], draws: int) -> int:
    content = json.dumps([draws, list(pmf)]).encode()
    return int.from_bytes(hashlib.sha256(content).digest()[:8], "little")
