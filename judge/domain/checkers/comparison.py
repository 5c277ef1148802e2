"""What every checker answers with, and the sentences that all of them use."""

from collections.abc import Sized
from dataclasses import dataclass

import numpy as np

from judge.domain.verdicts import Reason

ROOT = "return value"


@dataclass(frozen=True)
class Comparison:
    """What a checker found: ``passed``, or the first difference with its path."""

    passed: bool
    reason: Reason = Reason.NONE
    path: str = ""
    message: str = ""
    note: str = ""


RIGHT = Comparison(passed=True)


def wrong(reason: Reason, path: str, message: str) -> Comparison:
    """A difference at ``path``; the message names the path, too."""
    return Comparison(False, reason, path, f"{path}: {message}")


def differs(expected: object, returned: object) -> str:
    """Both values, cut to a length that fits on a line."""
    return f"expected {shown(expected)}, got {shown(returned)}"


def shown(value: object) -> str:
    """A value as Python writes it, on one line and cut to 80 characters."""
    plain = value.tolist() if isinstance(value, np.ndarray) else value
    return f"{plain!r:.80}".replace("\n", " ")


def lengths(expected: Sized, returned: Sized) -> str:
    """How many items there are on both sides."""
    return f"expected {len(expected)} items, got {len(returned)}"
