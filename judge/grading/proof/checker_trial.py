"""Does a package's own checker answer whatever a learner's program may return?

A checker that breaks on a value costs the learner nothing, but it tells that it broke, and nothing
is judged. So the proof asks it about odd values first, in some cases of the package; each must be
called right or wrong. One that is called right need not be a mistake, so it is only counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judge.domain.checkers import check, shown
from judge.domain.problem import CheckerSpec, Problem, TestCase
from judge.domain.values import Value
from judge.errors import CheckerBroken
from judge.grading.compare import Check
from judge.grading.proof.odd_values import odd_values

MOST_CASES = 8
MOST_SHOWN = 5
# The check's budget for all values together: one near its limit in each would take hours.
BUDGET_S = 600.0
_EXACT = CheckerSpec("exact")


@dataclass(frozen=True)
class CheckerTrial:
    """What a checker said of odd values.

    Attributes:
        asked: about how many values, those of all cases together.
        right: how many of them it calls right.
        shown: some that it calls right, each with its case.
        broken: the first one to which it gave no answer, with what happened; or empty.
    """

    asked: int
    right: int
    shown: tuple[str, ...]
    broken: str


def try_checker(
    problem: Problem, check_value: Check, on_progress: Callable[[str], None]
) -> CheckerTrial:
    """Ask about the odd values of some cases, up to the first one that breaks the checker.

    ``check_value`` is opened with BUDGET_S: a checker that needs longer in all breaks as well.

    Raises:
        JudgeBroken: the sandbox broke; nothing was learned about the checker.
    """
    asked = 0
    right: list[str] = []
    for case in _chosen(problem.cases):
        on_progress(f"odd values for the checker: {case.id}")
        for value in odd_values(problem, case):
            if _is_expected(problem, case, value):
                continue
            asked += 1
            words = f"{case.id}: {shown(value)}"
            try:
                right += [words] if check_value(case, value).passed else []
            except CheckerBroken as error:
                return _trial(asked, right, f"gives no answer on {words}: {_said(error, case)}")
    return _trial(asked, right, "")


def _trial(asked: int, right: Sequence[str], broken: str) -> CheckerTrial:
    return CheckerTrial(asked, len(right), tuple(right[:MOST_SHOWN]), broken)


def _chosen(cases: Sequence[TestCase]) -> Sequence[TestCase]:
    """Cases from the first to the last, evenly."""
    if len(cases) <= MOST_CASES:
        return cases
    return [cases[number * (len(cases) - 1) // (MOST_CASES - 1)] for number in range(MOST_CASES)]


def _is_expected(problem: Problem, case: TestCase, value: Value) -> bool:
    """Whether it is the answer itself: then to call it right says nothing."""
    return check(_EXACT, problem.signature, case.arguments, case.expected, value).passed


def _said(error: CheckerBroken, case: TestCase) -> str:
    """The last line of what the checker said."""
    line = str(error).strip().rpartition("\n")[2]
    return line.rpartition(f" on {case.id}: ")[2]
