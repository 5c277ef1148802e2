"""The checkers set, multiset and permutation: which order counts, and which items are the same."""

import math
from typing import Any

import numpy as np
import pytest

from judge.domain.checkers import check
from judge.domain.checkers.comparison import Comparison
from judge.domain.checkers.matching import MAX_PAIRED_ROWS
from judge.domain.checkers.unordered import largest_pairing
from judge.domain.problem import CheckerSpec
from judge.domain.signatures import make_signature, parse_type
from judge.domain.verdicts import Reason
from judge.errors import JudgeBroken

SET, MULTISET, PERMUTATION = (CheckerSpec(kind) for kind in ("set", "multiset", "permutation"))
NAN_EQUAL = CheckerSpec("multiset", nan_equal=True)
CLOSE = CheckerSpec("multiset", abs_tolerance=0.1)
CLOSE_SET = CheckerSpec("set", abs_tolerance=0.1)
NAN, INF = math.nan, math.inf


def judged(spec: CheckerSpec, returns: str, expected: Any, returned: Any) -> Comparison:
    signature = make_signature("f", {"values": "list[float]"}, returns)
    return check(spec, signature, {"values": [0.5, 0.25, 0.5, 0.125]}, expected, returned)


# checker, returned type, expected, returned
RIGHT: list[tuple[CheckerSpec, str, Any, Any]] = [
    (SET, "list[int]", [1, 2, 3], [3, 1, 2]),
    (SET, "list[int]", [1, 2, 2], [2, 1]),
    (SET, "list[int]", [], []),
    (SET, "list[tuple[str, list[int]]]", [("a", [1, 2]), ("b", [])], [("b", []), ("a", [1, 2])]),
    (SET, "list[dict[str, int]]", [{"a": 1, "b": 2}], [{"b": 2, "a": 1}]),
    (SET, "list[optional[int]]", [None, 0], [0, None]),
    (MULTISET, "list[int]", [1, 2, 2], [2, 1, 2]),
    (MULTISET, "list[float]", [0.0, 1.0], [1.0, -0.0]),
    (MULTISET, "list[float]", [INF, -INF], [-INF, INF]),
    (NAN_EQUAL, "list[float]", [NAN, 1.0, NAN], [1.0, -NAN, NAN]),
    (NAN_EQUAL, "list[tuple[int, float]]", [(1, NAN)], [(1, NAN)]),
    (CLOSE, "list[float]", [1.0, 2.0], [2.05, 0.95]),
    # 1.09 is close to both; only one pairing works.
    (CLOSE, "list[float]", [1.0, 1.1], [1.09, 1.19]),
    (CLOSE, "list[float]", [1.1, 1.0], [1.19, 1.09]),
    (CLOSE, "list[tuple[int, float]]", [(1, 1.0), (2, 1.0)], [(2, 1.05), (1, 0.95)]),
    (CLOSE, "list[tuple[float, float]]", [(1.0, 5.0), (1.1, 5.1)], [(1.05, 5.15), (0.95, 5.05)]),
    (CLOSE, "list[list[float]]", [[1.0], [1.0, 2.0], []], [[], [1.0, 2.05], [1.0]]),
    (CLOSE, "list[dict[str, float]]", [{"a": 1.0, "b": 2.0}], [{"b": 2.05, "a": 0.95}]),
    (CLOSE, "list[float]", [INF, 1.0], [1.0, INF]),
    (CLOSE_SET, "list[float]", [1.0, 1.0, 2.0], [2.0, 1.05]),
    (CLOSE_SET, "list[float]", [1.0, 1.05], [1.02, 1.02]),
    (CheckerSpec("multiset", rel_tolerance=1.5), "list[float]", [-1.0, 0.5], [1.2, -0.5]),
    (PERMUTATION, "list[str]", ["a", "b"], ["b", "a"]),
]
# checker, returned type, expected, returned, reason, message
WRONG: list[tuple[CheckerSpec, str, Any, Any, Reason, str]] = [
    (SET, "list[int]", [1, 2], [1, 3], Reason.WRONG_VALUE, "[1]: the item 3 is not expected"),
    (SET, "list[int]", [1, 2], [1, 2, 1], Reason.WRONG_VALUE, "[2]: the item 1 is there twice"),
    (SET, "list[int]", [1], [7, 1, 7], Reason.WRONG_VALUE, "[0]: the item 7 is not expected"),
    (SET, "list[int]", [1, 2], [2], Reason.WRONG_VALUE, ": the item 1 is missing"),
    (
        SET,
        "list[str]",
        ["é"],
        ["e\u0301"],
        Reason.WRONG_VALUE,
        "[0]: the item 'e\u0301' is not expected",
    ),
    (MULTISET, "list[int]", [1, 2], [1], Reason.WRONG_SHAPE, ": expected 2 items, got 1"),
    (
        MULTISET,
        "list[int]",
        [1, 2],
        [1, 1],
        Reason.WRONG_VALUE,
        "[1]: the item 1 is there too often",
    ),
    (
        MULTISET,
        "list[float]",
        [0.3],
        [0.1 + 0.2],
        Reason.WRONG_VALUE,
        "[0]: the item 0.30000000000000",
    ),
    (MULTISET, "list[float]", [NAN], [NAN], Reason.NAN, "[0]: the item nan is not expected"),
    (NAN_EQUAL, "list[float]", [1.0], [NAN], Reason.NAN, "[0]: the item nan is not expected"),
    (CLOSE, "list[float]", [NAN], [1.0], Reason.WRONG_VALUE, "[0]: the item 1.0 is not expected"),
    (CLOSE, "list[float]", [INF], [1e308], Reason.WRONG_VALUE, "[0]: the item 1e+308 is not"),
    (
        CLOSE,
        "list[float]",
        [1.0, 2.0],
        [1.0, 1.05],
        Reason.WRONG_VALUE,
        "[1]: the item 1.05 is there",
    ),
    (CLOSE, "list[float]", [1.0], [1.2], Reason.WRONG_VALUE, "[0]: the item 1.2 is not expected"),
    (
        CLOSE,
        "list[list[float]]",
        [[1.0]],
        [[1.0, 1.0]],
        Reason.WRONG_VALUE,
        "[0]: the item [1.0, 1.0]",
    ),
    (
        CLOSE,
        "list[tuple[int, float]]",
        [(1, 1.0)],
        [(2, 1.0)],
        Reason.WRONG_VALUE,
        "[0]: the item (2",
    ),
    (
        CLOSE_SET,
        "list[float]",
        [1.0],
        [1.0, 1.05],
        Reason.WRONG_VALUE,
        "[1]: the item 1.05 is there twi",
    ),
    (
        PERMUTATION,
        "list[int]",
        [1, 2],
        [2, 2],
        Reason.WRONG_VALUE,
        "[1]: the item 2 is there too often",
    ),
]


@pytest.mark.parametrize(("spec", "returns", "expected", "returned"), RIGHT)
def test_the_same_items_are_right_in_any_order(
    spec: CheckerSpec, returns: str, expected: Any, returned: Any
) -> None:
    assert judged(spec, returns, expected, returned) == Comparison(passed=True)


@pytest.mark.parametrize(("spec", "returns", "expected", "returned", "reason", "message"), WRONG)
def test_an_item_that_is_missing_or_too_many_is_named(
    spec: CheckerSpec, returns: str, expected: Any, returned: Any, reason: Reason, message: str
) -> None:
    compared = judged(spec, returns, expected, returned)
    assert (compared.passed, compared.reason) == (False, reason)
    assert compared.message.startswith(f"return value{message}")
    assert compared.message.startswith(compared.path)


class TestArrays:
    @pytest.mark.parametrize(
        ("dtype", "kind"), [("<f8", "f64"), ("<f4", "f32"), ("<i8", "i64"), ("|b1", "bool")]
    )
    def test_an_array_of_one_dimension_is_a_list_of_its_items(self, dtype: str, kind: str) -> None:
        expected, returned = np.array([0, 1, 1], dtype), np.array([1, 0, 1], dtype)
        assert judged(MULTISET, f"ndarray[{kind}, 1]", expected, returned).passed
        changed = np.array([1, 0, 0], dtype)
        assert not judged(MULTISET, f"ndarray[{kind}, 1]", expected, changed).passed

    def test_items_that_are_arrays_are_compared_by_shape_and_content(self) -> None:
        rows, more = np.array([[1.0, -0.0]]), np.array([[2.0], [NAN]])
        again = np.array([[1.0, 0.0]])
        assert judged(NAN_EQUAL, "list[ndarray[f64, 2]]", [rows, more], [more, again]).passed
        flat = [np.array([[1.0], [0.0]]), more]
        compared = judged(NAN_EQUAL, "list[ndarray[f64, 2]]", [rows, more], flat)
        assert compared.message == "return value[0]: the item [[1.0], [0.0]] is not expected"

    def test_a_nan_in_an_array_makes_it_unlike_all_others(self) -> None:
        item = np.array([1.0, NAN])
        assert not judged(MULTISET, "list[ndarray[f64, 1]]", [item], [item]).passed

    def test_arrays_may_be_close(self) -> None:
        expected = [np.array([1.0, INF]), np.array([3.0, 4.0])]
        returned = [np.array([3.05, 3.95]), np.array([1.05, INF])]
        assert judged(CLOSE, "list[ndarray[f64, 1]]", expected, returned).passed
        returned[1][1] = 1e300
        assert not judged(CLOSE, "list[ndarray[f64, 1]]", expected, returned).passed


class TestKeys:
    """values = [0.5, 0.25, 0.5, 0.125]"""

    BY_VALUE = CheckerSpec("permutation", key="values")

    def test_indices_of_equal_values_may_change_places(self) -> None:
        assert judged(self.BY_VALUE, "list[int]", [3, 1, 0, 2], [3, 1, 2, 0]).passed
        compared = judged(self.BY_VALUE, "list[int]", [3, 1, 0, 2], [1, 3, 0, 2])
        assert (compared.reason, compared.path) == (Reason.WRONG_VALUE, "return value[0]")
        assert compared.message == (
            "return value[0]: expected an item of key 0.125, got one of key 0.25"
        )

    def test_an_index_may_not_stand_for_another_one_of_equal_value(self) -> None:
        compared = judged(self.BY_VALUE, "list[int]", [3, 1, 0, 2], [3, 1, 0, 0])
        assert compared.message == "return value[3]: the item 0 is there too often"

    @pytest.mark.parametrize("index", [-1, 4, 2**62])
    def test_an_index_that_does_not_exist_is_a_wrong_value_of_the_learner(self, index: int) -> None:
        compared = judged(self.BY_VALUE, "list[int]", [3], [index])
        assert compared.message == f"return value[0]: the item {index} is not expected"

    def test_an_expected_index_that_does_not_exist_is_the_packages_fault(self) -> None:
        with pytest.raises(JudgeBroken, match="no index"):
            judged(self.BY_VALUE, "list[int]", [-1], [-1])

    @pytest.mark.parametrize("key", ["place", "1"])
    def test_a_part_of_the_items_may_be_the_key(self, key: str) -> None:
        spec, returns = CheckerSpec("permutation", key=key), "list[tuple[token: str, place: int]]"
        expected = [("a", 1), ("b", 1), ("c", 2)]
        assert judged(spec, returns, expected, [("b", 1), ("a", 1), ("c", 2)]).passed
        assert not judged(spec, returns, expected, [("b", 1), ("c", 2), ("a", 1)]).passed

    def test_keys_may_differ_by_the_tolerance(self) -> None:
        spec, returns = CheckerSpec("permutation", 0.1, key="1"), "list[tuple[int, float]]"
        expected = [(7, 1.0), (8, 1.05), (9, 2.0)]
        assert judged(spec, returns, expected, [(8, 1.05), (7, 1.0), (9, 2.0)]).passed
        assert not judged(spec, returns, expected, [(9, 2.0), (7, 1.0), (8, 1.05)]).passed

    @pytest.mark.parametrize("ndim", [1, 2])
    def test_the_key_may_be_a_parameter_that_is_an_array(self, ndim: int) -> None:
        signature = make_signature("f", {"table": f"ndarray[f64, {ndim}]"}, "list[int]")
        table = np.array([1.0, 2.0, 1.0]).reshape([3, 1][:ndim])
        spec = CheckerSpec("permutation", key="table")
        assert check(spec, signature, {"table": table}, [0, 2, 1], [2, 0, 1]).passed
        assert not check(spec, signature, {"table": table}, [0, 2, 1], [0, 1, 2]).passed


class TestSizes:
    @pytest.mark.slow
    def test_a_hundred_thousand_exact_items(self) -> None:
        items = list(range(100_000))
        assert judged(MULTISET, "list[int]", items, items[::-1]).passed

    def test_a_hundred_thousand_close_numbers(self) -> None:
        numbers = [float(number % 1000) for number in range(100_000)]
        off = [number + 0.05 for number in reversed(numbers)]
        assert judged(CLOSE, "list[float]", numbers, off).passed

    def test_the_most_rows_that_are_paired_all_close_to_each_other(self) -> None:
        rows = [(1.0, 0.05 * (number % 3)) for number in range(MAX_PAIRED_ROWS)]
        assert largest_pairing(CLOSE, parse_type("list[tuple[float, float]]"), rows) == len(rows)
        assert judged(CLOSE, "list[tuple[float, float]]", rows, rows[::-1]).passed

    def test_only_rows_of_several_floats_are_counted(self) -> None:
        expected = [(1, [1.0, 2.0]), (1, [3.0, 4.0]), (2, [1.0, 2.0]), (1, [1.0])]
        kind = parse_type("list[tuple[int, list[float]]]")
        assert largest_pairing(CLOSE, kind, expected) == 2
        assert largest_pairing(MULTISET, kind, expected) == 0

    def test_more_rows_than_can_be_paired_are_the_packages_fault(self) -> None:
        rows = [(1.0, 2.0)] * (MAX_PAIRED_ROWS + 1)
        with pytest.raises(JudgeBroken, match="too many to pair"):
            judged(CLOSE, "list[tuple[float, float]]", rows, rows)

    @pytest.mark.slow
    def test_a_learner_cannot_make_pairing_expensive_by_returning_more(self) -> None:
        expected = [(1.0, 2.0)] * 3 + [(9.0, float("inf"))] * 50_000
        returned = [(1.0, 2.0)] * len(expected)
        compared = judged(CLOSE, "list[tuple[float, float]]", expected, returned)
        assert compared.message == "return value[3]: the item (1.0, 2.0) is there too often"


@pytest.mark.parametrize("kind", ["custom", "distribution"])
def test_kinds_that_need_more_than_values_are_not_judged_here(kind: str) -> None:
    with pytest.raises(JudgeBroken, match="does not judge values alone"):
        judged(CheckerSpec(kind), "int", 1, 1)
