"""What a rejudge does to one account: the rule that scores do not fall, and how changes count."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.domain.progress import ScoredSubmission, share
from judge.domain.rejudging import Change, Rejudged, Selector, effect_on, falls
from judge.domain.scoring import Score
from judge.domain.verdicts import Verdict

START = datetime(2026, 9, 1, tzinfo=UTC)
AC, WA, TLE, IE = "accepted", "wrong_answer", "time_limit_exceeded", "internal_error"


def scored(number: int, earned: int, full: int = 100, accepted: bool | None = None):
    is_accepted = earned == full if accepted is None else accepted
    moment = START + timedelta(minutes=number)
    return ScoredSubmission(
        f"s{number}", f"j{number}-{earned}-{full}", moment, Score(earned, full), is_accepted
    )


def anew(number: int, before, after, verdicts: tuple[str, str] = (WA, WA)) -> Rejudged:
    return Rejudged(f"s{number}", before, verdicts[0], after, verdicts[1])


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, scored(1, 0), False),
        (scored(1, 50), scored(1, 49), True),
        (scored(1, 50), scored(1, 50), False),
        (scored(1, 50), scored(1, 1, 2), False),
        (scored(1, 1, 3), scored(1, 33), True),
        (scored(1, 100), scored(1, 100, accepted=False), True),
        (scored(1, 50, accepted=False), scored(1, 50, accepted=True), False),
    ],
)
def test_what_is_a_fall(before, after, expected: bool) -> None:
    assert falls(before, after) is expected


@pytest.mark.parametrize(
    ("old", "new", "verdicts", "change"),
    [
        (40, 100, (WA, AC), Change.UP),
        (40, 0, (WA, WA), Change.DOWN),
        (40, 40, (WA, WA), Change.SAME),
        (40, 40, (WA, TLE), Change.VERDICT_ONLY),
    ],
)
def test_how_an_account_changes_if_scores_may_fall(
    old: int, new: int, verdicts: tuple[str, str], change: Change
) -> None:
    before, after = scored(1, old), scored(1, new)
    effect = effect_on([before], [anew(1, before, after, verdicts)], None, allow_decrease=True)
    assert (effect.change, effect.taken, effect.kept) == (change, ("s1",), ())
    assert effect.after is not None
    assert effect.after.score == after.score


def test_what_would_fall_is_kept_and_named() -> None:
    before, after = scored(1, 60), scored(1, 40)
    effect = effect_on([before], [anew(1, before, after)], None, allow_decrease=False)
    assert (effect.change, effect.taken, effect.kept) == (Change.SAME, (), ("s1",))
    assert effect.after == effect.before


def test_each_submission_is_decided_by_itself() -> None:
    first, second = scored(1, 60), scored(2, 40)
    effect = effect_on(
        [first, second],
        [anew(1, first, scored(1, 20)), anew(2, second, scored(2, 100, accepted=True))],
        None,
        allow_decrease=False,
    )
    assert (effect.kept, effect.taken, effect.change) == (("s1",), ("s2",), Change.UP)


def test_a_fault_of_the_judge_takes_no_place_and_is_counted_apart() -> None:
    before = scored(1, 60)
    effect = effect_on([before], [anew(1, before, None, (WA, IE))], None, allow_decrease=True)
    assert (effect.taken, effect.kept, effect.failed) == ((), (), ("s1",))
    assert effect.change is Change.SAME


def test_a_first_score_is_more_than_none() -> None:
    effect = effect_on([], [anew(1, None, scored(1, 0), (IE, WA))], None, allow_decrease=False)
    assert effect.change is Change.UP


numbers = st.integers(0, 12)
submissions = st.lists(
    st.tuples(numbers, st.integers(1, 12), st.none() | numbers, st.integers(1, 12)), max_size=6
)


@given(submissions)
def test_without_permission_no_best_score_falls(
    drawn: list[tuple[int, int, int | None, int]],
) -> None:
    old = [scored(n, min(one[0], one[1]), one[1]) for n, one in enumerate(drawn)]
    new = [
        anew(n, old[n], None if one[2] is None else scored(n, min(one[2], one[3]), one[3]))
        for n, one in enumerate(drawn)
    ]
    effect = effect_on(old, new, None, allow_decrease=False)
    assert effect.change is not Change.DOWN
    if effect.before is not None:
        assert effect.after is not None
        assert share(effect.after.score) >= share(effect.before.score)
        assert (effect.before.first_accepted_at is None) or effect.after.first_accepted_at
    assert len(effect.taken) + len(effect.kept) == sum(one.after is not None for one in new)


def test_a_selector_says_only_what_it_selects_by() -> None:
    assert Selector().to_json() == {}
    chosen = Selector(2, "a", Verdict.WRONG_ANSWER, "java", START, best_only=True)
    assert chosen.to_json() == {
        "revision": 2,
        "account_id": "a",
        "verdict": "wrong_answer",
        "language": "java",
        "since": "2026-09-01T00:00:00+00:00",
        "best_only": True,
    }
