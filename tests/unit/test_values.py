"""Values and their JSON form: back bit for bit, or refused with the place that does not fit."""

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from plain_values import plain
from value_strategies import typed_values

from judge.domain.signatures import ValueType, make_signature, parse_type
from judge.domain.values import (
    MISMATCHES,
    ValueMismatch,
    arguments_from_json,
    arguments_to_json,
    from_json,
    read_arguments,
    to_json,
)

# type, JSON, pointer of the first part that does not fit
REFUSED: list[tuple[str, Any, str]] = [
    ("int", 1.0, ""),
    ("int", True, ""),
    ("int", "1", ""),
    ("int", None, ""),
    ("int", 2**63, ""),
    ("int", -(2**63) - 1, ""),
    ("float", True, ""),
    ("float", "nan", ""),
    ("float", "1.0", ""),
    ("float", 10**400, ""),
    ("bool", 0, ""),
    ("str", 1, ""),
    ("str", "\ud800", ""),
    ("list[int]", {}, ""),
    ("list[int]", [1, 2.5], "/1"),
    ("list[list[int]]", [[1], [1, None]], "/1/1"),
    ("tuple[int, str]", [1], ""),
    ("tuple[int, str]", [1, 2], "/1"),
    ("optional[int]", "1", ""),
    ("dict[int, int]", {"x": 1}, "/x"),
    ("dict[int, int]", {"1": 1, "01": 2}, ""),
    ("dict[int, int]", {str(2**63): 1}, f"/{2**63}"),
    ("dict[str, int]", {"k": "v"}, "/k"),
    ("dict[str, int]", {"\ud800": 1}, "/\\ud800"),
    ("dict[str, int]", {"a/b~": "v"}, "/a~1b~0"),
    ("dict[str, int]", [], ""),
    ("ndarray[f64, 2]", [[1.0], [1.0, 2.0]], ""),
    ("ndarray[f64, 2]", [], ""),
    ("ndarray[f64, 2]", [1.0], "/0"),
    ("ndarray[i64, 1]", [1.5], "/0"),
    ("ndarray[bool, 1]", [1], "/0"),
]


@given(typed_values())
def test_json_gives_every_value_back_bit_for_bit(typed: tuple[ValueType, Any]) -> None:
    kind, value = typed
    text = json.dumps(to_json(kind, value), allow_nan=False, ensure_ascii=False)
    assert plain(from_json(kind, json.loads(text))) == plain(value)


@pytest.mark.parametrize(("text", "data", "pointer"), REFUSED)
def test_a_value_of_another_type_is_refused_with_its_place(
    text: str, data: Any, pointer: str
) -> None:
    with pytest.raises(ValueMismatch) as raised:
        from_json(parse_type(text), data)
    assert raised.value.pointer == pointer


@pytest.mark.parametrize(
    ("value", "data"), [(math.inf, "Infinity"), (-math.inf, "-Infinity"), (math.nan, "NaN")]
)
def test_what_json_has_no_number_for_is_a_word(value: float, data: str) -> None:
    kind = parse_type("float")
    assert to_json(kind, value) == data
    assert plain(from_json(kind, data)) == plain(value)
    array = to_json(parse_type("ndarray[f32, 2]"), np.array([[value]], dtype="<f4"))
    assert array == [[data]]


def test_an_integer_is_a_float_in_json_and_a_float_no_integer() -> None:
    assert plain(from_json(parse_type("float"), 3)) == plain(3.0)
    assert plain(from_json(parse_type("list[float]"), [1, -0.0])) == plain([1.0, -0.0])


def test_an_array_has_the_declared_dtype_in_c_order() -> None:
    array: Any = from_json(parse_type("ndarray[f32, 2]"), [[1, 2], [3, 4]])
    assert (array.dtype, array.shape, array.flags.c_contiguous) == (np.float32, (2, 2), True)


class TestArguments:
    signature = make_signature("f", {"a": "int", "b": "list[float]"}, "int")

    def test_they_are_named_and_in_the_order_of_the_signature(self) -> None:
        arguments = arguments_from_json(self.signature, {"b": [1.0], "a": 2})
        assert list(arguments.items()) == [("a", 2), ("b", [1.0])]
        assert arguments_to_json(self.signature, arguments) == {"a": 2, "b": [1.0]}

    @pytest.mark.parametrize(
        ("data", "pointer"),
        [
            ([], "/in"),
            ({"a": 1}, "/in/b"),
            ({"a": 1, "b": [], "c": 1}, "/in/c"),
            ({"a": 1, "b": ["x"]}, "/in/b/0"),
        ],
    )
    def test_a_missing_unknown_or_wrong_one_is_named(self, data: Any, pointer: str) -> None:
        with pytest.raises(ValueMismatch) as raised:
            arguments_from_json(self.signature, data, "/in")
        assert raised.value.pointer == pointer

    def test_each_one_that_is_wrong_is_named(self) -> None:
        data = {"c": 1, "b": [1.0, "x"], "a/d": None}
        arguments, mismatches = read_arguments(self.signature, data, "/in")
        assert arguments == {}
        assert [(one.pointer, one.code) for one in mismatches] == [
            ("/in/c", "unknown"),
            ("/in/a~1d", "unknown"),
            ("/in/a", "missing"),
            ("/in/b/1", "kind"),
        ]
        assert mismatches[3].details == {"expected": "float", "found": "string"}
        assert str(mismatches[0]) == "/in/c: unknown argument; expected a, b"

    def test_those_that_fit_are_read(self) -> None:
        arguments, mismatches = read_arguments(self.signature, {"a": 1, "b": 2})
        assert (arguments, [one.pointer for one in mismatches]) == ({"a": 1}, ["/b"])


def test_every_code_is_met_by_some_value() -> None:
    met = {"named", "missing", "unknown"}
    for text, data, _ in REFUSED:
        with pytest.raises(ValueMismatch) as raised:
            from_json(parse_type(text), data)
        met.add(raised.value.code)
    assert met == set(MISMATCHES)
