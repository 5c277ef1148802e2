"""What must hold of the checkers for values of any type, found by random search."""

import itertools
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from value_strategies import types, values

from judge.domain.checkers.compare import compare
from judge.domain.checkers.forms import FormMaker
from judge.domain.checkers.matching import Unpaired, pair_numbers, pair_rows
from judge.domain.checkers.unordered import compare_unordered
from judge.domain.problem import CheckerSpec
from judge.domain.signatures import ListOf, Scalar, ValueType

EXACT = CheckerSpec("exact", nan_equal=True)
KINDS = st.sampled_from(["set", "multiset", "permutation"])
# Few different numbers, so that many are close and some just not; the steps are exact in binary.
GRID = st.integers(-8, 8).map(lambda step: step / 4)
TOLERANCES = st.builds(
    CheckerSpec,
    st.just("close"),
    st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    st.sampled_from([0.0, 0.25, 0.5, 2.0]),
)
ROWS = st.integers(1, 6).flatmap(
    lambda count: st.integers(1, 3).flatmap(
        lambda width: st.tuples(*[_tables(count, width)] * 2),
    )
)


def _tables(count: int, width: int) -> st.SearchStrategy[Any]:
    rows = st.lists(GRID, min_size=width, max_size=width)
    return st.lists(rows, min_size=count, max_size=count).map(np.array)


@st.composite
def typed_lists(draw: st.DrawFn) -> tuple[ValueType, list[Any], list[Any]]:
    """A list type, a value without items that are equal, and a permutation of it."""
    item = draw(types())
    maker = FormMaker(item, nan_equal=True, close=False)
    form = st.lists(values(item), max_size=5, unique_by=lambda value: maker.form(value)[0])
    expected = draw(form)
    return ListOf(item), expected, draw(st.permutations(expected))


def same(kind: ValueType, left: Any, right: Any) -> bool:
    return compare(EXACT, kind, left, right).passed


def fewest_left_over(spec: CheckerSpec, expected: Any, returned: Any) -> int:
    """By trying all pairings."""
    cells = [[_close(spec, left, right) for right in returned] for left in expected]
    return min(
        sum(not cells[row][column] for row, column in enumerate(order))
        for order in itertools.permutations(range(len(returned)))
    )


def _close(spec: CheckerSpec, left: Any, right: Any) -> bool:
    return compare(spec, ListOf(Scalar("float")), left.tolist(), right.tolist()).passed


@given(types().flatmap(lambda kind: st.tuples(st.just(kind), values(kind), values(kind))))
def test_forms_are_equal_just_where_values_are(typed: tuple[ValueType, Any, Any]) -> None:
    kind, left, right = typed
    maker = FormMaker(kind, nan_equal=True, close=False)
    assert maker.form(left) == maker.form(left)
    assert (maker.form(left) == maker.form(right)) == same(kind, left, right)


@given(types().flatmap(lambda kind: st.tuples(st.just(kind), values(kind), values(kind))))
def test_two_values_are_close_only_where_their_forms_are_equal(
    typed: tuple[ValueType, Any, Any],
) -> None:
    kind, left, right = typed
    spec = CheckerSpec("close", 1.0, 1.0, nan_equal=True)
    maker = FormMaker(kind, nan_equal=True, close=True)
    (form, floats), (other, more) = maker.form(left), maker.form(right)
    near = form == other and same_floats(spec, floats, more)
    assert near == compare(spec, kind, left, right).passed


def same_floats(spec: CheckerSpec, left: list[float], right: list[float]) -> bool:
    return compare(spec, ListOf(Scalar("float")), left, right).passed


@given(typed_lists(), KINDS, st.sampled_from([0.0, 1e-9]))
def test_a_permutation_of_the_expected_items_always_passes(
    typed: tuple[ValueType, list[Any], list[Any]], kind: str, tolerance: float
) -> None:
    returns, expected, returned = typed
    spec = CheckerSpec(kind, abs_tolerance=tolerance, nan_equal=True)
    assert compare_unordered(spec, returns, expected, returned).passed


@given(typed_lists(), KINDS, st.data())
def test_one_changed_item_never_passes(
    typed: tuple[ValueType, list[Any], list[Any]], kind: str, data: st.DataObject
) -> None:
    returns, expected, returned = typed
    assert isinstance(returns, ListOf)
    if not expected:
        return
    place = data.draw(st.integers(0, len(returned) - 1))
    changed = data.draw(values(returns.item))
    if same(returns.item, changed, returned[place]):
        return
    returned[place] = changed
    spec = CheckerSpec(kind, nan_equal=True)
    compared = compare_unordered(spec, returns, expected, returned)
    assert not compared.passed
    assert compared.message.startswith("return value[")


@given(typed_lists(), st.data())
def test_repeated_items_are_wrong_in_a_set_and_counted_in_a_multiset(
    typed: tuple[ValueType, list[Any], list[Any]], data: st.DataObject
) -> None:
    returns, expected, returned = typed
    if not expected:
        return
    again = data.draw(st.sampled_from(expected))
    repeated = [*returned, again]
    as_set, as_multiset = (CheckerSpec(kind, nan_equal=True) for kind in ("set", "multiset"))
    assert not compare_unordered(as_set, returns, expected, repeated).passed
    assert not compare_unordered(as_multiset, returns, expected, repeated).passed
    assert compare_unordered(as_set, returns, repeated, returned).passed
    assert compare_unordered(as_multiset, returns, repeated, [again, *returned]).passed


@given(ROWS, TOLERANCES)
def test_pairing_leaves_over_as_few_items_as_trying_all_pairings_does(
    tables: tuple[Any, Any], spec: CheckerSpec
) -> None:
    expected, returned = tables
    fewest = fewest_left_over(spec, expected, returned)
    found = [pair_rows(spec, expected, returned)]
    if expected.shape[1] == 1:
        found.append(pair_numbers(spec, expected[:, 0], returned[:, 0]))
    for unpaired in found:
        assert len(unpaired.expected) == len(unpaired.returned) == fewest


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)), TOLERANCES)
def test_any_finite_numbers_are_close_to_themselves(
    numbers: list[float], spec: CheckerSpec
) -> None:
    table = np.array(numbers, dtype=np.float64)
    assert pair_numbers(spec, table, table[::-1]) == Unpaired()


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5),
    TOLERANCES,
)
def test_both_ways_of_pairing_agree_on_any_finite_numbers(
    left: list[float], right: list[float], spec: CheckerSpec
) -> None:
    expected, returned = np.array(left), np.array(right)
    by_ranges = pair_numbers(spec, expected, returned)
    by_rows = pair_rows(spec, expected[:, np.newaxis], returned[:, np.newaxis])
    assert len(by_ranges.expected) == len(by_rows.expected)
    assert len(by_ranges.returned) == len(by_rows.returned)
