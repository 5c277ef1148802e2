"""Random types of the whole grammar, values of them, and bytes that were such a value once."""

import math
import struct
from typing import Any

import numpy as np
from fuzz_source import EDGES, Source

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
from judge.domain.values import INT_MAX, INT_MIN, NUMPY_DTYPES

_SCALARS = ("int", "float", "bool", "str")
_FLOATS = (math.nan, math.inf, -math.inf, -0.0, 0.0, 5e-324, 1.7976931348623157e308, 1.0, -2.5)
_INTEGERS = (INT_MIN, INT_MAX, 0, 1, -1, 255, 1 << 31, 1 << 53)
_CHARACTERS = "ab\x00\n\x7f\x80\xff\u0300\u2028\ud7ff\ue000\uffff\U0001f600\U0010ffff"
_ARRAY_SCALARS = {"f64": "float", "f32": "float", "i64": "int", "bool": "bool"}
_TYPES: dict[str, type] = {"int": int, "float": float, "bool": bool, "str": str}


def type_of(source: Source, depth: int = 3) -> ValueType:
    """A type, at most so many levels deep."""
    kind = source.randrange(7) if depth else source.randrange(2)
    match kind:
        case 0:
            return Scalar(source.pick(_SCALARS))
        case 1:
            return NdArray(source.pick(DTYPES), source.pick((1, 1, 2, 3, 8)))
        case 2 | 3:
            return ListOf(type_of(source, depth - 1))
        case 4:
            count = source.randrange(1, 4)
            return TupleOf(tuple(type_of(source, depth - 1) for _ in range(count)))
        case 5:
            return DictOf(Scalar(source.pick(("int", "str"))), type_of(source, depth - 1))
        case _:
            inner = type_of(source, depth - 1)
            return inner if isinstance(inner, Optional) else Optional(inner)


def value_of(source: Source, kind: ValueType) -> Any:
    """A value of a type."""
    match kind:
        case Scalar(name):
            return _scalar(source, name)
        case ListOf(item):
            return [value_of(source, item) for _ in range(source.randrange(4))]
        case TupleOf(parts):
            return tuple(value_of(source, part) for part in parts)
        case Optional(inner):
            return None if source.often(0.4) else value_of(source, inner)
        case DictOf(key, inner):
            count = source.randrange(4)
            return {_scalar(source, key.name): value_of(source, inner) for _ in range(count)}
        case NdArray(dtype, ndim):
            return _array(source, dtype, ndim)


def _scalar(source: Source, name: str) -> Any:
    match name:
        case "int":
            return source.pick(_INTEGERS) if source.often(0.5) else source.randint(INT_MIN, INT_MAX)
        case "float":
            bits: float = struct.unpack("<d", source.randbytes(8))[0]
            return source.pick(_FLOATS) if source.often(0.6) else bits
        case "bool":
            return source.often(0.5)
        case _:
            return "".join(source.some(_CHARACTERS, 6))


def _array(source: Source, dtype: str, ndim: int) -> Any:
    sides = [source.randrange(1, 3) for _ in range(ndim - 1)] + [source.randrange(4)]
    items = [_scalar(source, _ARRAY_SCALARS[dtype]) for _ in range(math.prod(sides))]
    with np.errstate(all="ignore"):
        return np.array(items, dtype=NUMPY_DTYPES[dtype]).reshape(sides)


def is_of(kind: ValueType, value: Any) -> bool:
    """Whether a value is exactly of a type: no subclass, no other width, no ragged array."""
    match kind:
        case Scalar(name):
            fits = name != "int" or INT_MIN <= value <= INT_MAX
            return type(value) is _TYPES[name] and fits
        case ListOf(item):
            return type(value) is list and all(is_of(item, part) for part in value)
        case TupleOf(parts):
            is_tuple = type(value) is tuple and len(value) == len(parts)
            return is_tuple and all(map(is_of, parts, value))
        case Optional(inner):
            return value is None or is_of(inner, value)
        case DictOf(key, inner):
            is_dict = type(value) is dict
            return is_dict and all(is_of(key, k) and is_of(inner, v) for k, v in value.items())
        case NdArray(dtype, ndim):
            is_array = type(value) is np.ndarray and value.dtype == np.dtype(NUMPY_DTYPES[dtype])
            return is_array and value.ndim == ndim and value.flags.c_contiguous


def holds_nan(value: Any) -> bool:
    """Whether a value or a part of it is a NaN."""
    if isinstance(value, np.ndarray):
        return bool(value.dtype.kind == "f" and np.isnan(value).any())
    if isinstance(value, dict):
        return any(map(holds_nan, value.values()))
    if isinstance(value, list | tuple):
        return any(map(holds_nan, value))
    return isinstance(value, float) and math.isnan(value)


def mutated(source: Source, valid: bytes) -> bytes:
    """Bytes near valid ones: a few places changed, taken out, put in, doubled, cut."""
    content = bytearray(valid)
    for _ in range(source.pick((1, 1, 2, 3, 8))):
        _mutate(source, content)
    return bytes(content)


def _mutate(source: Source, content: bytearray) -> None:
    place = source.randrange(len(content) + 1)
    end = place + source.pick((1, 1, 2, 4, 8, 32))
    match source.randrange(7):
        case 0 if content:
            content[place % len(content)] ^= 1 << source.randrange(8)
        case 1:
            # A count or a length becomes another one.
            content[place : place + 4] = (source.pick(EDGES) & 0xFFFFFFFF).to_bytes(4, "little")
        case 2:
            del content[place:end]
        case 3:
            content[place:place] = content[place:end] * source.pick((1, 2, 50))
        case 4:
            content[place:place] = source.randbytes(source.size(64))
        case 5:
            del content[place:]
        case _:
            content[place:end] = source.randbytes(max(0, min(end, len(content)) - place))
