"""The binary form in which values cross the border of a box, on the trusted side.

Little-endian, driven by the type, without tags: int i64, float f64, bool u8, str u32 length and
UTF-8, list u32 count and items, tuple its parts, optional u8 and the value, dict u32 count and
key-value pairs, ndarray nested u32 counts and raw items (the layout of the nested list, so that
C++ and Java read the same bytes). Decoding trusts nothing: counts are checked against what is
left, text must be UTF-8, keys unique, arrays rectangular, and no byte may be left over.
"""

import struct
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from judge.domain.signatures import (
    DictOf,
    ListOf,
    NdArray,
    Optional,
    Parameter,
    Scalar,
    Signature,
    TupleOf,
    ValueType,
)
from judge.domain.values import NUMPY_DTYPES, Arguments, Value

# Python objects that one reply may become; numbers in flat lists and arrays are read in one piece
# and do not count.
MAX_ITEMS = 200_000
_BULK = {"int": "<i8", "float": "<f8"}
# The floats of all draws, one row a draw.
_DRAWN = NdArray("f64", 2)


class WireError(ValueError):
    """Bytes that are no value of the expected type."""


def describe(value_type: ValueType) -> list[Any]:
    """The type as nested lists, for drivers that have no parser."""
    match value_type:
        case Scalar(name):
            return [name]
        case ListOf(item):
            return ["list", describe(item)]
        case TupleOf(parts):
            return ["tuple", [describe(part) for part in parts]]
        case Optional(inner):
            return ["optional", describe(inner)]
        case DictOf(key, inner):
            return ["dict", describe(key), describe(inner)]
        case NdArray(dtype, ndim):
            return ["ndarray", dtype, ndim]


def encode(value_type: ValueType, value: Value) -> bytes:
    """Bytes of a value that is known to be of the type."""
    parts: list[bytes] = []
    _encode(value_type, value, parts)
    return b"".join(parts)


def encode_arguments(signature: Signature, arguments: Arguments) -> bytes:
    """Bytes of one call's arguments, in the order of the parameters."""
    return b"".join(
        encode(argument_type(signature, p), arguments[p.name]) for p in signature.parameters
    )


def argument_type(signature: Signature, parameter: Parameter) -> ValueType:
    """What travels for a parameter: its value, or one a draw of the parameter that is drawn."""
    return _DRAWN if parameter.name == signature.drawn else parameter.type


def reply_type(signature: Signature) -> ValueType:
    """What comes back: what the function returned, or one such value a draw."""
    return ListOf(signature.returns) if signature.drawn else signature.returns


def decode(value_type: ValueType, payload: bytes) -> Value:
    """Read one value that fills the payload exactly.

    Raises:
        WireError: the bytes are not such a value.
    """
    reader = _Reader(payload)
    value = reader.read(value_type)
    if reader.left:
        raise WireError(f"{reader.left} bytes too many")
    return value


def _encode(value_type: ValueType, value: Any, parts: list[bytes]) -> None:
    match value_type:
        case Scalar(name):
            parts.append(_encode_scalar(name, value))
        case ListOf(Scalar("int" | "float") as item):
            array = np.array(value, dtype=_BULK[item.name])
            parts += [struct.pack("<I", len(value)), array.tobytes()]
        case ListOf(item):
            parts.append(struct.pack("<I", len(value)))
            for part in value:
                _encode(item, part, parts)
        case TupleOf(types):
            for part_type, part in zip(types, value, strict=True):
                _encode(part_type, part, parts)
        case Optional(inner):
            parts.append(bytes([value is not None]))
            parts.append(b"" if value is None else encode(inner, value))
        case DictOf(key_type, inner):
            parts.append(struct.pack("<I", len(value)))
            parts += [encode(key_type, key) + encode(inner, part) for key, part in value.items()]
        case NdArray(dtype, _):
            _encode_array(value.astype(NUMPY_DTYPES[dtype]), parts)


def _encode_scalar(name: str, value: Any) -> bytes:
    match name:
        case "int":
            return struct.pack("<q", value)
        case "float":
            return struct.pack("<d", value)
        case "bool":
            return bytes([value])
        case _:
            text = cast(str, value).encode()
            return struct.pack("<I", len(text)) + text


def _encode_array(array: npt.NDArray[Any], parts: list[bytes]) -> None:
    parts.append(struct.pack("<I", len(array)))
    if array.ndim == 1:
        parts.append(array.tobytes())
        return
    for row in array:
        _encode_array(row, parts)


class _Reader:
    """A cursor over hostile bytes."""

    def __init__(self, payload: bytes) -> None:
        self._payload = payload
        self._position = 0
        self._items_left = MAX_ITEMS

    @property
    def left(self) -> int:
        return len(self._payload) - self._position

    def read(self, value_type: ValueType) -> Value:
        match value_type:
            case Scalar(name):
                return cast(Value, self._scalar(name))
            case ListOf(Scalar("int" | "float") as item):
                numbers: list[Any] = self._bulk(self._count(), _BULK[item.name]).tolist()
                return numbers
            case ListOf(item):
                return [self.read(item) for _ in range(self._counted())]
            case TupleOf(parts):
                return tuple(self.read(part) for part in parts)
            case Optional(inner):
                return self.read(inner) if self._scalar("bool") else None
            case DictOf(key, inner):
                return self._dict(key, inner)
            case NdArray():
                return self._array(value_type)

    def _take(self, size: int) -> bytes:
        if size > self.left:
            raise WireError("the value ends too early")
        start, self._position = self._position, self._position + size
        return self._payload[start : self._position]

    def _count(self) -> int:
        return int.from_bytes(self._take(4), "little")

    def _counted(self) -> int:
        """A count of items that become Python objects; each takes at least one byte."""
        count = self._count()
        self._items_left -= count
        if count > self.left or self._items_left < 0:
            raise WireError("more items than a value may have")
        return count

    def _bulk(self, count: int, dtype: str) -> npt.NDArray[Any]:
        return np.frombuffer(self._take(count * np.dtype(dtype).itemsize), dtype=dtype)

    def _scalar(self, name: str) -> Any:
        match name:
            case "int":
                return struct.unpack("<q", self._take(8))[0]
            case "float":
                return struct.unpack("<d", self._take(8))[0]
            case "bool":
                return self._flag()
            case _:
                return self._text()

    def _flag(self) -> bool:
        byte = self._take(1)
        if byte not in (b"\x00", b"\x01"):
            raise WireError("a flag is neither 0 nor 1")
        return byte == b"\x01"

    def _text(self) -> str:
        try:
            return self._take(self._count()).decode()
        except UnicodeDecodeError:
            raise WireError("text is not UTF-8") from None

    def _dict(self, key: Scalar, inner: ValueType) -> dict[Any, Any]:
        count = self._counted()
        result = {}
        for _ in range(count):
            # The key comes first on the wire.
            name = self._scalar(key.name)
            result[name] = self.read(inner)
        if len(result) != count:
            raise WireError("a key stands twice")
        return result

    def _array(self, array: NdArray) -> npt.NDArray[Any]:
        shape: list[int | None] = [None] * array.ndim
        rows: list[npt.NDArray[Any]] = []
        self._rows(array.dtype, 0, shape, rows)
        if None in shape:
            raise WireError("an array has an empty dimension before its last")
        flat = np.concatenate(rows).astype(NUMPY_DTYPES[array.dtype])
        return flat.reshape([cast(int, size) for size in shape])

    def _rows(
        self, dtype: str, depth: int, shape: list[int | None], rows: list[npt.NDArray[Any]]
    ) -> None:
        is_row = depth == len(shape) - 1
        count = self._count() if is_row else self._counted()
        if shape[depth] is None:
            shape[depth] = count
        if shape[depth] != count:
            raise WireError("an array is not rectangular")
        if not is_row:
            for _ in range(count):
                self._rows(dtype, depth + 1, shape, rows)
            return
        row = self._bulk(count, "|u1" if dtype == "bool" else NUMPY_DTYPES[dtype])
        if dtype == "bool" and bool((row > 1).any()):
            raise WireError("a flag is neither 0 nor 1")
        rows.append(row)
