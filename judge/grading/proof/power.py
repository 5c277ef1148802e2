"""How surely a distribution's test catches what is wrong: example submissions and mutants.

A wrong program's own distribution is estimated from many times as many draws as a case makes. The
estimate's own noise makes it look a little further from the target than it is, by (cells - 1) /
(2 * draws) of divergence: with ``DRAWN_TIMES`` times the draws of a case that is 1 / DRAWN_TIMES of
what chance adds to the statistic there.

Of most wrong programs a bound says enough (``least_power``); of the others the two stages are
simulated.
"""

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import numpy.typing as npt

from judge.domain.checkers.distribution import pool, power
from judge.domain.problem import Problem, TestCase
from judge.domain.verdicts import Reason, Verdict
from judge.errors import Finding
from judge.grading.pipeline import Grader
from judge.packages.submissions import ExampleSubmission

LEAST_POWER = 0.99999
POWER_RUNS = 300_000
DRAWN_TIMES = 20
# G of two cells must not come out above that of all for the order in which they are added.
_ROUNDING = 1e-9
_BY_THE_TOKENS = (Reason.OFF_TOLERANCE, Reason.WRONG_VALUE)
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PowerRow:
    """How surely a distribution's rule catches a wrong program.

    Attributes:
        path: the submission's, or the id of a mutant.
        case: the test case that catches it most surely.
        power: the chance that a grading rejects it there; 1 stands for 0.99999 or more.
        draws: of how many draws the program's own distribution is known.
    """

    path: str
    case: str
    power: float
    draws: int

    @property
    def suffices(self) -> bool:
        """Whether it is caught, and not by luck."""
        return self.power >= LEAST_POWER


def weak(rows: Sequence[PowerRow]) -> Iterator[Finding]:
    """What is caught, but by luck."""
    for row in rows:
        if not row.suffices:
            message = (
                f"is rejected with a chance of {row.power:.5f} only (by {row.case}), at least "
                f"{LEAST_POWER} needed; more draws, or a case that differs more"
            )
            yield Finding("weak-power", f"submissions/{row.path}", message)


def power_against(
    problem: Problem, submission: ExampleSubmission, cases: Sequence[TestCase], grader: Grader
) -> PowerRow | None:
    """How surely a wrong submission is caught, by that of the ``cases`` that does it best.

    Looks no further than the first case that is sure enough. None where no token says that it is
    wrong: it fails in another way.
    """
    best: PowerRow | None = None
    for case in cases:
        tokens = _draw_many(problem, case, submission, grader)
        if not len(tokens):
            continue
        row = PowerRow(submission.path, case.id, _power(problem, case, tokens), len(tokens))
        if best is None or row.power > best.power:
            best = row
        if best.suffices:
            break
    return best


def least_power(
    pmf: Sequence[float], wrong_pmf: Sequence[float], draws: int, critical: float
) -> float:
    """A chance with which a function that draws from ``wrong_pmf`` is rejected at least.

    Cells that are counted together make G smaller, never larger. So a stage accepts no more often
    than G of two cells alone, some of them and the others, is within the critical value; how often
    that is is a sum of a binomial distribution. Of all ways to part the cells by how much more of
    them the wrong function gives, the one that says most counts. A function that never gives what
    the target never gives is accepted by one stage of two; the other one is so by none.
    """
    cells = pool(pmf, draws)
    possible = cells.of_token >= 0
    own = np.asarray(wrong_pmf, np.float64)
    own = own / own.sum()
    masses = np.bincount(cells.of_token[possible], weights=own[possible])
    left = float(masses.sum())
    if left <= 0:
        return 1.0
    order = np.argsort(masses / left / cells.probabilities)[::-1]
    shares = zip(
        np.cumsum(cells.probabilities[order])[:-1],
        np.cumsum(masses[order] / left)[:-1],
        strict=True,
    )
    within = min((_within(given, told, draws, critical) for given, told in shares), default=1.0)
    return 1.0 - math.exp(draws * math.log(min(left, 1.0))) * min(1.0, 2.0 * within)


def _within(target: float, own: float, draws: int, critical: float) -> float:
    """How often two cells, the first of them with a mass of ``own``, keep to the critical value."""
    counts = np.arange(draws + 1, dtype=np.float64)
    others = draws - counts
    g = 2.0 * (_entropy(counts, draws * target) + _entropy(others, draws * (1.0 - target)))
    own = min(max(own, 1e-300), 1.0 - 1e-16)
    logs = np.concatenate([[0.0], np.cumsum(np.log(counts[1:]))])
    chances = np.exp(
        logs[-1] - logs - logs[::-1] + counts * math.log(own) + others * math.log1p(-own)
    )
    return float(chances[g <= critical * (1 + _ROUNDING)].sum())


def _entropy(counts: Doubles, expected: float) -> Doubles:
    ratio = np.divide(counts, expected, out=np.ones(len(counts)), where=counts > 0)
    found: Doubles = counts * np.log(ratio)
    return found


def _power(problem: Problem, case: TestCase, tokens: npt.NDArray[np.int64]) -> float:
    """By a cell of its own for whatever is no token of the target."""
    pmf = cast(list[float], case.expected)
    known = (tokens >= 0) & (tokens < len(pmf))
    counts = np.bincount(np.where(known, tokens, len(pmf)), minlength=len(pmf) + 1)
    draws, critical = problem.checker.draws, problem.calibration[case.id]
    target, own = [*pmf, 0.0], (counts / counts.sum()).tolist()
    if least_power(target, own, draws, critical) >= LEAST_POWER:
        return 1.0
    return power(target, own, draws, critical, POWER_RUNS, seed_of(pmf, draws))


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


def seed_of(pmf: Sequence[float], draws: int) -> int:
    """The seed of a case's simulations: the same for the same content."""
    content = json.dumps([draws, list(pmf)]).encode()
    return int.from_bytes(hashlib.sha256(content).digest()[:8], "little")
