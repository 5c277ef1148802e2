"""What a cell of the gradebook comes to."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.domain.gradebook import Candidate, Terms, cell_of
from judge.domain.scoring import Score

START = datetime(2026, 9, 1, tzinfo=UTC)


def candidate(earned: int, full: int = 100, *, late: bool = False, day: int = 0) -> Candidate:
    moment = START + timedelta(days=day)
    return Candidate(f"s{earned}{late}", Score(earned, full), moment, moment, late, 1)


def terms(late_percent: int = 50) -> Terms:
    return Terms(None, START, late_percent)


def test_nothing_is_no_zero() -> None:
    assert cell_of([], terms(), 100, None) is None
    assert cell_of([candidate(100, late=True)], terms(0), 100, None) is None
    zero = cell_of([candidate(0)], terms(), 100, None)
    assert zero is not None
    assert zero.points == 0.0


@pytest.mark.parametrize(
    ("in_time", "late", "percent", "points", "is_late"),
    [
        (40, 100, 50, 50.0, True),
        (50, 100, 50, 50.0, False),
        (40, 100, 0, 40.0, False),
        (0, 1, 1, 0.01, True),
        (0, 0, 100, 0.0, False),
    ],
)
def test_the_better_one_counts(
    in_time: int, late: int, percent: int, points: float, is_late: bool
) -> None:
    found = cell_of(
        [candidate(late, late=True, day=1), candidate(in_time)], terms(percent), 100, None
    )
    assert found is not None
    assert (found.points, found.is_late) == (points, is_late)


def test_points_are_rounded_once_and_half_to_even() -> None:
    third = cell_of([candidate(1, 3)], terms(), 100, None)
    half = cell_of([candidate(1, 8, late=True)], terms(10), 1, None)
    assert third is not None
    assert half is not None
    assert (third.points, half.points) == (33.33, 0.01)


def test_only_what_came_after_the_solution_is_marked() -> None:
    before = cell_of([candidate(1, day=1)], terms(), 100, START + timedelta(days=2))
    after = cell_of([candidate(1, day=3)], terms(), 100, START + timedelta(days=2))
    assert before is not None
    assert after is not None
    assert (before.after_solution, after.after_solution) == (False, True)


@given(st.integers(0, 100), st.integers(0, 100), st.integers(0, 100), st.integers(1, 10_000))
def test_lateness_never_makes_a_cell_better(
    in_time: int, late: int, percent: int, problem_points: int
) -> None:
    found = cell_of(
        [candidate(in_time), candidate(late, late=True)], terms(percent), problem_points, None
    )
    assert found is not None
    assert found.points <= round(max(in_time, late) * problem_points / 100, 2)
    assert found.points >= round(in_time * problem_points / 100, 2)
