"""Values of a signature's types on the trusted side, and their JSON form.

A value is an int, float, bool, str, None, list, tuple, dict or a C-ordered numpy array of exactly
the declared dtype. This module converts to and from JSON (packages on disk, the REST API) and
prints values for people; the binary form that crosses into a box is judge.harness.wire's.

JSON has no NaN and no infinities, so they are the strings ``"NaN"``, ``"Infinity"`` and
``"-Infinity"``. Dict keys of type int are written as decimal strings.
"""

import math
from collections.abc import Mapping
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

Value = (
    int
    | float
    | bool
    | str
    | None
    | list[Any]
    | tuple[Any, ...]
    | dict[Any, Any]
    | npt.NDArray[Any]
)
Arguments = dict[str, Value]

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
NUMPY_DTYPES: dict[str, str] = {"f64": "<f8", "f32": "<f4", "i64": "<i8", "bool": "|b1"}
_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_ELEMENT = {
    "f64": Scalar("float"),
    "f32": Scalar("float"),
    "i64": Scalar("int"),
    "bool": Scalar("bool"),
}


# What is wrong with a value, by code; readers of other languages get the catalogues' sentences.
MISMATCHES: Mapping[str, str] = {
    "array": "expected an array, got {found}",
    "dimensions": "expected {dimensions} dimensions, none of them empty",
    "equal-keys": "two keys mean the same integer",
    "integer-key": "expected a decimal integer as key",
    "integer-range": "integer does not fit into 64 bits",
    "kind": "expected {expected}, got {found}",
    "lone-surrogate": "text holds a lone surrogate",
    "missing": "argument is missing",
    "named": "expected an object of named arguments",
    "number-range": "number is too large for a double",
    "object": "expected an object, got {found}",
    "parts": "expected {expected} parts, got {found}",
    "rows": "rows have different lengths",
    "unknown": "unknown argument; expected {names}",
}


class ValueMismatch(ValueError):
    """A JSON value that is not of the declared type.

    Attributes:
        pointer: its JSON pointer.
        code: what is wrong, one of MISMATCHES.
        details: what the code's sentences are filled with.
        message: the English sentence, for command line and staff.
    """

    def __init__(self, pointer: str, code: str, **details: object) -> None:
        self.message = MISMATCHES[code].format(**details)
        super().__init__(f"{pointer or '/'}: {self.message}")
        self.pointer = pointer
        self.code = code
        self.details = details


def from_json(value_type: ValueType, data: object, pointer: str = "") -> Value:
    """Read one value out of parsed JSON.

    Raises:
        ValueMismatch: with the JSON pointer of the first part that does not fit.
    """
    match value_type:
        case Scalar(name):
            return _scalar_from_json(name, data, pointer)
        case ListOf(item):
            items = _expect_list(data, pointer)
            return [from_json(item, part, f"{pointer}/{index}") for index, part in enumerate(items)]
        case TupleOf(parts):
            items = _expect_list(data, pointer)
            if len(items) != len(parts):
                raise ValueMismatch(pointer, "parts", expected=len(parts), found=len(items))
            pairs = enumerate(zip(parts, items, strict=True))
            return tuple(
                from_json(part, item, f"{pointer}/{index}") for index, (part, item) in pairs
            )
        case Optional(inner):
            return None if data is None else from_json(inner, data, pointer)
        case DictOf(key, inner):
            return _dict_from_json(key, inner, data, pointer)
        case NdArray():
            return _array_from_json(value_type, data, pointer)


def to_json(value_type: ValueType, value: Value) -> Any:
    """The JSON form of a value; ``from_json`` reads it back bit for bit (NaN payloads aside)."""
    match value_type:
        case Scalar("float"):
            return _float_to_json(cast(float, value))
        case Scalar():
            return value
        case ListOf(item):
            return [to_json(item, part) for part in cast(list[Any], value)]
        case TupleOf(parts):
            pairs = zip(parts, cast(tuple[Any, ...], value), strict=True)
            return [to_json(part, item) for part, item in pairs]
        case Optional(inner):
            return None if value is None else to_json(inner, value)
        case DictOf(_, inner):
            items = cast(dict[Any, Any], value).items()
            return {str(key): to_json(inner, part) for key, part in items}
        case NdArray():
            return _nested_to_json(value_type, cast(npt.NDArray[Any], value).tolist())


def arguments_from_json(signature: Signature, data: object, pointer: str = "") -> Arguments:
    """Read a JSON object of named arguments.

    Raises:
        ValueMismatch: an argument is missing, unknown or of another type.
    """
    arguments, mismatches = read_arguments(signature, data, pointer)
    if mismatches:
        raise mismatches[0]
    return arguments


def read_arguments(
    signature: Signature, data: object, pointer: str = ""
) -> tuple[Arguments, tuple[ValueMismatch, ...]]:
    """Read a JSON object of named arguments; those that fit, and what is wrong with the others.

    Of each argument the first part that does not fit is named.
    """
    if not isinstance(data, dict):
        return {}, (ValueMismatch(pointer, "named"),)
    names = [parameter.name for parameter in signature.parameters]
    mismatches = [
        ValueMismatch(_step(pointer, key), "unknown", names=", ".join(names))
        for key in data
        if key not in names
    ]
    mismatches += [
        ValueMismatch(f"{pointer}/{name}", "missing") for name in names if name not in data
    ]
    arguments: Arguments = {}
    for parameter in signature.parameters:
        if parameter.name in data:
            here = f"{pointer}/{parameter.name}"
            try:
                arguments[parameter.name] = from_json(parameter.type, data[parameter.name], here)
            except ValueMismatch as error:
                mismatches.append(error)
    return arguments, tuple(mismatches)


def arguments_to_json(signature: Signature, arguments: Arguments) -> dict[str, Any]:
    """The JSON object of named arguments, in signature order."""
    return {
        parameter.name: to_json(parameter.type, arguments[parameter.name])
        for parameter in signature.parameters
    }


def array_list_type(array: NdArray) -> ListOf:
    """The nested list type that has the same items as an array (the C++ and Java view of it)."""
    nested: ValueType = _ELEMENT[array.dtype]
    for _ in range(array.ndim):
        nested = ListOf(nested)
    return cast(ListOf, nested)


def _step(pointer: str, key: object) -> str:
    """The JSON pointer (RFC 6901) of a member; its name may be any text, half characters too."""
    name = str(key).encode(errors="backslashreplace").decode()
    return f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"


def _expect_list(data: object, pointer: str) -> list[Any]:
    if not isinstance(data, list):
        raise ValueMismatch(pointer, "array", found=_json_name(data))
    return data


def _scalar_from_json(name: str, data: object, pointer: str) -> Value:
    if name == "bool" and isinstance(data, bool):
        return data
    if name == "str" and isinstance(data, str):
        _check_text(data, pointer)
        return data
    if name == "int" and isinstance(data, int) and not isinstance(data, bool):
        if not INT_MIN <= data <= INT_MAX:
            raise ValueMismatch(pointer, "integer-range")
        return data
    if name == "float" and not isinstance(data, bool):
        return _float_from_json(data, pointer)
    raise ValueMismatch(pointer, "kind", expected=name, found=_json_name(data))


def _float_from_json(data: object, pointer: str) -> float:
    if isinstance(data, str) and data in _SPECIAL:
        return _SPECIAL[data]
    if not isinstance(data, int | float):
        raise ValueMismatch(pointer, "kind", expected="float", found=_json_name(data))
    try:
        return float(data)
    except OverflowError:
        raise ValueMismatch(pointer, "number-range") from None


def _check_text(text: str, pointer: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueMismatch(pointer, "lone-surrogate") from None


def _float_to_json(value: float) -> float | str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def _dict_from_json(key: Scalar, inner: ValueType, data: object, pointer: str) -> Value:
    if not isinstance(data, dict):
        raise ValueMismatch(pointer, "object", found=_json_name(data))
    result: dict[Any, Any] = {}
    for text, part in data.items():
        here = _step(pointer, text)
        try:
            typed = int(text) if key.name == "int" else text
        except ValueError:
            raise ValueMismatch(here, "integer-key") from None
        result[_scalar_from_json(key.name, typed, here)] = from_json(inner, part, here)
    if len(result) != len(data):
        raise ValueMismatch(pointer, "equal-keys")
    return result


def _array_from_json(array: NdArray, data: object, pointer: str) -> npt.NDArray[Any]:
    nested = from_json(array_list_type(array), data, pointer)
    try:
        result = np.array(nested, dtype=NUMPY_DTYPES[array.dtype], order="C")
    except ValueError:
        raise ValueMismatch(pointer, "rows") from None
    if result.ndim != array.ndim:
        raise ValueMismatch(pointer, "dimensions", dimensions=array.ndim)
    return result


def _nested_to_json(array: NdArray, nested: Any) -> Any:
    if array.dtype not in ("f64", "f32"):
        return nested
    if isinstance(nested, list):
        return [_nested_to_json(array, part) for part in nested]
    return _float_to_json(nested)


def _json_name(data: object) -> str:
    names: dict[type, str] = {
        bool: "bool",
        int: "int",
        float: "float",
        str: "string",
        list: "array",
    }
    return "null" if data is None else names.get(type(data), "object")
