"""Typed signatures: the contract between a problem and the learner's function.

Owns the type grammar (``list[float]``, ``tuple[tokens: list[int], count: int]``,
``ndarray[f64, 2]`` …) and its parser. It never touches values; those are judge.domain.values'.

Grammar::

    type   = "int" | "float" | "bool" | "str"
           | "list[" type "]" | "optional[" type "]" | "dict[" ("int"|"str") "," type "]"
           | "tuple[" part {"," part} "]"        part = [name ":"] type
           | "ndarray[" ("f64"|"f32"|"i64"|"bool") "," ndim "]"

An optional of an optional is no type: no language but one tells its two kinds of nothing apart.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge.domain.reserved_words import RESERVED_WORDS

MAX_TYPE_DEPTH = 8
MAX_NDIM = 8
SCALAR_NAMES = ("int", "float", "bool", "str")
DTYPES = ("f64", "f32", "i64", "bool")
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,63}")
_SIGNATURE = re.compile(r"(?P<name>\w+)\s*\((?P<params>.*)\)\s*->\s*(?P<returns>.+)", re.DOTALL)


class SignatureError(ValueError):
    """A signature text that does not follow the grammar."""


@dataclass(frozen=True)
class Scalar:
    """``int`` (64 bit), ``float`` (IEEE double), ``bool`` or ``str``."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class ListOf:
    """A sequence of any length with one item type."""

    item: "ValueType"

    def __str__(self) -> str:
        return f"list[{self.item}]"


@dataclass(frozen=True)
class TupleOf:
    """A fixed number of parts; ``names`` is empty or names every part."""

    parts: tuple["ValueType", ...]
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        shown = [str(part) for part in self.parts]
        if self.names:
            shown = [f"{name}: {text}" for name, text in zip(self.names, shown, strict=True)]
        return f"tuple[{', '.join(shown)}]"


@dataclass(frozen=True)
class Optional:
    """A value of the inner type or none."""

    inner: "ValueType"

    def __str__(self) -> str:
        return f"optional[{self.inner}]"


@dataclass(frozen=True)
class DictOf:
    """A mapping whose keys are ``int`` or ``str``."""

    key: Scalar
    value: "ValueType"

    def __str__(self) -> str:
        return f"dict[{self.key}, {self.value}]"


@dataclass(frozen=True)
class NdArray:
    """A rectangular array with a fixed dtype and number of dimensions."""

    dtype: str
    ndim: int

    def __str__(self) -> str:
        return f"ndarray[{self.dtype}, {self.ndim}]"


ValueType = Scalar | ListOf | TupleOf | Optional | DictOf | NdArray


@dataclass(frozen=True)
class Parameter:
    """One parameter of the learner's function."""

    name: str
    type: ValueType


@dataclass(frozen=True)
class Signature:
    """The function that a learner writes.

    ``display_order`` is the order in which samples print the arguments; calls always use the
    order of ``parameters``. ``result_names`` are what a sample's call names the parts of the
    returned tuple, where the author says so. ``drawn`` is for one run only and never stored: it
    names the parameter, a list of floats, of which a call of the box holds many; the function is
    called once for each (judge.grading.draws).
    """

    name: str
    parameters: tuple[Parameter, ...]
    returns: ValueType
    display_order: tuple[str, ...] = ()
    result_names: tuple[str, ...] = ()
    drawn: str = ""

    def __str__(self) -> str:
        inner = ", ".join(f"{parameter.name}: {parameter.type}" for parameter in self.parameters)
        return f"{self.name}({inner}) -> {self.returns}"

    def shown_parameters(self) -> tuple[Parameter, ...]:
        """Parameters in display order."""
        by_name = {parameter.name: parameter for parameter in self.parameters}
        return tuple(by_name[name] for name in self.display_order) or self.parameters


def make_signature(
    name: str,
    params: Mapping[str, str],
    returns: str,
    display_order: tuple[str, ...] = (),
    result_names: tuple[str, ...] = (),
) -> Signature:
    """Build a signature from the texts of a package's judge.yaml.

    Raises:
        SignatureError: a name is no snake_case identifier, a type does not parse, the display
            order does not name every parameter once, or the result names are not one for each
            part of a returned tuple.
    """
    for identifier in (name, *params, *result_names):
        check_identifier(identifier)
    if not params:
        raise SignatureError("a signature needs at least one parameter")
    if display_order and sorted(display_order) != sorted(params):
        raise SignatureError("display_order must name every parameter exactly once")
    parameters = tuple(Parameter(key, parse_type(text)) for key, text in params.items())
    returned = parse_type(returns)
    if result_names:
        _check_result_names(result_names, returned, params)
    return Signature(name, parameters, returned, display_order, result_names)


def parse_signature(text: str) -> Signature:
    """Read ``name(first: type, second: type) -> type``, as ``str(signature)`` writes it.

    Raises:
        SignatureError: the text has another form, or ``make_signature`` refuses what it says.
    """
    match = _SIGNATURE.fullmatch(text.strip())
    if match is None:
        raise SignatureError("expected name(parameter: type, …) -> type")
    params: dict[str, str] = {}
    for part in _split(match["params"]):
        name, colon, value_type = (piece.strip() for piece in part.partition(":"))
        if not colon:
            raise SignatureError(f"parameter {part!r} has no type; write name: type")
        if name in params:
            raise SignatureError(f"parameter {name} is named twice")
        params[name] = value_type
    return make_signature(match["name"], params, match["returns"])


def signature_to_json(signature: Signature) -> dict[str, Any]:
    """The form in which a published revision keeps its signature."""
    return {
        "name": signature.name,
        "params": [
            {"name": parameter.name, "type": str(parameter.type)}
            for parameter in signature.parameters
        ],
        "returns": str(signature.returns),
        "display_order": list(signature.display_order),
        "result_names": list(signature.result_names),
    }


def signature_from_json(stored: Mapping[str, Any]) -> Signature:
    """Read what ``signature_to_json`` wrote, also that of releases without names for results.

    Raises:
        SignatureError: this release does not know such a signature.
    """
    return make_signature(
        stored["name"],
        {parameter["name"]: parameter["type"] for parameter in stored["params"]},
        stored["returns"],
        tuple(stored["display_order"]),
        tuple(stored.get("result_names", ())),
    )


def check_identifier(text: str) -> None:
    """Refuse anything but a snake_case name that is legal in Python, C++ and Java."""
    if not _IDENTIFIER.fullmatch(text):
        raise SignatureError(f"{text!r} is not a snake_case identifier")
    if text in RESERVED_WORDS:
        raise SignatureError(f"{text!r} is a word that Python, C++ or Java keeps for itself")


def _check_result_names(
    names: tuple[str, ...], returned: ValueType, params: Mapping[str, str]
) -> None:
    if not isinstance(returned, TupleOf):
        raise SignatureError("result_names are for functions that return a tuple")
    if len(names) != len(returned.parts) or len(set(names)) != len(names):
        raise SignatureError("result_names must give every part of the tuple a name of its own")
    # A C++ sample would declare the name twice.
    for name in names:
        if name in params:
            raise SignatureError(f"{name!r} in result_names is a parameter's name")


def parse_type(text: str) -> ValueType:
    """Parse one type of the grammar above.

    Raises:
        SignatureError: with the part of the text that does not parse.
    """
    return _parse(text.strip(), 0)


def _parse(text: str, depth: int) -> ValueType:
    if depth > MAX_TYPE_DEPTH:
        raise SignatureError(f"type is nested deeper than {MAX_TYPE_DEPTH}")
    if text in SCALAR_NAMES:
        return Scalar(text)
    match = re.fullmatch(r"(\w+)\s*\[(.*)\]", text, re.DOTALL)
    if match is None:
        raise SignatureError(f"unknown type {text!r}")
    kind, parts = match.group(1), _split(match.group(2))
    match kind, parts:
        case "list", [item]:
            return ListOf(_parse(item, depth + 1))
        case "optional", [inner]:
            return _parse_optional(inner, depth)
        case "dict", [("int" | "str") as key, value]:
            return DictOf(Scalar(key), _parse(value, depth + 1))
        case "ndarray", [dtype, ndim] if dtype in DTYPES and re.fullmatch(r"[1-8]", ndim):
            return NdArray(dtype, int(ndim))
        case "tuple", [_, *_]:
            return _parse_tuple(parts, depth)
        case _:
            raise SignatureError(f"unknown type {text!r}")


def _parse_optional(text: str, depth: int) -> Optional:
    inner = _parse(text, depth + 1)
    if isinstance(inner, Optional):
        raise SignatureError("an optional of an optional is no type")
    return Optional(inner)


def _parse_tuple(parts: list[str], depth: int) -> TupleOf:
    names, types = [], []
    for part in parts:
        named = re.fullmatch(r"(\w+)\s*:\s*(.*)", part, re.DOTALL)
        if named:
            check_identifier(named.group(1))
            names.append(named.group(1))
            part = named.group(2)
        types.append(_parse(part, depth + 1))
    if names and (len(names) != len(types) or len(set(names)) != len(names)):
        raise SignatureError("either every part of a tuple has a name of its own or none has")
    return TupleOf(tuple(types), tuple(names))


def _split(text: str) -> list[str]:
    """Split at the commas that stand outside any bracket."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character == "[":
            depth += 1
        elif character == "]":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    parts.append(text[start:].strip())
    return parts
