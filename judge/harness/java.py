"""Java: type names, literals of samples, starter code.

Everything here compiles inside of ``class Solution``, where the records that stand for tuples are
called by their short names. Names stay snake_case as in the signature.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

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

_PRIMITIVES = {"int": "long", "float": "double", "bool": "boolean", "str": "String"}
_ELEMENTS = {"f64": "double", "f32": "float", "i64": "long", "bool": "boolean"}
_BOXES = {"long": "Long", "double": "Double", "boolean": "Boolean"}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_MAP_OF_PAIRS = 10


def type_name(value_type: ValueType) -> str:
    """The type as Java writes it; a tuple is ``Result``, one inside of it ``Result2``."""
    return _Writer.of([value_type]).type_name(value_type)


def literal(value_type: ValueType, value: Value) -> str:
    """A value as a Java expression."""
    return _Writer.of([value_type]).literal(value_type, value)


def starter_code(signature: Signature) -> str:
    """What the editor shows before the learner typed anything."""
    records = "".join(f"    {line}\n" for line in record_declarations(signature))
    return (
        f"class Solution {{\n{records}{chr(10) if records else ''}"
        f"    {method_head(signature)} {{\n"
        '        throw new UnsupportedOperationException("not implemented");\n    }\n}\n'
    )


def method_head(signature: Signature) -> str:
    """The method that the learner writes, without its body."""
    writer = _Writer.of_signature(signature)
    inner = ", ".join(f"{writer.type_name(p.type)} {p.name}" for p in signature.parameters)
    return f"static {writer.type_name(signature.returns)} {signature.name}({inner})"


def record_declarations(signature: Signature) -> list[str]:
    """The records that stand for the signature's tuples."""
    writer = _Writer.of_signature(signature)
    return [writer.record_declaration(kind) for kind in writer.records]


def method_types(signature: Signature) -> list[str]:
    """Types of the return value and of the parameters, as the starter code writes them."""
    writer = _Writer.of_signature(signature)
    kinds = [signature.returns, *(parameter.type for parameter in signature.parameters)]
    return [writer.type_name(kind) for kind in kinds]


def declarations(signature: Signature, arguments: Arguments) -> list[str]:
    """A sample's arguments as local variables, in display order."""
    writer = _Writer.of_signature(signature)
    return [
        writer.declaration(parameter.name, parameter.type, arguments[parameter.name])
        for parameter in signature.shown_parameters()
    ]


def expected_declaration(signature: Signature, value: Value) -> str:
    """A sample's expected value as a local variable."""
    writer = _Writer.of_signature(signature)
    return writer.declaration("expected", signature.returns, value)


def call(signature: Signature) -> str:
    """The call whose result is compared, as code outside of the class writes it."""
    kind = _Writer.of_signature(signature, prefix="Solution.").type_name(signature.returns)
    arguments = ", ".join(parameter.name for parameter in signature.parameters)
    return f"{kind} result = Solution.{signature.name}({arguments});"


@dataclass(frozen=True)
class _Writer:
    """Writes types and values with one set of record names."""

    records: dict[TupleOf, str] = field(default_factory=dict)

    @staticmethod
    def of(kinds: Iterable[ValueType], prefix: str = "") -> "_Writer":
        """Name every tuple once, outer ones first; equal tuples share a record."""
        records: dict[TupleOf, str] = {}
        for kind in kinds:
            for found in _tuples(kind):
                number = str(len(records) + 1) if records else ""
                records.setdefault(found, f"{prefix}Result{number}")
        return _Writer(records)

    @staticmethod
    def of_signature(signature: Signature, prefix: str = "") -> "_Writer":
        """The return value's tuples come first, so that it is ``Result``."""
        parameters = [parameter.type for parameter in signature.parameters]
        return _Writer.of([signature.returns, *parameters], prefix)

    def type_name(self, kind: ValueType) -> str:
        match kind:
            case Scalar(name):
                return _PRIMITIVES[name]
            case ListOf(item):
                return f"{self.type_name(item)}[]"
            case TupleOf():
                return self.records[kind]
            case Optional(inner):
                return self.boxed(inner)
            case DictOf(key, inner):
                return f"java.util.Map<{self.boxed(key)}, {self.boxed(inner)}>"
            case NdArray(dtype, ndim):
                return _ELEMENTS[dtype] + "[]" * ndim

    def boxed(self, kind: ValueType) -> str:
        name = self.type_name(kind)
        return _BOXES.get(name, name)

    def record_declaration(self, kind: TupleOf) -> str:
        parts = zip(_part_names(kind), kind.parts, strict=True)
        inner = ", ".join(f"{self.type_name(part)} {name}" for name, part in parts)
        return f"record {self.records[kind]}({inner}) {{}}"

    def declaration(self, name: str, kind: ValueType, value: Value) -> str:
        return f"{self.type_name(kind)} {name} = {self.literal(kind, value)};"

    def literal(
        self, kind: ValueType, value: Any, *, boxed: bool = False, nested: bool = False
    ) -> str:
        """An expression of the type.

        ``boxed``: where a Long is due, to which Java does not widen an int. ``nested``: inside of
        an array initialiser, where arrays need no ``new``.
        """
        match kind:
            case Scalar(name):
                return _SCALAR_LITERALS["Long" if boxed and name == "int" else name](value)
            case ListOf() | NdArray():
                items = self._items(kind, value)
                return items if nested else f"new {_raw(self.type_name(kind))} {items}"
            case TupleOf(parts):
                inner = [self.literal(t, part) for t, part in zip(parts, value, strict=True)]
                return f"new {self.records[kind]}({', '.join(inner)})"
            case Optional(inner_kind):
                if value is None:
                    return "null"
                return self.literal(inner_kind, value, boxed=True, nested=nested)
            case DictOf():
                return self._map(kind, value)

    def _items(self, kind: ListOf | NdArray, value: Any) -> str:
        match kind:
            case ListOf(item):
                parts = [self.literal(item, part, nested=True) for part in value]
            case NdArray(dtype, 1):
                parts = [_ELEMENT_LITERALS[dtype](part) for part in value.tolist()]
            case NdArray(dtype, ndim):
                parts = [self._items(NdArray(dtype, ndim - 1), row) for row in value]
        return f"{{{', '.join(parts)}}}"

    def _map(self, kind: DictOf, value: dict[Any, Any]) -> str:
        tree_map = f"new {self.type_name(kind).replace('.Map<', '.TreeMap<', 1)}"
        pairs = [
            f"{self.literal(kind.key, key, boxed=True)}, "
            f"{self.literal(kind.value, part, boxed=True)}"
            for key, part in value.items()
        ]
        if not pairs:
            return f"{tree_map}()"
        if self._is_for_map_of(kind, value):
            return f"{tree_map}(java.util.Map.of({', '.join(pairs)}))"
        puts = " ".join(f"put({pair});" for pair in pairs)
        return f"{tree_map}() {{{{ {puts} }}}}"

    def _is_for_map_of(self, kind: DictOf, value: dict[Any, Any]) -> bool:
        """Map.of takes ten pairs and no null, and infers no type arguments of raw arrays."""
        is_small = len(value) <= _MAP_OF_PAIRS
        is_plain = "<" not in self.type_name(kind.value)
        return is_small and is_plain and not any(part is None for part in value.values())


def _raw(array_type: str) -> str:
    """The array type without type arguments: Java creates no generic arrays."""
    element = array_type.rstrip("[]")
    return element.partition("<")[0] + array_type[len(element) :]


def _tuples(kind: ValueType) -> Iterable[TupleOf]:
    match kind:
        case ListOf(inner) | Optional(inner) | DictOf(_, inner):
            yield from _tuples(inner)
        case TupleOf(parts):
            yield kind
            for part in parts:
                yield from _tuples(part)
        case Scalar() | NdArray():
            return


def _part_names(kind: TupleOf) -> list[str]:
    unnamed = [*_ORDINALS, *(f"part{n}" for n in range(len(_ORDINALS) + 1, len(kind.parts) + 1))]
    return list(kind.names) or unnamed[: len(kind.parts)]


def _int_literal(value: int) -> str:
    return str(value) if -(2**31) <= value < 2**31 else f"{value}L"


def _special(value: float, box: str) -> str | None:
    if math.isnan(value):
        return f"{box}.NaN"
    if math.isinf(value):
        return f"{box}.{'POSITIVE' if value > 0 else 'NEGATIVE'}_INFINITY"
    return None


def _double_literal(value: float) -> str:
    return _special(value, "Double") or repr(float(value))


def _single_literal(value: float) -> str:
    return _special(value, "Float") or f"{np.float32(value)!s}f"


def _bool_literal(value: bool) -> str:
    return "true" if value else "false"


def _str_literal(value: str) -> str:
    units = value.encode("utf-16-be")
    codes = [int.from_bytes(units[at : at + 2]) for at in range(0, len(units), 2)]
    return f'"{"".join(map(_character, codes))}"'


def _character(code: int) -> str:
    character = chr(code)
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if 32 <= code < 127 else f"\\u{code:04x}"


_SCALAR_LITERALS: dict[str, Callable[[Any], str]] = {
    "int": _int_literal,
    "Long": lambda value: f"{value}L",
    "float": _double_literal,
    "bool": _bool_literal,
    "str": _str_literal,
}
_ELEMENT_LITERALS: dict[str, Callable[[Any], str]] = {
    "f64": _double_literal,
    "f32": _single_literal,
    "i64": _int_literal,
    "bool": _bool_literal,
}
