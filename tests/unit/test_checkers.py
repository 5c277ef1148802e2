"""The checkers exact and close: shape first, then the first part that differs, with its path."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from value_strategies import typed_values

from judge.domain.checkers.compare import compare
from judge.domain.checkers.comparison import Comparison
from judge.domain.problem import CheckerSpec
from judge.domain.signatures import ValueType, parse_type
from judge.domain.verdicts import Reason

EXACT = CheckerSpec("exact")
CLOSE = CheckerSpec("close", abs_tolerance=1e-9, rel_tolerance=1e-9)
NAN_EQUAL = CheckerSpec("close", 1e-9, 1e-9, nan_equal=True)
INF, NAN = math.inf, math.nan

# checker, type, expected, returned, reason
TABLE: list[tuple[CheckerSpec, str, Any, Any, Reason]] = [
    (EXACT, "int", 3, 3, Reason.NONE),
    (EXACT, "int", 2**53 + 1, 2**53, Reason.WRONG_VALUE),
    (EXACT, "bool", True, False, Reason.WRONG_VALUE),
    (EXACT, "str", "é", "e\u0301", Reason.WRONG_VALUE),
    (EXACT, "float", 0.1, 0.1, Reason.NONE),
    (EXACT, "float", 0.3, 0.1 + 0.2, Reason.WRONG_VALUE),
    (EXACT, "float", 0.0, -0.0, Reason.NONE),
    (EXACT, "float", 0.0, 5e-324, Reason.WRONG_VALUE),
    (EXACT, "float", INF, INF, Reason.NONE),
    (EXACT, "float", INF, -INF, Reason.WRONG_VALUE),
    (EXACT, "float", NAN, NAN, Reason.NAN),
    (EXACT, "float", 1.0, NAN, Reason.NAN),
    (EXACT, "float", NAN, 1.0, Reason.WRONG_VALUE),
    (CLOSE, "float", 1.0, 1.0 + 1e-10, Reason.NONE),
    (CLOSE, "float", 1.0, 1.0 + 1e-8, Reason.OFF_TOLERANCE),
    (CLOSE, "float", 1e12, 1e12 + 100, Reason.NONE),
    (CLOSE, "float", 1e12, 1e12 + 10_000, Reason.OFF_TOLERANCE),
    (CLOSE, "float", 1e-12, 2e-12, Reason.NONE),
    (CLOSE, "float", 0.0, 1e-9, Reason.NONE),
    (CLOSE, "float", 0.0, 2e-9, Reason.OFF_TOLERANCE),
    (CLOSE, "float", INF, INF, Reason.NONE),
    (CLOSE, "float", INF, 1e308, Reason.WRONG_VALUE),
    (CLOSE, "float", 1e308, INF, Reason.WRONG_VALUE),
    (CLOSE, "float", INF, -INF, Reason.WRONG_VALUE),
    (CLOSE, "float", -1e308, 1.7e308, Reason.OFF_TOLERANCE),
    (CLOSE, "float", NAN, NAN, Reason.NAN),
    (CLOSE, "float", NAN, 0.0, Reason.WRONG_VALUE),
    (NAN_EQUAL, "float", NAN, NAN, Reason.NONE),
    (NAN_EQUAL, "float", 0.0, NAN, Reason.NAN),
    (NAN_EQUAL, "float", NAN, 0.0, Reason.WRONG_VALUE),
    (CLOSE, "int", 10**12, 10**12 + 1, Reason.WRONG_VALUE),
    (CLOSE, "optional[float]", None, None, Reason.NONE),
    (CLOSE, "optional[float]", None, 0.0, Reason.WRONG_VALUE),
    (CLOSE, "optional[float]", 0.0, None, Reason.WRONG_VALUE),
    (EXACT, "dict[str, int]", {"a": 1, "b": 2}, {"b": 2, "a": 1}, Reason.NONE),
    (EXACT, "dict[str, int]", {"a": 1}, {"b": 1}, Reason.WRONG_SHAPE),
    (EXACT, "list[int]", [], [], Reason.NONE),
    (EXACT, "list[int]", [1, 2], [2, 1], Reason.WRONG_VALUE),
]
# type, expected, returned, message; checked with CLOSE
MESSAGES: list[tuple[str, Any, Any, str]] = [
    ("int", 1, 2, "return value: expected 1, got 2"),
    ("list[int]", [1, 2], [1], "return value: expected 2 items, got 1"),
    ("list[int]", [1, 2], [1, 3], "return value[1]: expected 2, got 3"),
    ("list[list[int]]", [[1], [2]], [[9], [2, 3]], "return value[1]: expected 1 items, got 2"),
    ("tuple[int, list[int]]", (1, [2]), (9, []), "return value[1]: expected 1 items, got 0"),
    ("tuple[int, list[int]]", (1, [2]), (1, [3]), "return value[1][0]: expected 2, got 3"),
    ("dict[str, float]", {"k": 1.0}, {"k": 2.0}, "return value['k']: expected 1.0, got 2.0"),
    ("dict[int, int]", {1: 1}, {2: 1}, "return value: expected the keys [1], got [2]"),
    ("optional[int]", None, 1, "return value: expected None, got 1"),
]


@pytest.mark.parametrize(("spec", "text", "expected", "returned", "reason"), TABLE)
def test_a_returned_value_is_right_or_wrong_for_one_reason(
    spec: CheckerSpec, text: str, expected: Any, returned: Any, reason: Reason
) -> None:
    compared = compare(spec, parse_type(text), expected, returned)
    assert (compared.passed, compared.reason) == (reason is Reason.NONE, reason)


@pytest.mark.parametrize(("text", "expected", "returned", "message"), MESSAGES)
def test_the_first_difference_is_named_with_its_path(
    text: str, expected: Any, returned: Any, message: str
) -> None:
    compared = compare(CLOSE, parse_type(text), expected, returned)
    assert compared.message == message
    assert message.startswith(compared.path)


@given(typed_values())
def test_every_value_without_nan_equals_itself(typed: tuple[ValueType, Any]) -> None:
    kind, value = typed
    nan_equal = CheckerSpec("close", 0.0, 0.0, nan_equal=True)
    assert compare(nan_equal, kind, value, value) == Comparison(passed=True)


@given(st.floats(), st.floats(), st.sampled_from([EXACT, CLOSE, NAN_EQUAL]))
def test_a_float_in_an_array_is_judged_as_a_float_alone(
    expected: float, returned: float, spec: CheckerSpec
) -> None:
    alone = compare(spec, parse_type("float"), expected, returned)
    arrays = (np.array([[value]]) for value in (expected, returned))
    inside = compare(spec, parse_type("ndarray[f64, 2]"), *arrays)
    assert (inside.passed, inside.reason) == (alone.passed, alone.reason)
    assert inside.path == ("" if inside.passed else "return value[0][0]")


class TestArrays:
    @pytest.mark.parametrize(
        ("expected", "returned"), [((2, 2), (2, 1)), ((1, 3), (3, 1)), ((1, 0), (1, 1))]
    )
    def test_shape_comes_first(self, expected: Any, returned: Any) -> None:
        arrays = (np.zeros(expected), np.ones(returned))
        compared = compare(CLOSE, parse_type("ndarray[f64, 2]"), *arrays)
        assert compared.reason is Reason.WRONG_SHAPE
        assert compared.message == f"return value: expected shape {expected}, got {returned}"

    def test_integers_and_flags_are_exact(self) -> None:
        kind = parse_type("ndarray[i64, 1]")
        large = np.array([2**62], dtype="<i8")
        assert compare(CLOSE, kind, large, large + 1).reason is Reason.WRONG_VALUE
        flags = np.array([True, False])
        assert (
            compare(CLOSE, parse_type("ndarray[bool, 1]"), flags, ~flags).path == "return value[0]"
        )

    def test_single_precision_is_compared_in_double(self) -> None:
        kind = parse_type("ndarray[f32, 1]")
        expected, returned = np.array([0.1], "<f4"), np.array([0.1 + 1e-7], "<f4")
        assert compare(CLOSE, kind, expected, returned).reason is Reason.OFF_TOLERANCE
        assert compare(CheckerSpec("close", 1e-6, 0.0), kind, expected, returned).passed

    def test_a_shape_deep_inside_comes_before_a_value_far_ahead(self) -> None:
        kind = parse_type("tuple[int, ndarray[f64, 1]]")
        compared = compare(EXACT, kind, (1, np.zeros(2)), (2, np.zeros(3)))
        assert (compared.reason, compared.path) == (Reason.WRONG_SHAPE, "return value[1]")


def test_a_message_stays_short_whatever_was_returned() -> None:
    compared = compare(EXACT, parse_type("str"), "a", "x" * 10_000)
    assert len(compared.message) < 250
