"""What a new package knows of its types: Python text that draws a value, and plain values.

Owns nothing but these tables by type. The texts become part of a package and run in boxes only;
they use ``draw`` (a random.Random), ``size`` and, for arrays, ``np``.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

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
from judge.domain.values import NUMPY_DTYPES, Value

# As many different inputs as nobody needs to count further.
MANY_INPUTS = 1000
_DRAWN_SCALARS = {
    "int": "draw.randint(1, size - 1)",
    "float": "round(draw.uniform(0.05, 0.95), 3)",
    "bool": "draw.random() < 0.5",
    "str": '"".join(draw.choices("abcdefgh", k=size))',
}
_DTYPE_SCALARS = {"f64": "float", "f32": "float", "i64": "int", "bool": "bool"}
_CONSTANT_SCALARS = {"int": "0", "float": "0.0", "bool": "False", "str": '""'}
_EXAMPLE_SCALARS: dict[str, Value] = {"int": 1, "float": 0.5, "bool": True, "str": "a"}


def draw_code(value_type: ValueType) -> str:
    """A Python expression that draws a value of the type from ``draw`` and ``size``."""
    match value_type:
        case Scalar(name):
            return _DRAWN_SCALARS[name]
        case ListOf(item):
            return f"[{draw_code(item)} for _ in range(size)]"
        case TupleOf(parts):
            return _tuple_code(map(draw_code, parts))
        case Optional(inner):
            return f"({draw_code(inner)} if draw.random() < 0.75 else None)"
        case DictOf(key, value):
            made_key = "key" if key.name == "int" else 'f"key{key}"'
            return f"{{{made_key}: {draw_code(value)} for key in range(size)}}"
        case NdArray(dtype, ndim):
            drawn = _DRAWN_SCALARS[_DTYPE_SCALARS[dtype]]
            items = f"[{drawn} for _ in range(size**{ndim})]"
            return f"np.array({items}, dtype={_dtype_code(dtype)}).reshape((size,) * {ndim})"


def constant_code(value_type: ValueType) -> str:
    """A Python expression of the emptiest value of the type."""
    match value_type:
        case Scalar(name):
            return _CONSTANT_SCALARS[name]
        case ListOf():
            return "[]"
        case TupleOf(parts):
            return _tuple_code(map(constant_code, parts))
        case Optional():
            return "None"
        case DictOf():
            return "{}"
        case NdArray(dtype, ndim):
            return f"np.zeros((1,) * {ndim}, dtype={_dtype_code(dtype)})"


def example(value_type: ValueType) -> Value:
    """A small value of the type."""
    match value_type:
        case Scalar(name):
            return _EXAMPLE_SCALARS[name]
        case ListOf(item):
            return [example(item)]
        case TupleOf(parts):
            return tuple(map(example, parts))
        case Optional(inner):
            return example(inner)
        case DictOf(key, value):
            return {1 if key.name == "int" else "a": example(value)}
        case NdArray(dtype, ndim):
            return np.ones((1,) * ndim, dtype=NUMPY_DTYPES[dtype])


@dataclass(frozen=True)
class Check:
    """What no problem wants of an argument.

    ``condition`` is Python on ``case``, ``complaint`` what is said then, ``value`` one that is so.
    """

    condition: str
    complaint: str
    value: Value


def check(name: str, value_type: ValueType) -> Check | None:
    """The check of one argument; None where every value of its type may be wanted."""
    given = f'case["{name}"]'
    match value_type:
        case Scalar("int"):
            return Check(f"{given} < 0", f"{name} is negative", -1)
        case Scalar("float"):
            return Check(f"not math.isfinite({given})", f"{name} is not finite", math.nan)
        case Scalar("str"):
            return Check(f"len({given}) == 0", f"{name} is empty", "")
        case ListOf():
            return Check(f"len({given}) == 0", f"{name} is empty", [])
        case DictOf():
            return Check(f"len({given}) == 0", f"{name} is empty", {})
        case _:
            return None


def nesting(value_type: ValueType) -> int:
    """How many lengths a drawn value multiplies: 2 for a list of lists."""
    match value_type:
        case Scalar(name):
            return int(name == "str")
        case ListOf(inner) | DictOf(_, inner):
            return 1 + nesting(inner)
        case TupleOf(parts):
            return max(map(nesting, parts))
        case Optional(inner):
            return nesting(inner)
        case NdArray(_, ndim):
            return ndim


def count_inputs(types: Iterable[ValueType]) -> int:
    """How many different inputs can be drawn; MANY_INPUTS where they are that many or more."""
    return min(MANY_INPUTS, math.prod(map(_count_values, types)))


def uses_numpy(types: Iterable[ValueType]) -> bool:
    """Whether a text about one of the types names ``np``."""
    return any("ndarray" in str(each) for each in types)


def _count_values(value_type: ValueType) -> int:
    match value_type:
        case Scalar("bool"):
            return 2
        case Optional(inner):
            return 1 + _count_values(inner)
        case TupleOf(parts):
            return count_inputs(parts)
        case _:
            return MANY_INPUTS


def _tuple_code(parts: Iterable[str]) -> str:
    texts = list(parts)
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _dtype_code(dtype: str) -> str:
    name = np.dtype(NUMPY_DTYPES[dtype]).name
    return "bool" if name == "bool" else f"np.{name}"
