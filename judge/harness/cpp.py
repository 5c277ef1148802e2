"""C++: type names, starter code, and the source form of a sample's values.

Owns what people see of C++. It never compiles or runs anything; what the compiler gets is
judge.harness.cpp_unit's.
"""

import math
import re
from collections.abc import Callable
from typing import Any

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
from judge.domain.values import Arguments, Value

_SCALARS = {"int": "long long", "float": "double", "bool": "bool", "str": "std::string"}
_ELEMENTS = {"f64": "double", "f32": "float", "i64": "long long", "bool": "bool"}
_ESCAPES = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", ord('"'): '\\"', 92: "\\\\"}
_SECOND_MARK = re.compile(r"(?<=\?)\?")
# The one 64-bit integer that has no literal: its digits without the sign do not fit.
_INT_MIN = -(2**63)


def type_name(value_type: ValueType) -> str:
    """The type as C++ spells it; an array is a nested vector of its dtype."""
    match value_type:
        case Scalar(name):
            return _SCALARS[name]
        case ListOf(item):
            return f"std::vector<{type_name(item)}>"
        case TupleOf(parts):
            kind = "pair" if len(parts) == 2 else "tuple"
            return f"std::{kind}<{', '.join(type_name(part) for part in parts)}>"
        case Optional(inner):
            return f"std::optional<{type_name(inner)}>"
        case DictOf(key, inner):
            return f"std::map<{type_name(key)}, {type_name(inner)}>"
        case NdArray(dtype, ndim):
            return "std::vector<" * ndim + _ELEMENTS[dtype] + ">" * ndim


def parameter_declaration(parameter: Parameter) -> str:
    """A parameter as the starter code declares it: by value or by constant reference."""
    name = type_name(parameter.type)
    is_small = isinstance(parameter.type, Scalar) and parameter.type.name != "str"
    return f"{name} {parameter.name}" if is_small else f"const {name}& {parameter.name}"


def function_declaration(signature: Signature) -> str:
    """The first line of the function, without what follows the parameters."""
    inner = ", ".join(parameter_declaration(parameter) for parameter in signature.parameters)
    return f"{type_name(signature.returns)} {signature.name}({inner})"


def starter_code(signature: Signature) -> str:
    """What the editor shows before the learner typed anything."""
    return (
        f"#include <bits/stdc++.h>\n\n{function_declaration(signature)} {{\n"
        '    throw std::logic_error("not implemented");\n}\n'
    )


def declarations(signature: Signature, arguments: Arguments) -> list[str]:
    """A sample's arguments as initialised variables, in display order."""
    return [
        _declaration(parameter.type, parameter.name, arguments[parameter.name])
        for parameter in signature.shown_parameters()
    ]


def expected_declaration(signature: Signature, value: Value) -> str:
    """A sample's expected value as an initialised variable."""
    return _declaration(signature.returns, "expected", value)


def call(signature: Signature) -> str:
    """The call of a sample; the parts of a tuple get names where there are names for them."""
    names = signature.result_names
    if not names and isinstance(signature.returns, TupleOf):
        names = signature.returns.names
    arguments = [parameter.name for parameter in signature.parameters]
    # One scope cannot declare a name twice.
    is_named = bool(names) and not set(names) & set(arguments)
    left = f"[{', '.join(names)}]" if is_named else "result"
    return f"auto {left} = {signature.name}({', '.join(arguments)});"


def literal(value_type: ValueType, value: Value) -> str:
    """A value as the initialiser of a variable of the type."""
    return _LITERALS[type(value_type)](value_type, value)


def _declaration(value_type: ValueType, name: str, value: Value) -> str:
    return f"{type_name(value_type)} {name} = {literal(value_type, value)};"


def _spelled(value_type: ValueType, value: Value) -> str:
    """An expression that has the type by itself, for places where braces could mean another."""
    text = literal(value_type, value)
    return type_name(value_type) + text if text.startswith("{") else text


def _scalar_literal(value_type: Any, value: Any) -> str:
    match value_type.name:
        case "int":
            return _int_literal(value)
        case "float":
            return _float_literal(value, "double")
        case "bool":
            return "true" if value else "false"
        case _:
            return _text_literal(value)


def _int_literal(value: int) -> str:
    if value == _INT_MIN:
        return f"({_INT_MIN + 1}LL - 1)"
    return str(value) if -(2**31) <= value < 2**31 else f"{value}LL"


def _float_literal(value: float, kind: str) -> str:
    """The shortest text that reads back as the same double; a constant float takes it as it is."""
    if math.isnan(value):
        return f"std::numeric_limits<{kind}>::quiet_NaN()"
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}std::numeric_limits<{kind}>::infinity()"
    return repr(float(value))


def _text_literal(value: str) -> str:
    """UTF-8 in octal: unlike hexadecimal escapes, these end after three digits."""
    content = value.encode()
    shown = "".join(_ESCAPES.get(byte) or _octal(byte) for byte in content)
    # No trigraphs, whatever the compiler's mode.
    literal_text = '"' + _SECOND_MARK.sub(r"\?", shown) + '"'
    # A plain literal would end at its first NUL.
    return f"std::string({literal_text}, {len(content)})" if 0 in content else literal_text


def _octal(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _list_literal(value_type: Any, value: Any) -> str:
    return f"{{{', '.join(literal(value_type.item, item) for item in value)}}}"


def _tuple_literal(value_type: Any, value: Any) -> str:
    # In a tuple of one, the braces of its part could as well be the tuple's own.
    show = _spelled if len(value_type.parts) == 1 else literal
    parts = [show(part, item) for part, item in zip(value_type.parts, value, strict=True)]
    return f"{{{', '.join(parts)}}}"


def _optional_literal(value_type: Any, value: Any) -> str:
    return "std::nullopt" if value is None else _spelled(value_type.inner, value)


def _dict_literal(value_type: Any, value: Any) -> str:
    pairs = [
        f"{{{literal(value_type.key, key)}, {literal(value_type.value, item)}}}"
        for key, item in value.items()
    ]
    return f"{{{', '.join(pairs)}}}"


def _array_literal(value_type: Any, value: Any) -> str:
    return _rows_literal(value_type.dtype, value.tolist())


def _rows_literal(dtype: str, value: Any) -> str:
    if isinstance(value, list):
        return f"{{{', '.join(_rows_literal(dtype, part) for part in value)}}}"
    if dtype in ("f64", "f32"):
        return _float_literal(value, _ELEMENTS[dtype])
    return _scalar_literal(Scalar("int" if dtype == "i64" else "bool"), value)


_LITERALS: dict[type, Callable[[Any, Any], str]] = {
    Scalar: _scalar_literal,
    ListOf: _list_literal,
    TupleOf: _tuple_literal,
    Optional: _optional_literal,
    DictOf: _dict_literal,
    NdArray: _array_literal,
}
