"""Is the tolerance wide enough for double arithmetic, and do right programs stay well inside it?

A tolerance below four units in the last place of the largest answer fails programs for the order in
which they add. A right program whose answers differ by more than a tenth of the tolerance shows
that the tolerance decides, and not the answer.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from judge.domain.problem import CheckerSpec, Problem
from judge.domain.signatures import DictOf, ListOf, Optional, TupleOf, ValueType
from judge.domain.submission import Judgement
from judge.domain.values import Value
from judge.domain.verdicts import Verdict
from judge.errors import Finding
from judge.packages.package import JUDGE_YAML, Package
from judge.packages.submissions import ExampleSubmission

LEAST_ULPS = 4
SHARE = 10.0


def has_tolerance(checker: CheckerSpec) -> bool:
    """Whether floats are compared by distance."""
    return checker.abs_tolerance > 0 or checker.rel_tolerance > 0


def tightened(problem: Problem) -> Problem:
    """The same problem with a tenth of its tolerance."""
    checker = replace(
        problem.checker,
        abs_tolerance=problem.checker.abs_tolerance / SHARE,
        rel_tolerance=problem.checker.rel_tolerance / SHARE,
    )
    return replace(problem, checker=checker)


def near_tolerance(submission: ExampleSubmission, strict: Judgement) -> Finding:
    """A right submission that a tenth of the tolerance refuses."""
    case = next((case for case in strict.cases if case.verdict is not Verdict.ACCEPTED), None)
    where = submission.place
    shown = f": {case.id}: {case.message or case.reason}" if case else ""
    return Finding("near-tolerance", where, f"fails with a tenth of the tolerance{shown}")


def tolerance_is_representable(package: Package) -> Iterator[Finding]:
    """The tolerance at the largest answer of all cases is at least four units in its last place."""
    problem = package.problem
    if not has_tolerance(problem.checker):
        return
    largest, unit = 0.0, 0.0
    for case in problem.cases:
        for leaf, ulp in _floats(problem.signature.returns, case.expected):
            if leaf > largest:
                largest, unit = leaf, ulp
    allowed = max(problem.checker.abs_tolerance, problem.checker.rel_tolerance * largest)
    if largest and allowed < LEAST_ULPS * unit:
        where = package.judge_yaml_text.where(("checker",)) or JUDGE_YAML
        message = (
            f"the tolerance at the largest answer, {largest:.6g}, is {allowed:.3g}; "
            f"{LEAST_ULPS} units in its last place are {LEAST_ULPS * unit:.3g}"
        )
        yield Finding("tolerance-too-small", where, message)


def _floats(kind: ValueType, value: Value) -> Iterator[tuple[float, float]]:
    """Magnitude and unit in the last place of the finite floats in a value; an array's largest."""
    if isinstance(value, float) and math.isfinite(value):
        yield abs(value), math.ulp(abs(value))
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
        finite = np.abs(value[np.isfinite(value)])
        if finite.size:
            largest = finite.max()
            yield float(largest), float(np.spacing(largest))
    for part_kind, part in _parts(kind, value):
        yield from _floats(part_kind, part)


def _parts(kind: ValueType, value: Value) -> Iterator[tuple[ValueType, Value]]:
    """What a value consists of; nothing for what has no parts."""
    match kind, value:
        case ListOf(item), list():
            yield from ((item, part) for part in value)
        case TupleOf(parts), tuple():
            yield from zip(parts, value, strict=True)
        case Optional(inner), _ if value is not None:
            yield inner, value
        case DictOf(_, inner), dict():
            yield from ((inner, part) for part in value.values())
        case _:
            return
