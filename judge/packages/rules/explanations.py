"""Where a statement explains its samples: the text under each of them."""

import re
from itertools import pairwise

from judge.packages.render import sample_macros

_HEADING = re.compile(r"#{1,6}\s")


def explanations(statement: str) -> list[tuple[int, str]]:
    """Line of each sample macro and the text between it and the next macro or heading."""
    lines = statement.splitlines()
    starts = [line for line, _ in sample_macros(statement)]
    result: list[tuple[int, str]] = []
    for start, end in pairwise([*starts, len(lines) + 1]):
        block = lines[start : end - 1]
        headings = (index for index, text in enumerate(block) if _HEADING.match(text))
        result.append((start, "\n".join(block[: next(headings, None)]).strip()))
    return result
