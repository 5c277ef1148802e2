"""A problem as grading sees it: signature, limits, checker, test cases, scoring groups.

Built by judge.packages from a package's files. Holds expected values: nothing of this may travel
into a box but one case's arguments.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from judge.domain.limits import Limits
from judge.domain.signatures import Parameter, Scalar, Signature
from judge.domain.values import Arguments, Value

Localized = dict[str, str]
LOCALES = ("vi", "ja", "en")


class Visibility(StrEnum):
    """Who sees a case's input and answer."""

    SAMPLE = "sample"
    REVEAL_ON_FAIL = "reveal_on_fail"
    HIDDEN = "hidden"


class Mode(StrEnum):
    """How a learner's program gets a case: as a function's arguments, or on standard input."""

    FUNCTION = "function"
    STDIO = "stdio"


# A program that reads standard input and prints, as a function of one text.
STDIO_SIGNATURE = Signature("stdio", (Parameter("input", Scalar("str")),), Scalar("str"))


@dataclass(frozen=True)
class CheckerSpec:
    """Which checker decides, and its numbers.

    Attributes:
        kind: ``exact``, ``close``, ``set``, ``multiset``, ``permutation``, ``custom`` or
            ``distribution``; of a stdio problem ``tokens`` or ``custom``. ``any``, which no package
            states, takes every value: for inputs to which no answer is known.
        abs_tolerance: how far a float may be from the expected one.
        rel_tolerance: the same as a share of the expected one; either is enough.
        nan_equal: whether NaN is the right answer where NaN is expected.
        key: what a permutation may not change the order of: a parameter of list type that the items
            are indices into, or a part of the item (name or number).
        case_sensitive: whether ``tokens`` tells A from a.
        space_sensitive: whether ``tokens`` compares the space between tokens.
        draws: how many times a ``distribution`` calls the function.
        uniforms: the parameter that gets fresh random numbers in each of these calls.
        per_draw: how many of them.
    """

    kind: str
    abs_tolerance: float = 0.0
    rel_tolerance: float = 0.0
    nan_equal: bool = False
    key: str = ""
    case_sensitive: bool = False
    space_sensitive: bool = False
    draws: int = 0
    uniforms: str = ""
    per_draw: int = 0


@dataclass(frozen=True)
class CheckerProgram:
    """The package's own checker, of kind ``custom``; hostile, so it runs in boxes only.

    Attributes:
        language: ``python`` or ``cpp``.
        files: names, without folders, and contents.
        arguments: what a Kattis output validator gets after its three folders and files.
    """

    language: str
    files: tuple[tuple[str, bytes], ...]
    arguments: tuple[str, ...] = ()


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

    ``cases`` stand in grading order: samples first, then hidden groups by name. ``calibration`` is
    of distributions only: the critical value of each case, as its proof found it.
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
    mode: Mode = Mode.FUNCTION
    checker_program: CheckerProgram | None = None
    calibration: dict[str, float] = field(default_factory=dict)
