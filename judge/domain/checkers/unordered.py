"""The checkers set, multiset and permutation: items whose order does not matter, or not quite.

multiset: the returned items are the expected ones, each as often. set: each expected item once;
one that is returned twice is wrong. permutation: as multiset, and only items of equal key may
change places, so at every place the key is the expected one.

With a tolerance, items are paired so that each returned item is close to the expected item that it
is paired with; a set then has as many items as the expected one has different ones, and two
returned items may well be equal, because rounding may make them so. Keys are compared with the same
tolerance.

The items are those of a list or of an array of one dimension.
"""

import math
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from judge.domain.checkers.compare import compare
from judge.domain.checkers.comparison import RIGHT, ROOT, Comparison, lengths, shown, wrong
from judge.domain.checkers.forms import FormMaker
from judge.domain.checkers.keys import Key
from judge.domain.checkers.matching import MAX_PAIRED_ROWS, Unpaired, pair_numbers, pair_rows
from judge.domain.problem import CheckerSpec
from judge.domain.signatures import ListOf, NdArray, ValueType
from judge.domain.values import Value, array_list_type
from judge.domain.verdicts import Reason
from judge.errors import JudgeBroken


@dataclass(frozen=True)
class _Item:
    """One item with its form, the floats outside the form, and its place in its list."""

    place: int
    form: Hashable
    floats: list[float]


def item_type(returns: ValueType) -> ValueType | None:
    """The type of the items that need no order; None where a value has no such items."""
    match returns:
        case ListOf(item):
            return item
        case NdArray(_, 1):
            return array_list_type(returns).item
        case _:
            return None


def compare_unordered(
    spec: CheckerSpec, returns: ValueType, expected: Value, returned: Value, key: Key | None = None
) -> Comparison:
    """Compare the items of two lists without their order; with ``key`` also the order of keys.

    Raises:
        JudgeBroken: more items than ``largest_pairing`` may be, or a key that an expected item
            does not have; packages with such cases are refused.
    """
    kind = cast(ValueType, item_type(returns))
    wanted, given = _listed(expected), _listed(returned)
    if spec.kind != "set" and len(wanted) != len(given):
        return wrong(Reason.WRONG_SHAPE, ROOT, lengths(wanted, given))
    rule = replace(spec, kind="close" if spec.abs_tolerance or spec.rel_tolerance else "exact")
    maker = FormMaker(kind, nan_equal=spec.nan_equal, close=rule.kind == "close")
    wanted_items, given_items = _items(maker, wanted), _items(maker, given)
    if spec.kind == "set":
        wanted_items = _different(wanted_items)
    unpaired = _pair(rule, wanted_items, given_items)
    if unpaired.returned:
        place = unpaired.returned[0]
        known = not _pair(rule, wanted_items, [given_items[place]]).returned
        return _too_many(spec, place, given[place], known=known)
    if unpaired.expected:
        item = wanted[unpaired.expected[0]]
        return wrong(Reason.WRONG_VALUE, ROOT, f"the item {shown(item)} is missing")
    return RIGHT if key is None else _compare_keys(rule, key, wanted, given)


def largest_pairing(spec: CheckerSpec, returns: ValueType, expected: Value) -> int:
    """How many expected items ``pair_rows`` has to pair at once: MAX_PAIRED_ROWS at most.

    0 where no tolerance is given or no item has several floats: such lists may be of any length.
    """
    kind = cast(ValueType, item_type(returns))
    close = bool(spec.abs_tolerance or spec.rel_tolerance)
    maker = FormMaker(kind, nan_equal=spec.nan_equal, close=close)
    items = _items(maker, _listed(expected))
    sizes = Counter(item.form for item in items if len(item.floats) > 1)
    return max(sizes.values(), default=0)


def _listed(value: Any) -> list[Any]:
    return cast(list[Any], value.tolist()) if isinstance(value, np.ndarray) else value


def _items(maker: FormMaker, values: list[Any]) -> list[_Item]:
    return [_Item(place, *maker.form(value)) for place, value in enumerate(values)]


def _different(items: list[_Item]) -> list[_Item]:
    """The first of each of the items that are equal."""
    first = {(item.form, tuple(item.floats)): item for item in reversed(items)}
    return sorted(first.values(), key=lambda item: item.place)


def _pair(spec: CheckerSpec, expected: list[_Item], returned: list[_Item]) -> Unpaired:
    """Pair the items of equal form; the places of those left over, in order."""
    groups: dict[Hashable, tuple[list[_Item], list[_Item]]] = {}
    for side, items in enumerate((expected, returned)):
        for item in items:
            groups.setdefault(item.form, ([], []))[side].append(item)
    missing: list[int] = []
    left_over: list[int] = []
    for wanted, given in groups.values():
        unpaired = _pair_group(spec, wanted, given)
        missing.extend(wanted[index].place for index in unpaired.expected)
        left_over.extend(given[index].place for index in unpaired.returned)
    return Unpaired(tuple(sorted(missing)), tuple(sorted(left_over)))


def _pair_group(spec: CheckerSpec, wanted: list[_Item], given: list[_Item]) -> Unpaired:
    """Pair items of one form: they differ at most by their floats.

    Of many more returned items than there are expected ones, those beyond the first that cannot
    all have a partner are not looked at: a learner decides how many there are.
    """
    given = given[: len(wanted) + 1]
    paired = min(len(wanted), len(given))
    if not paired or not wanted[0].floats:
        return Unpaired(tuple(range(paired, len(wanted))), tuple(range(paired, len(given))))
    left, right = _table(wanted), _table(given)
    if left.shape[1] == 1:
        return pair_numbers(spec, left[:, 0], right[:, 0])
    if len(wanted) > MAX_PAIRED_ROWS:
        raise JudgeBroken(f"{len(wanted)} items of several floats are too many to pair")
    return pair_rows(spec, left, right)


def _table(items: list[_Item]) -> npt.NDArray[np.float64]:
    return np.array([item.floats for item in items], dtype=np.float64)


def _too_many(spec: CheckerSpec, place: int, item: Any, *, known: bool) -> Comparison:
    """Name the returned item that has no partner; ``known``: but another one equal to it has."""
    path = f"{ROOT}[{place}]"
    if known:
        often = "twice" if spec.kind == "set" else "too often"
        return wrong(Reason.WRONG_VALUE, path, f"the item {shown(item)} is there {often}")
    is_nan = isinstance(item, float) and math.isnan(item)
    reason = Reason.NAN if is_nan else Reason.WRONG_VALUE
    return wrong(reason, path, f"the item {shown(item)} is not expected")


def _compare_keys(spec: CheckerSpec, key: Key, wanted: list[Any], given: list[Any]) -> Comparison:
    for place, (left, right) in enumerate(zip(wanted, given, strict=True)):
        left_key, right_key = key.of(left), key.of(right)
        if not compare(spec, key.type, left_key, right_key).passed:
            message = (
                f"expected an item of key {shown(left_key)}, got one of key {shown(right_key)}"
            )
            return wrong(Reason.WRONG_VALUE, f"{ROOT}[{place}]", message)
    return RIGHT
