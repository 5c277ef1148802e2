"""A problem as grading sees it: signature, limits, checker, test cases, scoring groups.

Built by judge.packages from a package's files. Holds expected values: nothing of this may travel
into a box but one case's arguments.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from judge.domain.limits import Limits
from judge.domain.signatures import Signature
from judge.domain.values import Arguments, Value

Localized = dict[str, str]
LOCALES = ("vi", "ja", "en")


class Visibility(StrEnum):
    """Who sees a case's input and answer."""

    SAMPLE = "sample"
    REVEAL_ON_FAIL = "reveal_on_fail"
    HIDDEN = "hidden"


@dataclass(frozen=True)
class CheckerSpec:
    """Which checker decides, and its numbers: ``exact`` or ``close`` with abs, rel, nan_equal."""

    kind: str
    abs_tolerance: float = 0.0
    rel_tolerance: float = 0.0
    nan_equal: bool = False


@dataclass(frozen=True)
class TestCase:
    """One call with its expected value; ``id`` is its path below data/: ``secret/20-ties/03``."""

    __test__ = False  # the field's word; pytest must not collect it

    id: str
    group: str
    ordinal: int
    visibility: Visibility
    title: Localized
    hint: Localized
    arguments: Arguments
    expected: Value


@dataclass(frozen=True)
class TestGroup:
    """Cases that score together: ``max_score`` is given only if all of them pass."""

    __test__ = False

    name: str
    title: Localized
    max_score: int
    require_pass: tuple[str, ...] = ()


@dataclass(frozen=True)
class Problem:
    """What grading needs to know of one revision.

    ``cases`` stand in grading order: samples first, then hidden groups by name.
    """

    slug: str
    revision: str
    signature: Signature
    limits: Limits
    checker: CheckerSpec
    points: int
    languages: tuple[str, ...]
    groups: tuple[TestGroup, ...]
    cases: tuple[TestCase, ...]
    time_factors: dict[str, float] = field(default_factory=dict)
