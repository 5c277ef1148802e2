"""Measuring by turns: blocks of runs that alternate between two sides, so that noise hits both.

A figure is the median over blocks of what each block gave; the ratio of a block is that of its two
medians. Which side begins changes from block to block. Before each block a fixed loop is timed:
how fast the machine was just then, and it is noted whether others were at work.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from calm import wait_until_calm

_CALIBRATION_ADDITIONS = 3_000_000


class NotMeasured(Exception):
    """Something that a row needs is not there; the text says what, and how to get it."""


@dataclass(frozen=True)
class Side:
    """One side of a comparison.

    Attributes:
        name: for people.
        run_block: does so many runs and gives a figure for each.
        runs: how many runs a block has.
        unit: of the figures.
    """

    name: str
    run_block: Callable[[int], Sequence[float]]
    runs: int
    unit: str = "ms"


@dataclass(frozen=True)
class Plan:
    """How much is measured.

    Attributes:
        blocks: blocks a row.
        fast_runs: runs a block of a side that takes milliseconds a run.
        slow_runs: runs a block of a side that takes tenths of a second.
        patience_s: how long a block waits at most for a machine that idles.
        calibration_ms: grows by one time of the fixed loop a block.
        disturbed: grows by one a block, whether others were at work when it began.
    """

    blocks: int
    fast_runs: int
    slow_runs: int
    patience_s: float
    calibration_ms: list[float] = field(default_factory=list)
    disturbed: list[bool] = field(default_factory=list)


@dataclass(frozen=True)
class Median:
    """One side's median over all of its runs."""

    name: str
    value: float
    unit: str
    runs: int


@dataclass(frozen=True)
class Measured:
    """What a row came to.

    Attributes:
        figure: what its demand is about: a ratio, or a median of block medians.
        quartiles: lower and upper quartile of the blocks' own figures: how noisy it was.
        unit: of the figure.
        medians: of each side.
    """

    figure: float
    quartiles: tuple[float, float]
    unit: str
    medians: tuple[Median, ...]


@dataclass(frozen=True)
class Row:
    """A line of the result: what is measured and what is demanded of it.

    Attributes:
        name: on the command line.
        demand: the least or the most that the figure may be; None where it only informs.
        at_least: which of the two.
        measure: does it; raises NotMeasured where something is missing.
    """

    name: str
    demand: float | None
    at_least: bool
    measure: Callable[[Plan], Measured]

    def is_reached_by(self, measured: Measured) -> bool | None:
        """Whether the figure satisfies the demand; None where there is none."""
        if self.demand is None:
            return None
        if self.at_least:
            return measured.figure >= self.demand
        return measured.figure <= self.demand


def compare(plan: Plan, numerator: Side, denominator: Side) -> Measured:
    """Measure two sides by turns: how often the denominator goes into the numerator."""
    sides = (numerator, denominator)
    taken = _take_blocks(plan, sides)
    ratios = [
        statistics.median(above) / statistics.median(below)
        for above, below in zip(*taken, strict=True)
    ]
    medians = tuple(_median(side, each) for side, each in zip(sides, taken, strict=True))
    return Measured(statistics.median(ratios), _quartiles(ratios), "x", medians)


def alone(plan: Plan, side: Side) -> Measured:
    """Measure one side against nothing: an absolute figure, of this machine only."""
    (taken,) = _take_blocks(plan, (side,))
    figures = [statistics.median(block) for block in taken]
    return Measured(
        statistics.median(figures), _quartiles(figures), side.unit, (_median(side, taken),)
    )


def _take_blocks(plan: Plan, sides: Sequence[Side]) -> list[list[Sequence[float]]]:
    for side in sides:
        side.run_block(1)  # what only a first run pays for
    taken: list[list[Sequence[float]]] = [[] for _ in sides]
    order = list(zip(sides, taken, strict=True))
    for _ in range(plan.blocks):
        plan.disturbed.append(not wait_until_calm(plan.patience_s))
        plan.calibration_ms.append(_calibrate())
        for side, blocks in order:
            blocks.append(side.run_block(side.runs))
        order.reverse()
    return taken


def _calibrate() -> float:
    """Milliseconds of a fixed loop in plain Python."""
    start = time.perf_counter()
    total = 0
    for number in range(_CALIBRATION_ADDITIONS):
        total += number
    return (time.perf_counter() - start) * 1000


def _median(side: Side, blocks: Sequence[Sequence[float]]) -> Median:
    values = [value for block in blocks for value in block]
    return Median(side.name, statistics.median(values), side.unit, len(values))


def _quartiles(figures: Sequence[float]) -> tuple[float, float]:
    if len(figures) == 1:
        return figures[0], figures[0]
    lower, _, upper = statistics.quantiles(figures, n=4, method="inclusive")
    return lower, upper
