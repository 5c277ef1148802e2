"""Values as tokens: what ``.in`` and ``.ans`` of an exported function problem hold.

One parameter after the other, each on a line of its own. A list is its count and its items, a
dictionary its count and its pairs, an optional value 0 or 1 and the value, an array its lengths and
its items (the rows of one with two dimensions stand on lines of their own). Floats are their
shortest round-trip text, flags 0 and 1. A text begins with a colon; of its bytes all but letters,
digits, ``_``, ``-`` and ``.`` are written as % and two hexadecimal digits, so it is one token.

The drivers (templates/) read and write the same.
"""

import math
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from judge.domain.signatures import (
    DictOf,
    ListOf,
    NdArray,
    Optional,
    Scalar,
    Signature,
    TupleOf,
    ValueType,
)
from judge.domain.values import Arguments, Value

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")


def input_text(signature: Signature, arguments: Arguments) -> bytes:
    """The text of one case's input."""
    lines = (value_text(p.type, arguments[p.name]) for p in signature.parameters)
    return "".join(f"{line}\n" for line in lines).encode()


def answer_text(signature: Signature, expected: Value) -> bytes:
    """The text of one case's answer."""
    return f"{value_text(signature.returns, expected)}\n".encode()


def value_text(value_type: ValueType, value: Value) -> str:
    """One value; only an array of two or more dimensions has more than one line."""
    if isinstance(value_type, NdArray):
        return _array_text(value_type, cast(npt.NDArray[Any], value))
    return " ".join(_tokens(value_type, value))


def _tokens(value_type: ValueType, value: Any) -> list[str]:
    match value_type:
        case Scalar(name):
            return [_scalar(name, value)]
        case ListOf(item):
            return [str(len(value)), *(t for part in value for t in _tokens(item, part))]
        case TupleOf(parts):
            pairs = zip(parts, value, strict=True)
            return [token for kind, part in pairs for token in _tokens(kind, part)]
        case Optional(inner):
            return ["0"] if value is None else ["1", *_tokens(inner, value)]
        case DictOf(key, inner):
            members = [(*_tokens(key, k), *_tokens(inner, part)) for k, part in value.items()]
            return [str(len(value)), *(token for member in members for token in member)]
        case NdArray():
            return _array_text(value_type, value).split()


def _array_text(array: NdArray, value: npt.NDArray[Any]) -> str:
    name = {"f64": "float", "f32": "float", "i64": "int", "bool": "bool"}[array.dtype]
    rows = value.reshape(math.prod(value.shape[:-1]), value.shape[-1])
    lines = [" ".join(_scalar(name, item) for item in np.asarray(row).tolist()) for row in rows]
    lengths = " ".join(map(str, value.shape))
    return " ".join((lengths, *lines)) if array.ndim == 1 else "\n".join((lengths, *lines))


def _scalar(name: str, value: Any) -> str:
    match name:
        case "float" if not math.isfinite(value):
            return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
        case "float":
            return repr(float(value))
        case "str":
            return ":" + "".join(
                chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in str(value).encode()
            )
        case _:
            return str(int(value))
