"""Python: requests for the driver, starter code, literals of samples."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
from judge.domain.values import Arguments, Value, array_list_type
from judge.harness import wire

PACKAGES = ("numpy",)
_COMPILED = b"B"
_LENGTH_END = 5
_NUMPY_NAMES = {"f32": ", dtype=np.float32", "i64": ", dtype=np.int64", "bool": ", dtype=bool"}


def driver_source() -> str:
    """The program that the sandbox preloads for Python boxes."""
    return (Path(__file__).parent / "drivers" / "python_driver.py").read_text()


def check_request(signature: Signature, source: str) -> bytes:
    """Ask whether the source compiles and defines the function; holds no case's bytes."""
    return _request("check", signature, source, b"")


def read_check(result: bytes) -> tuple[bytes, bytes]:
    """What a check wrote: the compiled source, or nothing, and the reply.

    The first frame is written before any of the source runs. What it holds is never read on this
    side: it goes back into the boxes of the same submission.
    """
    if result[:1] != _COMPILED:
        return b"", result
    end = _LENGTH_END + int.from_bytes(result[1:_LENGTH_END], "little")
    if len(result) < end:  # it was ended while it wrote
        return b"", b""
    return result[_LENGTH_END:end], result[end:]


def call_request(
    signature: Signature, source: str, arguments: Arguments, compiled: bytes = b""
) -> bytes:
    """Ask for the function's value at one case's arguments; ``compiled`` is the check's."""
    return _request(
        "call", signature, source, wire.encode_arguments(signature, arguments), compiled
    )


def tool_request(signature: Signature, source: str, arguments: Arguments) -> bytes:
    """The same for a package's own function of one dict of named arguments."""
    return _request("tool", signature, source, wire.encode_arguments(signature, arguments))


def program_request(mode: str, source: str, text: bytes, compiled: bytes = b"") -> bytes:
    """The same modes for a source that is a program; ``text`` is its standard input."""
    return _frame({"mode": mode, "function": ""}, source, text, compiled)


def starter_code(signature: Signature) -> str:
    """What the editor shows before the learner typed anything."""
    head = "import numpy as np\n\n\n" if "ndarray" in str(signature) else ""
    inner = ", ".join(f"{p.name}: {annotation(p.type)}" for p in signature.parameters)
    line = f"def {signature.name}({inner}) -> {annotation(signature.returns)}:"
    return f"{head}{line}\n    raise NotImplementedError\n"


def annotation(value_type: ValueType) -> str:
    """The type as Python annotates it."""
    match value_type:
        case Scalar(name):
            return name
        case ListOf(item):
            return f"list[{annotation(item)}]"
        case TupleOf(parts):
            return f"tuple[{', '.join(annotation(part) for part in parts)}]"
        case Optional(inner):
            return f"{annotation(inner)} | None"
        case DictOf(key, inner):
            return f"dict[{annotation(key)}, {annotation(inner)}]"
        case NdArray():
            return "np.ndarray"


def declarations(signature: Signature, arguments: Arguments) -> list[str]:
    """A sample's arguments as assignments, in display order."""
    return [
        f"{parameter.name} = {literal(parameter.type, arguments[parameter.name])}"
        for parameter in signature.shown_parameters()
    ]


def expected_declaration(signature: Signature, value: Value) -> str:
    """A sample's expected value as an assignment."""
    return f"expected = {literal(signature.returns, value)}"


def call(signature: Signature) -> str:
    """The call of a sample: what it returns gets the names that the signature has for it."""
    names = signature.result_names
    if not names and isinstance(signature.returns, TupleOf):
        names = signature.returns.names
    arguments = ", ".join(parameter.name for parameter in signature.parameters)
    left = f"{', '.join(names)}{',' if len(names) == 1 else ''}" if names else "result"
    return f"{left} = {signature.name}({arguments})"


def literal(value_type: ValueType, value: Value) -> str:
    """A value as Python source: floats by their shortest round-trip form."""
    return _LITERALS[type(value_type)](value_type, value)


def _float_literal(value: float) -> str:
    if math.isnan(value):
        return 'float("nan")'
    if math.isinf(value):
        return 'float("inf")' if value > 0 else 'float("-inf")'
    return repr(float(value))


def _scalar_literal(value_type: Any, value: Any) -> str:
    return _float_literal(value) if value_type.name == "float" else repr(value)


def _list_literal(value_type: Any, value: Any) -> str:
    return f"[{', '.join(literal(value_type.item, part) for part in value)}]"


def _tuple_literal(value_type: Any, value: Any) -> str:
    parts = [literal(t, part) for t, part in zip(value_type.parts, value, strict=True)]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _optional_literal(value_type: Any, value: Any) -> str:
    return "None" if value is None else literal(value_type.inner, value)


def _dict_literal(value_type: Any, value: Any) -> str:
    pairs = [f"{key!r}: {literal(value_type.value, part)}" for key, part in value.items()]
    return f"{{{', '.join(pairs)}}}"


def _array_literal(value_type: Any, value: Any) -> str:
    nested = literal(array_list_type(value_type), value.tolist())
    return f"np.array({nested}{_NUMPY_NAMES.get(value_type.dtype, '')})"


_LITERALS: dict[type, Callable[[Any, Any], str]] = {
    Scalar: _scalar_literal,
    ListOf: _list_literal,
    TupleOf: _tuple_literal,
    Optional: _optional_literal,
    DictOf: _dict_literal,
    NdArray: _array_literal,
}


def _request(
    mode: str, signature: Signature, source: str, arguments: bytes, compiled: bytes = b""
) -> bytes:
    header: dict[str, Any] = {
        "mode": mode,
        "function": signature.name,
        "parameters": [
            [p.name, wire.describe(wire.argument_type(signature, p))] for p in signature.parameters
        ],
        "returns": wire.describe(signature.returns),
    }
    if signature.drawn:
        header["drawn"] = [p.name for p in signature.parameters].index(signature.drawn)
    return _frame(header, source, arguments, compiled)


def _frame(header: dict[str, Any], source: str, arguments: bytes, compiled: bytes) -> bytes:
    parts = (json.dumps(header).encode(), source.encode(), compiled)
    return b"".join((*(len(part).to_bytes(4, "little") + part for part in parts), arguments))
