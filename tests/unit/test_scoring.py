"""Scoring: a group gives all its points or none, and points are rounded half even."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.domain.problem import TestCase, TestGroup, Visibility
from judge.domain.scoring import Score, points, score
from judge.domain.verdicts import Verdict

AC = Verdict.ACCEPTED


def group(name: str, max_score: int, *require_pass: str) -> TestGroup:
    return TestGroup(name, {}, max_score, require_pass)


def case(name: str) -> TestCase:
    return TestCase(name, name.rpartition("/")[0], 1, Visibility.HIDDEN, {}, {}, {}, 0)


GROUPS = (group("sample", 0), group("secret/1", 30, "sample"), group("secret/2", 70))
CASES = tuple(case(f"{name}/{n}") for name in ("sample", "secret/1", "secret/2") for n in (1, 2))


def scored(**failed: Verdict) -> Score:
    """The score where the named cases failed (``secret_1_2`` is secret/1/2) and the rest passed."""
    verdicts = {case.id: AC for case in CASES}
    return score(GROUPS, CASES, verdicts | {k.replace("_", "/"): v for k, v in failed.items()})


def test_all_cases_give_all_points() -> None:
    assert scored() == Score(100, 100)


@pytest.mark.parametrize("verdict", [v for v in Verdict if v is not AC])
def test_one_failed_case_takes_its_whole_group(verdict: Verdict) -> None:
    assert scored(secret_2_1=verdict) == Score(30, 100)


def test_a_group_gives_nothing_where_a_group_that_it_requires_failed() -> None:
    assert scored(sample_2=Verdict.WRONG_ANSWER) == Score(70, 100)


def test_a_group_that_is_required_but_not_there_has_not_passed() -> None:
    lonely = (group("secret/1", 30, "no such group"),)
    assert score(lonely, CASES, {case.id: AC for case in CASES}) == Score(0, 30)


def test_a_case_without_a_verdict_has_failed() -> None:
    verdicts = {case.id: AC for case in CASES if case.id != "secret/1/2"}
    assert score(GROUPS, CASES, verdicts) == Score(70, 100)


def test_a_group_without_a_case_gives_nothing() -> None:
    assert score((group("secret/9", 50),), CASES, {}) == Score(0, 50)


@given(st.dictionaries(st.sampled_from([c.id for c in CASES]), st.sampled_from(list(Verdict))))
def test_earned_stays_between_nothing_and_everything(verdicts: dict[str, Verdict]) -> None:
    result = score(GROUPS, CASES, verdicts)
    assert 0 <= result.earned <= result.max == 100
    everything = len(verdicts) == len(CASES) and set(verdicts.values()) == {AC}
    assert everything <= (result.earned == result.max)


@pytest.mark.parametrize(
    ("earned", "maximum", "problem_points", "shown"),
    [
        (0, 0, 100, 0.0),
        (0, 3, 100, 0.0),
        (3, 3, 100, 100.0),
        (1, 3, 100, 33.33),
        (2, 3, 100, 66.67),
        (1, 8, 1, 0.12),  # 0.125: to the even digit
        (3, 8, 1, 0.38),  # 0.375: to the even digit
        (1, 200, 1, 0.0),  # 0.005
        (3, 200, 1, 0.02),  # 0.015
        (1, 7, 50, 7.14),
    ],
)
def test_points_are_rounded_half_even_to_two_decimals(
    earned: int, maximum: int, problem_points: int, shown: float
) -> None:
    assert points(Score(earned, maximum), problem_points) == shown
