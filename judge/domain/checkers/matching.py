"""Pairing of expected and returned items that are close, each with at most one other.

Closeness is no equivalence (1.0 may be close to 1.1 and 1.1 to 1.2), so that one item is close to
another says nothing yet: what counts is whether all of them can be paired at once. Two ways, both
exact: ``pair_numbers`` for plain floats, in O(n log n), and ``pair_rows`` for items of several
floats, by augmenting paths in O(n^3) steps of which a processor does many at once.
"""

import heapq
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judge.domain.checkers.floats import floats_right
from judge.domain.problem import CheckerSpec

Doubles = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
# More items that share everything but their floats than this take seconds to pair.
MAX_PAIRED_ROWS = 2000


@dataclass(frozen=True)
class Unpaired:
    """Places of the expected and of the returned items that are left over; both or none."""

    expected: tuple[int, ...] = ()
    returned: tuple[int, ...] = ()


def pair_numbers(spec: CheckerSpec, expected: Doubles, returned: Doubles) -> Unpaired:
    """Pair as many finite floats as can be.

    What is close to one expected float is an interval around it, so in the sorted returned floats
    it is a range of places. Going through the returned floats in order, each is given to the open
    range that ends first. That is a largest pairing (Glover 1967): in any pairing that gives it to
    another range, the two ranges can swap their floats, because the one that ends later reaches
    as far.
    """
    order = np.argsort(returned, kind="stable")
    first, end = _ranges(spec, expected, returned[order])
    opening = np.argsort(first, kind="stable")
    ranges = list(
        zip(first[opening].tolist(), end[opening].tolist(), opening.tolist(), strict=True)
    )
    opened: list[tuple[int, int]] = []
    left_over, missing, following = [], [], 0
    for place in range(len(order)):
        while following < len(ranges) and ranges[following][0] <= place:
            heapq.heappush(opened, ranges[following][1:])
            following += 1
        while opened and opened[0][0] <= place:
            missing.append(heapq.heappop(opened)[1])
        if opened:
            heapq.heappop(opened)
        else:
            left_over.append(int(order[place]))
    missing.extend(item for _, item in opened)
    missing.extend(item for _, _, item in ranges[following:])
    return Unpaired(tuple(sorted(missing)), tuple(sorted(left_over)))


def pair_rows(spec: CheckerSpec, expected: Doubles, returned: Doubles) -> Unpaired:
    """Pair as many rows of finite floats as can be; two rows are close where all columns are."""
    near = _near(spec, expected, returned)
    expected_of = np.full(len(returned), -1, dtype=np.intp)
    missing = []
    for row in range(len(expected)):
        free = np.flatnonzero(near[row] & (expected_of < 0))
        if len(free):
            expected_of[free[0]] = row
        elif not _augment(near, expected_of, row):
            missing.append(row)
    return Unpaired(tuple(missing), tuple(np.flatnonzero(expected_of < 0).tolist()))


def _ranges(spec: CheckerSpec, expected: Doubles, ordered: Doubles) -> tuple[Places, Places]:
    """From which place to before which one the sorted floats are close to each expected one.

    Searched with the rule of closeness itself: bounds that are computed may be off by a rounding.
    """
    bounds = []
    for upper in (False, True):
        low = np.zeros(len(expected), dtype=np.intp)
        high = np.full(len(expected), len(ordered), dtype=np.intp)
        while (open_ := low < high).any():
            middle = (low + high) // 2
            value = ordered[np.minimum(middle, len(ordered) - 1)]
            near = floats_right(spec, expected, value)
            beyond = (value > expected) & ~near if upper else (value > expected) | near
            high = np.where(open_ & beyond, middle, high)
            low = np.where(open_ & ~beyond, middle + 1, low)
        bounds.append(low)
    return bounds[0], bounds[1]


def _near(spec: CheckerSpec, expected: Doubles, returned: Doubles) -> npt.NDArray[np.bool_]:
    near = floats_right(spec, expected[:, :1], returned[:, 0])
    rows, columns = np.nonzero(near)
    for part in range(1, expected.shape[1]):
        right = floats_right(spec, expected[rows, part], returned[columns, part])
        rows, columns = rows[right], columns[right]
    near[:] = False
    near[rows, columns] = True
    return near


def _augment(near: npt.NDArray[np.bool_], expected_of: Places, start: int) -> bool:
    """Find a place for the expected row ``start`` by moving others along the shortest path."""
    unseen = np.ones(near.shape[1], dtype=bool)
    from_row = np.full(near.shape[1], -1, dtype=np.intp)
    rows = [start]
    for row in rows:
        found = np.flatnonzero(near[row] & unseen)
        unseen[found] = False
        from_row[found] = row
        free = found[expected_of[found] < 0]
        if len(free):
            _move(expected_of, from_row, int(free[0]), start)
            return True
        rows.extend(expected_of[found].tolist())
    return False


def _move(expected_of: Places, from_row: Places, column: int, start: int) -> None:
    """Give every returned row on the path back to ``start`` to the expected row before it."""
    place_of = {int(row): place for place, row in enumerate(expected_of.tolist()) if row >= 0}
    while True:
        row = int(from_row[column])
        expected_of[column] = row
        if row == start:
            return
        column = place_of[row]
