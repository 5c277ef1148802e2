"""The checkers exact and close.

exact: ints, bools and texts by value; floats bit for bit, except that -0.0 equals 0.0 and any NaN
equals any NaN only under ``nan_equal``. close: floats by the rule of ``floats``; everything else as
in exact.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from judge.domain.checkers.comparison import (
    RIGHT,
    ROOT,
    Comparison,
    differs,
    lengths,
    wrong,
)
from judge.domain.checkers.floats import float_reason, floats_right
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


def compare(spec: CheckerSpec, returns: ValueType, expected: Value, returned: Value) -> Comparison:
    """Compare a returned value with the expected one; both are of the type ``returns``."""
    for difference in _shapes(returns, expected, returned, ROOT):
        return difference
    for difference in _leaves(spec, returns, expected, returned, ROOT):
        return difference
    return RIGHT


def _shapes(kind: ValueType, expected: Any, returned: Any, path: str) -> Iterator[Comparison]:
    """Differences of lengths, keys, shapes and presence, outermost first."""
    if isinstance(kind, Optional) and (expected is None or returned is None):
        if (expected is None) != (returned is None):
            yield wrong(Reason.WRONG_VALUE, path, differs(expected, returned))
        return
    if isinstance(kind, NdArray) and expected.shape != returned.shape:
        message = f"expected shape {expected.shape}, got {returned.shape}"
        yield wrong(Reason.WRONG_SHAPE, path, message)
    if isinstance(kind, ListOf) and len(expected) != len(returned):
        yield wrong(Reason.WRONG_SHAPE, path, lengths(expected, returned))
    if isinstance(kind, DictOf) and expected.keys() != returned.keys():
        message = f"expected the keys {sorted(expected)[:20]}, got {sorted(returned)[:20]}"
        yield wrong(Reason.WRONG_SHAPE, path, message)
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
            yield wrong(Reason.WRONG_VALUE, path, differs(expected, returned))
        return
    reason = float_reason(spec, expected, returned)
    if reason is not Reason.NONE:
        yield wrong(reason, path, differs(expected, returned))


def _array(
    spec: CheckerSpec, kind: NdArray, expected: Any, returned: Any, path: str
) -> Iterator[Comparison]:
    if kind.dtype in ("i64", "bool"):
        differing = expected != returned
    else:
        # The bits of a NaN may be such that to widen it counts as an invalid operation.
        with np.errstate(invalid="ignore"):
            left, right = expected.astype(np.float64), returned.astype(np.float64)
        differing = ~floats_right(spec, left, right)
    where = np.argwhere(differing)
    if len(where):
        index = tuple(int(part) for part in where[0])
        left, right = expected[index].item(), returned[index].item()
        reason = Reason.WRONG_VALUE
        if isinstance(left, float):
            reason = float_reason(spec, left, right) or Reason.WRONG_VALUE
        inside = "".join(f"[{part}]" for part in index)
        yield wrong(reason, path + inside, differs(left, right))
