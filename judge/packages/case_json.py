"""One case's files: ``.in`` (JSON object of named arguments), ``.ans`` (JSON value), ``.npy``.

Owns reading them into typed values. An argument may be ``{"$npy": "name.npy"}`` when its type is
an array: the file stands in ``<case>.files/``. Array files are read by hand, because numpy's
loader allocates what the header promises and can unpickle: here the header must state exactly the
declared dtype and number of dimensions in C order, and the file must have exactly that many bytes.
"""

import io
import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from judge.domain.signatures import NdArray, Signature, ValueType
from judge.domain.values import (
    NUMPY_DTYPES,
    Arguments,
    Value,
    ValueMismatch,
    arguments_from_json,
    from_json,
)

ARRAY_KEY = "$npy"
_VERSION = (1, 0)


# Parsed, a text takes up to thirty times as much; large arrays have files of their own.
MAX_JSON_BYTES = 4 * 1024 * 1024


class CaseUnreadable(ValueError):
    """A case file that is not what the signature asks for; ``line`` is 1 where none is known."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def read_arguments(files: Mapping[str, bytes], signature: Signature, stem: str) -> Arguments:
    """Read ``<stem>.in`` and the arrays that it names.

    Raises:
        CaseUnreadable: no JSON, an argument of another type, or an array file that does not fit.
    """
    data = parse_json(files[f"{stem}.in"])
    if not isinstance(data, dict):
        raise CaseUnreadable("expected a JSON object with the arguments by name")
    arrays: Arguments = {}
    for parameter in signature.parameters:
        file_name = _array_file_name(data.get(parameter.name))
        if isinstance(parameter.type, NdArray) and file_name is not None:
            path = f"{stem}.files/{file_name}"
            arrays[parameter.name] = read_array(files, path, parameter.type)
    inline = Signature(
        signature.name,
        tuple(part for part in signature.parameters if part.name not in arrays),
        signature.returns,
    )
    try:
        typed = arguments_from_json(
            inline, {name: value for name, value in data.items() if name not in arrays}
        )
    except ValueMismatch as error:
        raise CaseUnreadable(str(error)) from error
    values = typed | arrays
    return {parameter.name: values[parameter.name] for parameter in signature.parameters}


def read_answer(files: Mapping[str, bytes], value_type: ValueType, stem: str) -> Value:
    """Read ``<stem>.ans``.

    Raises:
        CaseUnreadable: no JSON, or a value of another type.
    """
    try:
        return from_json(value_type, parse_json(files[f"{stem}.ans"]))
    except ValueMismatch as error:
        raise CaseUnreadable(str(error)) from error


def read_text(files: Mapping[str, bytes], path: str) -> str:
    """Read a file of a stdio problem, whose cases are plain text.

    Raises:
        CaseUnreadable: it is not UTF-8.
    """
    try:
        return files[path].decode()
    except UnicodeDecodeError as error:
        line = files[path].count(b"\n", 0, error.start) + 1
        raise CaseUnreadable("is not UTF-8", line) from error


def parse_json(content: bytes) -> Any:
    """Parse strict JSON: UTF-8, no NaN or Infinity words, no key twice.

    Raises:
        CaseUnreadable: with the line where parsing stopped, if known.
    """
    if len(content) > MAX_JSON_BYTES:
        raise CaseUnreadable(f"is over {MAX_JSON_BYTES} bytes; put large arrays into .npy files")
    try:
        return json.loads(
            content.decode(), parse_constant=_no_constant, object_pairs_hook=_unique_keys
        )
    except UnicodeDecodeError as error:
        raise CaseUnreadable("is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise CaseUnreadable(f"is not JSON: {error.msg}", error.lineno) from error
    except (RecursionError, ValueError) as error:
        if isinstance(error, CaseUnreadable):
            raise
        raise CaseUnreadable(f"is not JSON that can be read: {error}") from error


def read_array(files: Mapping[str, bytes], path: str, declared: NdArray) -> npt.NDArray[Any]:
    """Read one ``.npy`` file (format 1.0) of exactly the declared dtype and dimensions.

    Raises:
        CaseUnreadable: the file is missing or differs in any way.
    """
    if path not in files:
        raise CaseUnreadable(f"array file {path} is missing")
    stream = io.BytesIO(files[path])
    try:
        version = np.lib.format.read_magic(stream)
        if version != _VERSION:
            raise CaseUnreadable(f"array file {path} has format {version}, expected 1.0")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    except CaseUnreadable:
        raise
    except Exception as error:  # NumPy lets whatever its own reader of headers meets through
        raise CaseUnreadable(f"array file {path} cannot be read: {error}") from error
    expected = np.dtype(NUMPY_DTYPES[declared.dtype])
    if dtype != expected or dtype.hasobject or len(shape) != declared.ndim or fortran:
        found = f"{dtype} with {len(shape)} dimensions{' in Fortran order' if fortran else ''}"
        raise CaseUnreadable(f"array file {path} holds {found}, expected {declared} in C order")
    body = files[path][stream.tell() :]
    if math.prod(shape) * expected.itemsize != len(body) or min(shape, default=1) < 1:
        raise CaseUnreadable(f"array file {path} does not hold {shape} items")
    return np.frombuffer(body, dtype=expected).reshape(shape)


def _array_file_name(data: object) -> str | None:
    if isinstance(data, dict) and set(data) == {ARRAY_KEY} and isinstance(data[ARRAY_KEY], str):
        return str(data[ARRAY_KEY])
    return None


def _no_constant(word: str) -> NoReturn:
    raise CaseUnreadable(f'{word} is not JSON; write it as the string "{word}"')


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise CaseUnreadable("an object has the same key twice")
    return result
