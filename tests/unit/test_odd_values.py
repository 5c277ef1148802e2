"""Odd values for a package's own checker: of the right type, always the same, and odd."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from package_builder import load_package
from value_strategies import types, values

from judge.domain.problem import STDIO_SIGNATURE, Mode, Problem, TestCase
from judge.domain.signatures import Signature, parse_type
from judge.domain.values import INT_MAX, INT_MIN
from judge.grading.proof.odd_values import LONG_BYTES, MOST_VALUES, odd_values
from judge.harness import wire

CLEAN = load_package().problem


def problem_of(returns: str | Any, expected: Any) -> tuple[Problem, TestCase]:
    """A problem that returns this type, and a case of it."""
    kind = parse_type(returns) if isinstance(returns, str) else returns
    signature = Signature("odd", CLEAN.signature.parameters, kind)
    case = CLEAN.cases[0]
    changed = type(case)(**{**case.__dict__, "expected": expected})
    return type(CLEAN)(**{**CLEAN.__dict__, "signature": signature}), changed


def odd(returns: str, expected: Any) -> list[Any]:
    return odd_values(*problem_of(returns, expected))


@settings(max_examples=20)
@given(st.data())
def test_every_one_is_of_the_type_that_a_program_returns(data: st.DataObject) -> None:
    kind = data.draw(types())
    made = odd_values(*problem_of(kind, data.draw(values(kind))))
    assert 1 <= len(made) <= MOST_VALUES
    for value in made:
        wire.decode(kind, wire.encode(kind, value))


def test_they_are_the_same_each_time() -> None:
    returns, expected = "list[list[int]]", [[1, 2], [3]]
    assert odd(returns, expected) == odd(returns, expected)
    assert len(odd(returns, expected)) == MOST_VALUES


@pytest.mark.parametrize(
    ("returns", "expected", "among"),
    [
        ("int", 7, [INT_MIN, INT_MAX, -1, 0]),
        ("bool", True, [True, False]),
        ("list[int]", [1, 2], [[], [1], [2, 1], [1, 2, 1, 2], [INT_MIN], [1, 0]]),
        ("list[list[int]]", [[1]], [[], [[]]]),
        ("optional[int]", 1, [None, INT_MAX]),
        ("tuple[int, list[int]]", (1, [2]), [(INT_MIN, [2]), (1, [])]),
        ("dict[str, int]", {"a": 1}, [{}, {"a": INT_MAX}, {"a": 1, "": 0}]),
        ("str", "yes", ["", "\0", "²", "9" * 5000]),
    ],
)
def test_empty_huge_and_misshapen_ones_are_among_them(
    returns: str, expected: Any, among: list[Any]
) -> None:
    made = odd(returns, expected)
    assert [value for value in among if value not in made] == []


def test_floats_are_no_numbers_too() -> None:
    made = odd("list[float]", [0.5])
    leaves = [leaf for value in made for leaf in value[:1]]
    assert any(math.isnan(leaf) for leaf in leaves)
    assert {math.inf, -math.inf} <= set(leaves)


def test_arrays_have_other_shapes_and_odd_elements() -> None:
    made = odd("ndarray[f64, 2]", np.ones((2, 3)))
    shapes = {value.shape for value in made}
    assert {(1, 0), (1, 1), (3, 2), (4, 3), (1, 3)} <= shapes
    assert any(np.isnan(value).any() for value in made)


def test_a_program_prints_nothing_too_much_and_no_text_at_all() -> None:
    problem, case = problem_of(STDIO_SIGNATURE.returns, "1 2\n")
    stdio = type(problem)(**{**problem.__dict__, "mode": Mode.STDIO})
    made = odd_values(stdio, case)
    assert {"", "\0", "1 2", "1" * LONG_BYTES, "9" * 5000} <= set(made)
    assert any("\ufffd" in str(value) for value in made)
