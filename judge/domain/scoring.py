"""Scoring: case verdicts to integers, integers to points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from judge.domain.problem import TestCase, TestGroup
from judge.domain.verdicts import Verdict

# What a problem may be worth, wherever its points are stated or changed.
MAX_POINTS = 10_000


@dataclass(frozen=True)
class Score:
    """An exact fraction of the problem's points: ``earned`` of ``max`` group points."""

    earned: int
    max: int


def score(
    groups: Sequence[TestGroup], cases: Sequence[TestCase], verdicts: Mapping[str, Verdict]
) -> Score:
    """Score by groups.

    A group's max_score is given only if all its cases were accepted, it has a case, and every
    group that it requires passed too. A case without a verdict counts as failed.
    """
    earned = earned_of(groups, groups, cases, verdicts)
    return Score(earned, sum(group.max_score for group in groups))


def earned_of(
    counted: Sequence[TestGroup],
    groups: Sequence[TestGroup],
    cases: Sequence[TestCase],
    verdicts: Mapping[str, Verdict],
) -> int:
    """What some of a problem's groups give, by the same rule."""
    passed = {group.name: _group_passed(group.name, cases, verdicts) for group in groups}
    return sum(
        group.max_score
        for group in counted
        if passed[group.name] and all(passed.get(name, False) for name in group.require_pass)
    )


def points(result: Score, problem_points: int) -> float:
    """Points shown to people: ``problem_points * earned / max``, half even to two decimals."""
    if result.max == 0:
        return 0.0
    exact = Decimal(problem_points) * result.earned / result.max
    return float(exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN))


def _group_passed(name: str, cases: Sequence[TestCase], verdicts: Mapping[str, Verdict]) -> bool:
    of_group = [case for case in cases if case.group == name]
    return bool(of_group) and all(verdicts.get(case.id) is Verdict.ACCEPTED for case in of_group)
