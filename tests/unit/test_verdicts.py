"""The fold of case verdicts into one: an outage, a gap or a missing case is never a pass."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.domain.verdicts import KATTIS_CODES, Verdict, fold

AC, WA, TLE, SKIPPED = (
    Verdict.ACCEPTED,
    Verdict.WRONG_ANSWER,
    Verdict.TIME_LIMIT_EXCEEDED,
    Verdict.SKIPPED,
)
ANY = st.sampled_from(list(Verdict))
FAILED = st.sampled_from([v for v in Verdict if v not in (AC, SKIPPED, Verdict.INTERNAL_ERROR)])
PLANNED = st.integers(-2, 12)


@given(PLANNED, st.lists(ANY, max_size=12))
def test_accepted_only_if_all_that_was_planned_passed(planned: int, seen: list[Verdict]) -> None:
    passed = planned > 0 and len(seen) == planned and all(verdict is AC for verdict in seen)
    assert (fold(planned, seen) is AC) == passed


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.lists(ANY, max_size=12))))
def test_any_fault_of_the_judge_is_an_internal_error(case: tuple[int, list[Verdict]]) -> None:
    planned, seen = case
    if Verdict.INTERNAL_ERROR in seen or len(seen) != planned:
        assert fold(planned, seen) is Verdict.INTERNAL_ERROR


@given(st.lists(st.just(AC) | FAILED, min_size=1, max_size=12), FAILED)
def test_the_first_failed_case_decides(before: list[Verdict], last: Verdict) -> None:
    seen = [*before, last]
    first = next(verdict for verdict in seen if verdict is not AC)
    assert fold(len(seen), seen) is first


@given(st.integers(1, 12), st.data())
def test_a_list_that_is_too_short_is_never_accepted(planned: int, data: st.DataObject) -> None:
    seen = [AC] * data.draw(st.integers(0, planned - 1))
    assert fold(planned, seen) is Verdict.INTERNAL_ERROR


@given(st.lists(ANY, max_size=8))
def test_a_submission_is_never_skipped(seen: list[Verdict]) -> None:
    assert fold(len(seen), seen) is not SKIPPED


@pytest.mark.parametrize(
    ("planned", "seen", "verdict"),
    [
        (0, [], Verdict.INTERNAL_ERROR),
        (-1, [], Verdict.INTERNAL_ERROR),
        (1, [AC], AC),
        (2, [AC], Verdict.INTERNAL_ERROR),
        (1, [AC, AC], Verdict.INTERNAL_ERROR),
        (3, [AC, TLE, SKIPPED], TLE),
        (3, [WA, TLE, SKIPPED], WA),
        (2, [AC, SKIPPED], Verdict.INTERNAL_ERROR),
        (2, [SKIPPED, SKIPPED], Verdict.INTERNAL_ERROR),
        (2, [WA, Verdict.INTERNAL_ERROR], Verdict.INTERNAL_ERROR),
    ],
)
def test_examples(planned: int, seen: list[Verdict], verdict: Verdict) -> None:
    assert fold(planned, seen) is verdict


def test_package_files_name_every_verdict_that_a_submission_may_get() -> None:
    never_named = {Verdict.INTERNAL_ERROR, SKIPPED}
    assert set(KATTIS_CODES.values()) == set(Verdict) - never_named
