"""Best scores and progress as arithmetic."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.domain.progress import (
    ProblemScore,
    ScoredSubmission,
    best_of,
    compute,
    run_of_days,
    share,
)
from judge.domain.scoring import Score

START = datetime(2026, 3, 1, tzinfo=UTC)
scores = st.integers(0, 12).flatmap(
    lambda full: st.builds(Score, st.integers(0, full), st.just(full))
)


@st.composite
def histories(draw: st.DrawFn) -> list[ScoredSubmission]:
    found = draw(st.lists(st.tuples(scores, st.integers(0, 50)), max_size=12))
    return [
        ScoredSubmission(
            submission_id=f"{index:02}",
            judgement_id=f"j{index:02}",
            created_at=START + timedelta(minutes=minutes),
            score=score,
            is_accepted=score.max > 0 and score.earned == score.max,
        )
        for index, (score, minutes) in enumerate(found)
    ]


@given(histories(), st.randoms(use_true_random=False), st.none() | st.integers(0, 50))
def test_the_order_of_judging_does_not_matter(history, random, opened) -> None:
    opened_at = None if opened is None else START + timedelta(minutes=opened)
    shuffled = list(history)
    random.shuffle(shuffled)
    assert best_of(history, opened_at) == best_of(shuffled, opened_at)


@given(histories())
def test_the_best_is_the_highest_share_and_of_those_the_earliest(history) -> None:
    best = best_of(history, None)
    if not history:
        assert best is None
        return
    assert best.submissions == len(history)
    top = [one for one in history if share(one.score) == share(best.score)]
    assert all(share(one.score) <= share(best.score) for one in history)
    chosen = next(one for one in history if one.judgement_id == best.judgement_id)
    assert chosen.created_at == min(one.created_at for one in top)


@given(histories(), histories())
def test_another_submission_never_lowers_the_best(history, more) -> None:
    before, after = best_of(history, None), best_of(history + more, None)
    if before is not None:
        assert share(after.score) >= share(before.score)


def submission(minute: int, earned: int, full: int = 100) -> ScoredSubmission:
    return ScoredSubmission(
        f"s{minute}",
        f"j{minute}",
        START + timedelta(minutes=minute),
        Score(earned, full),
        earned == full,
    )


def test_shares_are_compared_exactly() -> None:
    thirds = [submission(1, 333_333_333, 1_000_000_000), submission(2, 1, 3)]
    assert best_of(thirds, None).judgement_id == "j2"


def test_the_first_acceptance_is_the_earliest_submission_that_was_accepted() -> None:
    history = [submission(9, 100), submission(3, 100), submission(1, 40)]
    assert best_of(history, None).first_accepted_at == START + timedelta(minutes=3)
    assert best_of([submission(1, 40)], None).first_accepted_at is None


@pytest.mark.parametrize(("opened", "expected"), [(None, False), (2, True), (5, False), (9, False)])
def test_only_what_came_after_the_solution_is_marked(opened: int | None, expected: bool) -> None:
    opened_at = None if opened is None else START + timedelta(minutes=opened)
    assert best_of([submission(5, 100)], opened_at).after_solution is expected


def problem(slug: str, topics: tuple[str, ...], best: Score | None, points: int = 100):
    return ProblemScore(slug, slug.title(), topics, points, best, 0 if best is None else 1)


def test_progress_counts_a_problem_in_each_topic_and_once_in_all() -> None:
    problems = [
        problem("a", ("x", "y"), Score(2, 3)),
        problem("b", ("y",), Score(5, 5), points=50),
        problem("c", (), None),
    ]
    progress = compute(problems, {}, date(2026, 3, 1))
    assert (progress.total.points, progress.total.max) == (116.67, 250)
    assert (progress.total.solved, progress.total.problems) == (1, 3)
    assert list(progress.by_topic) == ["x", "y"]
    assert progress.by_topic["y"].points == 116.67
    assert progress.by_problem[2].earned is None


@pytest.mark.parametrize(
    ("days", "length"),
    [
        ((), 0),
        ((10,), 1),
        ((9,), 1),
        ((8,), 0),
        ((10, 9, 8), 3),
        ((9, 8, 6), 2),
        ((11,), 0),
    ],
)
def test_a_run_of_days_may_still_be_extended_today(days: tuple[int, ...], length: int) -> None:
    assert run_of_days([date(2026, 3, day) for day in days], date(2026, 3, 10)) == length
