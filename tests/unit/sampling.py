"""Long tables of which each row costs a compiler or a process: some rows run always, all when slow.

"Slow" is the mark of tests that run when they are asked for (pyproject.toml).
"""

from collections.abc import Mapping, Sequence

import pytest
from _pytest.mark.structures import ParameterSet


def some_always(
    rows: Mapping[str, object] | Sequence[object], one_in: int = 3
) -> list[ParameterSet]:
    """The rows as parameters, all but the first of so many slow; a mapping's keys are their ids."""
    titled = rows.items() if isinstance(rows, Mapping) else ((None, row) for row in rows)
    made = []
    for number, (title, row) in enumerate(titled):
        marks = [pytest.mark.slow] if number % one_in else []
        values = row if isinstance(row, tuple) else (row,)
        made.append(pytest.param(*values, id=title, marks=marks))
    return made
