"""The key of a permutation: what of an item may not change its place.

A key is named by a parameter of list type, whose items the returned integers are indices into
(the places of a sorted list: equal values may stand in any order); or by a part of the items,
which are tuples: its name, or its number from 0.
"""

from dataclasses import dataclass
from typing import Any

from judge.domain.signatures import ListOf, NdArray, Scalar, Signature, TupleOf, ValueType
from judge.domain.values import Arguments, array_list_type
from judge.errors import JudgeBroken


@dataclass(frozen=True)
class Key:
    """How to find the key of an item: in ``table`` by the item, or as part ``part`` of it."""

    type: ValueType
    table: list[Any] | None = None
    part: int = 0

    def of(self, item: Any) -> Any:
        """The key of one item.

        Raises:
            JudgeBroken: the item is no index into the parameter; only an expected value, which
                the package states, can be such.
        """
        if self.table is None:
            return item[self.part]
        if not 0 <= item < len(self.table):
            raise JudgeBroken(f"the expected item {item} is no index of the key's parameter")
        return self.table[item]


def key_type(name: str, signature: Signature, item: ValueType) -> ValueType | None:
    """The type of the key ``name``; None where items of this type have no such key."""
    if isinstance(item, TupleOf):
        part = part_number(name, item)
        return None if part is None else item.parts[part]
    if item != Scalar("int"):
        return None
    for parameter in signature.parameters:
        if parameter.name == name:
            return _entry_type(parameter.type)
    return None


def find_key(name: str, signature: Signature, item: ValueType, arguments: Arguments) -> Key:
    """The key of one case.

    Raises:
        JudgeBroken: there is no such key; packages are refused for it when they are read.
    """
    found = key_type(name, signature, item)
    if found is None:
        raise JudgeBroken(f"items of type {item} have no key {name!r}")
    if isinstance(item, TupleOf):
        return Key(found, part=part_number(name, item) or 0)
    table: Any = arguments[name]
    return Key(found, table if isinstance(table, list) else list(_rows(table)))


def part_number(name: str, item: TupleOf) -> int | None:
    """The number of the part that a key names."""
    if name in item.names:
        return item.names.index(name)
    if name.isdecimal() and name.isascii() and int(name) < len(item.parts):
        return int(name)
    return None


def _entry_type(kind: ValueType) -> ValueType | None:
    match kind:
        case ListOf(entry):
            return entry
        case NdArray(_, 1):
            return array_list_type(kind).item
        case NdArray(dtype, ndim):
            return NdArray(dtype, ndim - 1)
        case _:
            return None


def _rows(array: Any) -> Any:
    return array.tolist() if array.ndim == 1 else array
