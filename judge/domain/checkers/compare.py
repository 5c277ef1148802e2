"""The checkers exact and close.

exact: ints, bools and texts by value; floats bit for bit, except that -0.0 equals 0.0 and any NaN
equals any NaN only under ``nan_equal``. close: a float is right where
``|returned - expected| <= abs`` or ``<= rel * |expected|`` (either is enough, as at the ICPC);
everything else as in exact. An infinity equals only the same infinity.
"""

import math
from collections.abc import Iterator, Sized
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from judge.domain.problem import CheckerSpec
from judge.domain.signatures import (
    DictOf,
    ListOf,
    NdArray,
    Optional,
    Scalar,
    TupleOf,
    ValueType,
)
from judge.domain.values import Value
from judge.domain.verdicts import Reason

ROOT = "return value"


@dataclass(frozen=True)
class Comparison:
    """What a checker found: ``passed``, or the first difference with its path."""

    passed: bool
    reason: Reason = Reason.NONE
    path: str = ""
    message: str = ""


def check(spec: CheckerSpec, returns: ValueType, expected: Value, returned: Value) -> Comparison:
    """Compare a returned value with the expected one; both are of the type ``returns``."""
    for difference in _shapes(returns, expected, returned, ROOT):
        return difference
    for difference in _leaves(spec, returns, expected, returned, ROOT):
        return difference
    return Comparison(passed=True)


def _wrong(reason: Reason, path: str, message: str) -> Comparison:
    return Comparison(False, reason, path, f"{path}: {message}")


def _shapes(kind: ValueType, expected: Any, returned: Any, path: str) -> Iterator[Comparison]:
    """Differences of lengths, keys, shapes and presence, outermost first."""
    if isinstance(kind, Optional) and (expected is None or returned is None):
        if (expected is None) != (returned is None):
            yield _wrong(Reason.WRONG_VALUE, path, _differs(expected, returned))
        return
    if isinstance(kind, NdArray) and expected.shape != returned.shape:
        message = f"expected shape {expected.shape}, got {returned.shape}"
        yield _wrong(Reason.WRONG_SHAPE, path, message)
    if isinstance(kind, ListOf) and len(expected) != len(returned):
        yield _wrong(Reason.WRONG_SHAPE, path, _lengths(expected, returned))
    if isinstance(kind, DictOf) and expected.keys() != returned.keys():
        message = f"expected the keys {sorted(expected)[:20]}, got {sorted(returned)[:20]}"
        yield _wrong(Reason.WRONG_SHAPE, path, message)
    for part, left, right, where in _parts(kind, expected, returned, path):
        yield from _shapes(part, left, right, where)


def _leaves(
    spec: CheckerSpec, kind: ValueType, expected: Any, returned: Any, path: str
) -> Iterator[Comparison]:
    """Differences of content, in order."""
    if isinstance(kind, Scalar):
        yield from _scalar(spec, kind, expected, returned, path)
    elif isinstance(kind, NdArray):
        yield from _array(spec, kind, expected, returned, path)
    for part, left, right, where in _parts(kind, expected, returned, path):
        yield from _leaves(spec, part, left, right, where)


def _parts(
    kind: ValueType, expected: Any, returned: Any, path: str
) -> Iterator[tuple[ValueType, Any, Any, str]]:
    match kind:
        case ListOf(item):
            for index, (left, right) in enumerate(zip(expected, returned, strict=True)):
                yield item, left, right, f"{path}[{index}]"
        case TupleOf(parts):
            for index, part in enumerate(parts):
                yield part, expected[index], returned[index], f"{path}[{index}]"
        case Optional(inner) if expected is not None:
            yield inner, expected, returned, path
        case DictOf(_, inner):
            for key in expected:
                yield inner, expected[key], returned[key], f"{path}[{key!r}]"
        case _:
            return


def _scalar(
    spec: CheckerSpec, kind: Scalar, expected: Any, returned: Any, path: str
) -> Iterator[Comparison]:
    if kind.name != "float":
        if expected != returned:
            yield _wrong(Reason.WRONG_VALUE, path, _differs(expected, returned))
        return
    reason = _float_reason(spec, expected, returned)
    if reason is not Reason.NONE:
        yield _wrong(reason, path, _differs(expected, returned))


def _array(
    spec: CheckerSpec, kind: NdArray, expected: Any, returned: Any, path: str
) -> Iterator[Comparison]:
    if kind.dtype in ("i64", "bool"):
        wrong = expected != returned
    else:
        # The bits of a NaN may be such that to widen it counts as an invalid operation.
        with np.errstate(invalid="ignore"):
            left, right = expected.astype(np.float64), returned.astype(np.float64)
        wrong = ~_floats_right(spec, left, right)
    where = np.argwhere(wrong)
    if len(where):
        index = tuple(int(part) for part in where[0])
        left, right = expected[index].item(), returned[index].item()
        reason = Reason.WRONG_VALUE
        if isinstance(left, float):
            reason = _float_reason(spec, left, right) or Reason.WRONG_VALUE
        inside = "".join(f"[{part}]" for part in index)
        yield _wrong(reason, path + inside, _differs(left, right))


def _floats_right(spec: CheckerSpec, expected: Any, returned: Any) -> Any:
    """Elementwise; the same rule as ``_float_reason``."""
    right = expected == returned
    if spec.nan_equal:
        right |= np.isnan(expected) & np.isnan(returned)
    if spec.kind == "close":
        finite = np.isfinite(expected) & np.isfinite(returned)
        with np.errstate(invalid="ignore", over="ignore"):
            distance = np.abs(returned - expected)
            near = distance <= spec.abs_tolerance
            near |= distance <= spec.rel_tolerance * np.abs(expected)
        right |= finite & near
    return right


def _float_reason(spec: CheckerSpec, expected: float, returned: float) -> Reason:
    if expected == returned:
        return Reason.NONE
    if math.isnan(returned):
        right = spec.nan_equal and math.isnan(expected)
        return Reason.NONE if right else Reason.NAN
    if spec.kind != "close":
        return Reason.WRONG_VALUE
    if not (math.isfinite(expected) and math.isfinite(returned)):
        return Reason.WRONG_VALUE
    distance = abs(returned - expected)
    near = distance <= spec.abs_tolerance or distance <= spec.rel_tolerance * abs(expected)
    return Reason.NONE if near else Reason.OFF_TOLERANCE


def _lengths(expected: Any, returned: Any) -> str:
    return f"expected {len(cast(Sized, expected))} items, got {len(cast(Sized, returned))}"


def _differs(expected: object, returned: object) -> str:
    return f"expected {expected!r:.80}, got {returned!r:.80}"
