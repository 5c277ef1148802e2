"""Odd values: what a learner's program may return that no author of a checker thinks of.

Owns the values: right in type, else empty, huge, negative, no number, too long, too short, made of
odd characters. Always the same ones for the same case. What a checker says to them is
judge.grading.proof.checker_trial's.
"""

import math
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from judge.domain.problem import Mode, Problem, TestCase
from judge.domain.signatures import (
    DictOf,
    ListOf,
    NdArray,
    Optional,
    Scalar,
    TupleOf,
    ValueType,
)
from judge.domain.values import INT_MAX, INT_MIN, NUMPY_DTYPES, Value

MOST_VALUES = 40
LONG_BYTES = 1024 * 1024
_MANY = 1000
# So many digits are more than Python turns into an int.
_DIGITS = 5000
_INTS = (0, -1, 1, 2**31, INT_MIN, INT_MAX)
_FLOATS = (math.nan, math.inf, -math.inf, 0.0, -0.0, -1.0, 1e308, 5e-324)
# Two of them pass for digits in one test of Python and in no other.
_TEXTS = (
    "",
    "\n",
    " \t\r\n ",
    "\0",
    "-1",
    "NaN",
    "-Infinity",
    "1e999",
    "0x10",
    "1_0",
    "²",
    "٣",
    "\u202e\u200d\ufeff\ufffd",
    "'\"\\%s{}$(x)`",
    "日本語 tiếng Việt 🙂",
    "9" * _DIGITS,
    "[" * _DIGITS,
    "1 " * _MANY,
)


def odd_values(problem: Problem, case: TestCase) -> list[Value]:
    """At most ``MOST_VALUES`` for one case; of more, some by a seed of the case's own."""
    if problem.mode is Mode.STDIO:
        return list(_odd_outputs(str(case.expected)))
    made = list(_odd(problem.signature.returns, case.expected))
    if len(made) <= MOST_VALUES:
        return made
    chosen = np.random.default_rng(case.ordinal).permutation(len(made))[:MOST_VALUES]
    return [made[index] for index in sorted(chosen)]


def _odd_outputs(answer: str) -> Iterator[str]:
    """What a program may print in the place of an answer."""
    yield from _TEXTS
    yield from (answer.rstrip("\n"), answer.replace("\n", "\r\n"), answer * 2, answer + "\0")
    yield answer[: len(answer) // 2]
    yield "".join(reversed(answer.splitlines(keepends=True)))
    yield from (character * LONG_BYTES for character in ("1", "\n", "\0"))
    # As bytes that are no UTF-8 arrive.
    yield bytes(range(256)).decode("utf-8", "replace")


def _odd(kind: ValueType, expected: Value) -> Iterator[Value]:
    """Odd values of a type; ``expected`` is one that belongs there, or None where none is known."""
    match kind:
        case Scalar():
            yield from _scalars(kind.name)
        case ListOf(item):
            yield from _lists(item, cast(list[Any], expected or []))
        case TupleOf(parts):
            yield from _tuples(parts, cast(tuple[Any, ...] | None, expected))
        case Optional(inner):
            yield None
            yield from _odd(inner, expected)
        case DictOf(key, inner):
            yield from _dicts(key, inner, cast(dict[Any, Any], expected or {}))
        case NdArray():
            arrays = _arrays(kind, cast(npt.NDArray[Any] | None, expected))
            # Nothing that is empty before its last side comes out of a box.
            yield from (array for array in arrays if 0 not in array.shape[:-1])


def _scalars(name: str) -> Iterator[Value]:
    values: dict[str, tuple[Value, ...]] = {
        "int": _INTS,
        "float": _FLOATS,
        "bool": (False, True),
        "str": _TEXTS,
    }
    yield from values[name]


def _lists(item: ValueType, expected: list[Any]) -> Iterator[Value]:
    """Other lengths, another order, and an odd item alone, first, last and many times."""
    yield from ([], expected[:-1], expected[1:], [*reversed(expected)], expected * 2)
    first: Value = expected[0] if expected else None
    for number, odd in enumerate(_odd(item, first)):
        yield [odd]
        yield [odd, *expected[1:]] if number % 2 else [*expected[:-1], odd]
        if number == 0:
            yield [*expected, odd]
            yield [odd] * _MANY


def _tuples(parts: tuple[ValueType, ...], expected: tuple[Any, ...] | None) -> Iterator[Value]:
    """One odd part beside the expected ones, then odd parts only."""
    usual = [_plain(part) for part in parts] if expected is None else list(expected)
    odd = [list(_odd(part, value)) for part, value in zip(parts, usual, strict=True)]
    for place, values in enumerate(odd):
        yield from ((*usual[:place], value, *usual[place + 1 :]) for value in values)
    for number in range(max(len(values) for values in odd)):
        yield tuple(values[number % len(values)] for values in odd)


def _dicts(key: Scalar, inner: ValueType, expected: dict[Any, Any]) -> Iterator[Value]:
    """None, one less, one of an odd key, and odd values under the expected keys."""
    some = next(iter(expected), None)
    without = {name: value for name, value in expected.items() if name != some}
    yield from ({}, without)
    values = list(_odd(inner, None if some is None else expected[some]))
    for number, odd_key in enumerate(_scalars(key.name)):
        yield expected | {odd_key: values[number % len(values)]}
    if some is not None:
        yield from (expected | {some: value} for value in values)


def _arrays(kind: NdArray, expected: npt.NDArray[Any] | None) -> Iterator[npt.NDArray[Any]]:
    """Other shapes, and odd elements in the expected one."""
    dtype = NUMPY_DTYPES[kind.dtype]
    usual = np.zeros((1,) * kind.ndim, dtype) if expected is None else expected
    yield np.ones((1,) * (kind.ndim - 1) + (0,), dtype)
    for length in (1, 3):
        yield np.ones((length,) * kind.ndim, dtype)
    yield np.zeros((_MANY, *(1,) * (kind.ndim - 1)), dtype)
    yield from (np.ascontiguousarray(usual.T), np.concatenate([usual, usual]), usual[:-1].copy())
    for element in _scalars({"f64": "float", "f32": "float", "i64": "int"}.get(kind.dtype, "bool")):
        yield np.full(usual.shape, _fitting(kind.dtype, element), dtype)
        changed = usual.copy()
        changed.flat[:1] = _fitting(kind.dtype, element)
        yield changed


def _fitting(dtype: str, element: Value) -> Value:
    """The element; of one too large for its dtype the largest."""
    is_huge = dtype == "f32" and isinstance(element, float) and abs(element) == 1e308
    return float(np.finfo(np.float32).max) if is_huge else element


def _plain(kind: ValueType) -> Value:
    """Some usual value of a type."""
    match kind:
        case Scalar(name):
            return next(value for value in _scalars(name) if value)
        case ListOf(item):
            return [_plain(item)]
        case TupleOf(parts):
            return tuple(_plain(part) for part in parts)
        case Optional(inner):
            return _plain(inner)
        case DictOf(key, inner):
            return {_plain(key): _plain(inner)}
        case NdArray(dtype, ndim):
            return np.ones((1,) * ndim, NUMPY_DTYPES[dtype])
