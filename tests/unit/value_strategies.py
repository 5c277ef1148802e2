"""Hypothesis strategies: random types and values of a type."""

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from judge.domain.signatures import (
    DTYPES,
    DictOf,
    ListOf,
    NdArray,
    Optional,
    Scalar,
    TupleOf,
    ValueType,
)
from judge.domain.values import NUMPY_DTYPES

INTEGERS = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-(2**63), 2**63 - 1, 0, -1])
SPECIAL_FLOATS = (math.nan, math.inf, -math.inf, -0.0, 0.0, 5e-324, -5e-324, 1.7976931348623157e308)
FLOATS = st.floats() | st.sampled_from(SPECIAL_FLOATS)
# Every character that has a UTF-8 form, those beyond the first plane among them.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALAR_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "int": INTEGERS,
    "float": FLOATS,
    "bool": st.booleans(),
    "str": TEXTS,
}
ARRAY_ITEMS: dict[str, st.SearchStrategy[Any]] = {
    "f64": FLOATS,
    "f32": st.floats(width=32) | st.sampled_from([-0.0, 1e-45]),
    "i64": INTEGERS,
    "bool": st.booleans(),
}


def types() -> st.SearchStrategy[ValueType]:
    """Types of the whole grammar, a few levels deep."""
    arrays = st.builds(NdArray, st.sampled_from(DTYPES), st.integers(1, 8))
    leaves = st.builds(Scalar, st.sampled_from(sorted(SCALAR_VALUES))) | arrays
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(ListOf, inner),
            st.builds(Optional, inner.filter(lambda kind: not isinstance(kind, Optional))),
            st.builds(DictOf, st.builds(Scalar, st.sampled_from(["int", "str"])), inner),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: TupleOf(tuple(parts))),
        ),
        max_leaves=5,
    )


def values(kind: ValueType) -> st.SearchStrategy[Any]:
    """Values of one type: empty and ragged lists, empty dicts, arrays with an empty last side."""
    match kind:
        case Scalar(name):
            return SCALAR_VALUES[name]
        case ListOf(item):
            return st.lists(values(item), max_size=4)
        case TupleOf(parts):
            return st.tuples(*map(values, parts))
        case Optional(inner):
            return st.none() | values(inner)
        case DictOf(key, inner):
            return st.dictionaries(SCALAR_VALUES[key.name], values(inner), max_size=3)
        case NdArray():
            return arrays(kind)


@st.composite
def arrays(draw: st.DrawFn, kind: NdArray) -> Any:
    """C-ordered arrays; only the last dimension may be empty."""
    sides = [draw(st.integers(1, 2)) for _ in range(kind.ndim - 1)] + [draw(st.integers(0, 3))]
    size = math.prod(sides)
    items = draw(st.lists(ARRAY_ITEMS[kind.dtype], min_size=size, max_size=size))
    return np.array(items, dtype=NUMPY_DTYPES[kind.dtype]).reshape(sides)


@st.composite
def typed_values(draw: st.DrawFn) -> tuple[ValueType, Any]:
    """A type and a value of it."""
    kind = draw(types())
    return kind, draw(values(kind))
