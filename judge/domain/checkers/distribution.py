"""The checker distribution: does a random function draw from the target distribution?

The judge fills the function's random numbers anew for every draw, counts the tokens that come back
and compares the counts with the target pmf. This module is the arithmetic; it draws nothing of a
learner's and starts nothing.

The rule, for n draws:

0. A token that the target never gives (probability 0, or no token of it at all) is wrong at once.
   Some draws are made twice, at places that only the judge knows: whoever gives two tokens for the
   same random numbers does not draw by them, and is wrong at once, too. A counter that deals the
   tokens out by their shares would otherwise pass: it fits better than chance. A right function
   never fails here. (Who keeps a table from random numbers to tokens is not found; it needs the
   target distribution itself to fill it, and who has that may draw from it.)
1. G = 2 * sum(count * ln(count / expected count)) over the cells of ``pool``. The function is
   rejected by this stage where G > critical, and critical is ``null_quantile``: the Monte-Carlo
   quantile of G for this pmf and this n, so no chi-square approximation is trusted.
2. Whom stage 1 rejects is drawn anew, from fresh random numbers. Wrong only if this stage rejects,
   too (``needs_second_stage``).

False rejects. Let p be the chance that a right function's G exceeds critical. The stages are
independent, so a right function is rejected with chance p * p. critical is the k-th largest of R
simulated null values, k = floor(level * (R + 1)). Whatever the law of G, p is then at most a
Beta(k, R + 1 - k) variable: its mean k / (R + 1) is at most the level, its standard deviation about
sqrt(k) / R. With level 1e-4 and R = 1e6 (k = 100) p is 1.0e-4 +- 1.0e-5, and the chance of a false
reject, averaged over calibrations, is k (k + 1) / ((R + 1) (R + 2)) = 1.01e-8 a case. The error of
the quantile means: one calibration in a million has p > 1.55e-4, which is 2.4e-8. Ties in G (small
n, few cells) only make p smaller. All of this takes the target to be exact: what its decimals are
off by must be small against 1 / sqrt(n).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judge.domain.checkers.comparison import RIGHT, ROOT, Comparison, lengths, wrong
from judge.domain.verdicts import Reason

Doubles = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]
NO_REPEATS: Places = np.zeros((0, 2), dtype=np.intp)
LEVEL = 1e-4
CALIBRATION_RUNS = 1_000_000
MIN_EXPECTED_COUNT = 5.0
_SUM_TOLERANCE = 1e-9
# G is a sum, and the same counts summed in another order must not come out above the quantile.
_ROUNDING = 1e-9
# Bounds the memory of a simulation: so many counts (8 MB) at a time.
_COUNTS_AT_ONCE = 1_000_000


@dataclass(frozen=True)
class Cells:
    """How tokens are counted together.

    Attributes:
        of_token: the cell of each token; -1 for a token of probability 0.
        probabilities: of each cell; they sum to 1.
    """

    of_token: npt.NDArray[np.intp]
    probabilities: Doubles

    def counts(self, counts: npt.NDArray[np.integer]) -> Counts:
        """Counts by cell from counts by token; tokens of probability 0 are left out."""
        possible = self.of_token >= 0
        totals = np.zeros(len(self.probabilities), dtype=np.int64)
        np.add.at(totals, self.of_token[possible], counts[possible])
        return totals


def pmf_flaw(pmf: Sequence[float]) -> str:
    """Why a list is no probability mass function, as a sentence; empty where it is one."""
    values = np.asarray(pmf, dtype=np.float64)
    if not len(values):
        return "a distribution needs at least one token"
    if not np.isfinite(values).all() or (values < 0).any():
        return "a probability is negative or no finite number"
    total = float(values.sum())
    if abs(total - 1) > _SUM_TOLERANCE:
        return f"the probabilities sum to {total!r}, not to 1"
    return ""


def pool(pmf: Sequence[float], draws: int) -> Cells:
    """A cell for each token of which 5 draws or more are expected, and one for the others.

    The cell of the others may be small: the quantile is simulated, so no rule of thumb for
    chi-square is needed, and without that cell a function that overdoes rare tokens would pass.
    """
    target = _normalised(pmf)
    possible = target > 0
    alone = target * draws >= MIN_EXPECTED_COUNT
    of_token = np.full(len(target), -1, dtype=np.intp)
    of_token[possible] = alone.sum()
    of_token[alone] = np.arange(alone.sum())
    return Cells(of_token, _masses(of_token[possible], target[possible]))


def statistic(pmf: Sequence[float], counts: npt.NDArray[np.integer]) -> float:
    """G of the counts of each token; tokens of probability 0 are rule 0's."""
    cells = pool(pmf, int(counts.sum()))
    return float(_g(cells.probabilities, cells.counts(counts)[np.newaxis])[0])


def null_quantile(
    pmf: Sequence[float],
    draws: int,
    seed: int,
    runs: int = CALIBRATION_RUNS,
    level: float = LEVEL,
) -> float:
    """The critical value: what G of a right function exceeds with chance ``level``.

    Takes about 0.1 us a run and cell, and 8 bytes a run.

    Raises:
        ValueError: too few runs to say anything about such a level.
    """
    above = int(level * (runs + 1))
    if above < 1:
        raise ValueError(f"{runs} runs are too few for the level {level}")
    probabilities = pool(pmf, draws).probabilities
    random = np.random.default_rng(seed)
    values = [_g(probabilities, drawn) for drawn in _simulate(random, probabilities, draws, runs)]
    critical = float(np.partition(np.concatenate(values), runs - above)[runs - above])
    return critical + _ROUNDING * max(1.0, critical)


def judge_draws(
    pmf: Sequence[float],
    drawn: Sequence[int] | npt.NDArray[np.int64],
    calls: int,
    critical: float,
    repeated: Places = NO_REPEATS,
) -> Comparison:
    """One stage: the tokens of ``calls`` calls against the target.

    Whoever calls this has counted the calls, not the learner's process: fewer tokens would be a
    weaker test. ``repeated`` has shape (r, 2): the places (from 0) of two calls that got the same
    random numbers. The second of them is not counted.
    """
    if len(drawn) != calls:
        return wrong(Reason.WRONG_SHAPE, ROOT, lengths(range(calls), drawn))
    tokens = np.asarray(drawn, dtype=np.int64)
    target = _normalised(pmf)
    known = (tokens >= 0) & (tokens < len(target))
    impossible = ~known
    impossible[known] = target[tokens[known]] == 0
    if impossible.any():
        place = int(np.argmax(impossible))
        message = f"the token {tokens[place]} has probability 0"
        return wrong(Reason.WRONG_VALUE, f"draw {place + 1} of {calls}", message)
    differs = tokens[repeated[:, 0]] != tokens[repeated[:, 1]]
    if differs.any():
        return _not_repeatable(tokens, repeated[int(np.argmax(differs))], calls)
    counts = np.bincount(np.delete(tokens, repeated[:, 1]), minlength=len(target))
    found = statistic(pmf, counts)
    if found <= critical:
        return RIGHT
    return wrong(Reason.OFF_TOLERANCE, ROOT, _differs(target, counts, found, critical))


def needs_second_stage(first: Comparison) -> bool:
    """Whether a stage rejected by chance alone may be meant: then the draws are made anew."""
    return first.reason is Reason.OFF_TOLERANCE


def power(
    pmf: Sequence[float],
    wrong_pmf: Sequence[float],
    draws: int,
    critical: float,
    runs: int,
    seed: int,
) -> float:
    """The share of simulated runs in which a function that draws from ``wrong_pmf`` is wrong.

    Where all runs reject, 1 - 3 / runs is the lower bound of the power at 95 % confidence: to show
    0.99999 takes 300,000 runs.

    Raises:
        ValueError: the two have different numbers of tokens.
    """
    if len(pmf) != len(wrong_pmf):
        raise ValueError("both distributions need the same number of tokens")
    cells, other = pool(pmf, draws), _normalised(wrong_pmf)
    possible = cells.of_token >= 0
    # The last cell: what the target never gives.
    masses = np.append(_masses(cells.of_token[possible], other[possible]), other[~possible].sum())
    random = np.random.default_rng(seed)
    stages = zip(
        _simulate(random, masses, draws, runs), _simulate(random, masses, draws, runs), strict=True
    )
    rejected = 0
    for first, second in stages:
        at_once = [stage[:, -1] > 0 for stage in (first, second)]
        off = [_g(cells.probabilities, stage[:, :-1]) > critical for stage in (first, second)]
        rejected += int((at_once[0] | (off[0] & (at_once[1] | off[1]))).sum())
    return rejected / runs


def _normalised(pmf: Sequence[float]) -> Doubles:
    values = np.asarray(pmf, dtype=np.float64)
    normalised: Doubles = values / values.sum()
    return normalised


def _masses(cells: npt.NDArray[np.intp], probabilities: Doubles) -> Doubles:
    return np.bincount(cells, weights=probabilities).astype(np.float64)


def _simulate(
    random: np.random.Generator, probabilities: Doubles, draws: int, runs: int
) -> Iterator[Counts]:
    """Counts by cell of many runs, a part of the runs at a time."""
    at_once = max(1, _COUNTS_AT_ONCE // len(probabilities))
    shares = probabilities / probabilities.sum()
    for start in range(0, runs, at_once):
        yield random.multinomial(draws, shares, size=min(at_once, runs - start))


def _g(probabilities: Doubles, counts: Counts) -> Doubles:
    """G of every row of counts."""
    expected = counts.sum(axis=1, keepdims=True) * probabilities
    ratio = np.divide(counts, expected, out=np.ones(counts.shape), where=counts > 0)
    doubled: Doubles = 2.0 * (counts * np.log(ratio)).sum(axis=1)
    return doubled


def _not_repeatable(tokens: Counts, places: Places, calls: int) -> Comparison:
    first, second = sorted(int(place) for place in places)
    message = (
        f"draws {first + 1} and {second + 1} got the same arguments and random numbers, but gave "
        f"the tokens {tokens[first]} and {tokens[second]}: a draw may depend on nothing else"
    )
    return wrong(Reason.NOT_REPEATABLE, f"draw {second + 1} of {calls}", message)


def _differs(target: Doubles, counts: npt.NDArray[np.integer], found: float, limit: float) -> str:
    expected = target * counts.sum()
    spread = np.sqrt(np.maximum(expected, 1.0))
    worst = int(np.argmax(np.abs(counts - expected) / spread))
    return (
        f"the tokens are not distributed as expected: G = {found:.1f}, allowed {limit:.1f}; "
        f"token {worst} came {counts[worst]} times, about {expected[worst]:.1f} expected"
    )
