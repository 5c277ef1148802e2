"""A value as something that can be hashed: equal forms are equal values.

So items can be counted and looked up instead of compared pair by pair. The floats that a tolerance
applies to are taken out of the form, in the order of their places: two values can be close only
where their forms are equal. All other floats stay in: infinities, NaN, and every float of an exact
comparison. -0.0 becomes 0.0. NaN is one value under ``nan_equal``, else every NaN is a value of
its own, which equals nothing.
"""

import math
from collections.abc import Hashable
from typing import Any, cast

import numpy as np

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

_SAME_NAN = "nan"


class FormMaker:
    """Makes the forms of values of one type.

    Args:
        kind: the type of the values.
        nan_equal: whether NaN equals NaN.
        close: whether finite floats are taken out of the form, into ``floats``.
    """

    def __init__(self, kind: ValueType, *, nan_equal: bool, close: bool) -> None:
        self._kind = kind
        self._nan_equal = nan_equal
        self._close = close

    def form(self, value: Value) -> tuple[Hashable, list[float]]:
        """The form of a value, and the floats that were taken out of it."""
        floats: list[float] = []
        return self._form(self._kind, value, floats), floats

    def _form(self, kind: ValueType, value: Any, floats: list[float]) -> Hashable:
        match kind:
            case Scalar("float"):
                return self._float(value, floats)
            case Scalar():
                return cast(Hashable, value)
            case ListOf(item):
                return tuple([self._form(item, part, floats) for part in value])
            case TupleOf(parts):
                pairs = zip(parts, value, strict=True)
                return tuple([self._form(part, item, floats) for part, item in pairs])
            case Optional(inner):
                return None if value is None else (self._form(inner, value, floats),)
            case DictOf(_, inner):
                entries = sorted(value.items())
                return tuple([(key, self._form(inner, part, floats)) for key, part in entries])
            case NdArray():
                return self._array(kind, value, floats)

    def _float(self, value: float, floats: list[float]) -> Hashable:
        if math.isnan(value):
            return self._nan()
        if self._close and math.isfinite(value):
            floats.append(value)
            return None
        return value + 0.0

    def _array(self, kind: NdArray, value: Any, floats: list[float]) -> Hashable:
        if kind.dtype in ("i64", "bool"):
            return value.shape, value.tobytes()
        # The bits of a NaN may be such that to compute with it counts as an invalid operation.
        with np.errstate(invalid="ignore"):
            plain = value.astype(np.float64) + 0.0
        unordered = np.isnan(plain)
        nan = self._nan() if unordered.any() else None
        plain[unordered] = np.nan
        if self._close:
            finite = np.isfinite(plain)
            floats.extend(plain[finite].tolist())
            plain[finite] = 0.0
        return value.shape, plain.tobytes(), nan

    def _nan(self) -> Hashable:
        return _SAME_NAN if self._nan_equal else object()
