"""Distributions: a function is called many times, with fresh random numbers each time.

Owns where those numbers come from and what becomes of the tokens. One run of a box makes all draws
of a case; the numbers are made on this side, from a secret seed of this grading, never from the
case's own data. The rule itself is judge.domain.checkers.distribution.

Some draws are made twice, at places of the judge's choice (``judge_draws`` says why): a sequence of
calls is longer than what is counted.

A case that the first stage rejects by the statistic is drawn anew, alone, in a fresh box. Only the
second stage's yes, or its time, counts from there on: its tokens come after hidden cases ran, and
nothing that is shown may depend on them (judge.grading.run_cases).
"""

import os
from dataclasses import replace
from typing import cast

import numpy as np
import numpy.typing as npt

from judge.domain.checkers import Comparison
from judge.domain.checkers.distribution import Places, judge_draws
from judge.domain.problem import Problem, TestCase
from judge.domain.submission import CaseResult
from judge.domain.values import Arguments, Value
from judge.domain.verdicts import Reason, Verdict
from judge.errors import JudgeBroken

KIND = "distribution"
FIRST, SECOND = 1, 2
_SEED_BYTES = 16
# Two tokens drawn apart agree with the chance sum(p * p): even at 0.9, 200 times in a row only once
# in a thousand million.
_REPEATED = 200
# Tells the places from the numbers of a stage: none has this number.
_PLACES = 0
_COUNTS_TOO = (Verdict.ACCEPTED, Verdict.TIME_LIMIT_EXCEEDED)


class Draws:
    """The random numbers of one grading, and what is said of the tokens that come of them."""

    def __init__(self, problem: Problem) -> None:
        """Of a distribution.

        Raises:
            JudgeBroken: a case has no critical value: the package was not proved.
        """
        lacking = [case.id for case in problem.cases if case.id not in problem.calibration]
        if lacking:
            raise JudgeBroken(
                f"{problem.slug} is judged by its distribution, and {lacking[0]} has no critical "
                "value; run `judge problems verify`"
            )
        self._spec = problem.checker
        self._critical = problem.calibration
        self._seed = int.from_bytes(os.urandom(_SEED_BYTES), "little")
        self.problem = replace(
            problem, signature=replace(problem.signature, drawn=problem.checker.uniforms)
        )

    def arguments(self, case: TestCase, stage: int) -> Arguments:
        """One case's arguments with the numbers of all draws of a stage; always the same ones."""
        random = np.random.default_rng((self._seed, case.ordinal, stage))
        uniforms = random.random((self._spec.draws, self._spec.per_draw))
        order, twice = self._order(case)
        rows: npt.NDArray[np.float64] = np.concatenate((uniforms, uniforms[twice]))[order]
        return case.arguments | {self._spec.uniforms: rows}

    def check(self, case: TestCase, returned: Value) -> Comparison:
        """One stage's comparison."""
        pmf, tokens = cast(list[float], case.expected), cast(list[int], returned)
        order, twice = self._order(case)
        place_of = np.argsort(order)
        repeated = np.column_stack((place_of[twice], place_of[self._spec.draws :]))
        return judge_draws(pmf, tokens, len(order), self._critical[case.id], repeated)

    def _order(self, case: TestCase) -> tuple[Places, Places]:
        """The order of a case's calls, and which draws the last of them make again."""
        random = np.random.default_rng((self._seed, case.ordinal, _PLACES))
        draws = self._spec.draws
        twice = random.choice(draws, min(_REPEATED, draws), replace=False)
        return random.permutation(draws + len(twice)), twice


def draws_of(problem: Problem) -> Draws | None:
    """The draws of a distribution, for one grading; None of every other problem.

    Raises:
        JudgeBroken: as ``Draws``.
    """
    return Draws(problem) if problem.checker.kind == KIND else None


def is_doubtful(result: CaseResult) -> bool:
    """Whether chance alone may have made this the first stage's result."""
    return result.verdict is Verdict.WRONG_ANSWER and result.reason is Reason.OFF_TOLERANCE


def joined(first: CaseResult, second: CaseResult) -> CaseResult:
    """Both stages as one result: wrong only if both are, and the larger time counts.

    What was printed, and what is said of wrong tokens, is the first stage's.
    """
    chosen = second if second.verdict in _COUNTS_TOO else first
    return replace(
        chosen,
        returned=first.returned,
        stdout=first.stdout,
        stderr=first.stderr,
        cpu_ms=max(first.cpu_ms, second.cpu_ms),
        wall_ms=max(first.wall_ms, second.wall_ms),
        memory_kb=max(first.memory_kb, second.memory_kb),
    )
