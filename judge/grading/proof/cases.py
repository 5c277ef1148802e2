"""Is every case what it should be: valid, answered by the reference, far from every edge?"""

from collections.abc import Iterator

from judge.domain.checkers import check
from judge.domain.problem import CheckerSpec, TestCase
from judge.domain.values import Value
from judge.errors import Finding
from judge.grading.draws import KIND
from judge.grading.tools import ToolFailure, Tools
from judge.packages.package import Package

_WHICH_IS_WRONG = (
    "either this answer or reference.py is wrong: only where it is the answer, write the cases anew"
)


def cases_hold(package: Package, tools: Tools) -> Iterator[Finding]:
    """Every case passes the validator, agrees with the reference and keeps its margin."""
    minimum = package.judge_yaml.margin.min if package.judge_yaml.margin else None
    for case in package.problem.cases:
        where = f"data/{case.id}.in"
        refused = tools.validate(package.tools.validator, case.arguments)
        if refused is not None:
            yield Finding("case-invalid", where, refused.message)
        answer = tools.refer(package.tools.reference, case.arguments)
        yield from _compare_answer(package, case, answer)
        if minimum is None:
            continue
        distance = tools.distance(package.tools.margins, case.arguments)
        if isinstance(distance, ToolFailure):
            yield Finding("margin-failed", where, distance.message)
        elif not distance >= minimum:
            message = f"distance {distance:.3g} from a decision edge, at least {minimum:.3g} needed"
            yield Finding("margin-too-small", where, message)


def _compare_answer(
    package: Package, case: TestCase, answer: tuple[Value] | ToolFailure
) -> Iterator[Finding]:
    where = f"data/{case.id}.ans"
    if isinstance(answer, ToolFailure):
        yield Finding("reference-failed", where, answer.message)
        return
    # Other answers may be right as well, but what stands here is what the reference says.
    problem = package.problem
    is_boxed = problem.checker.kind in (KIND, "custom")
    checker = CheckerSpec("exact") if is_boxed else problem.checker
    signature = package.case_signature
    compared = check(checker, signature, case.arguments, case.expected, answer[0])
    if not compared.passed:
        yield Finding("reference-differs", where, f"{compared.message}; {_WHICH_IS_WRONG}")


def invalid_inputs_refused(package: Package, tools: Tools) -> Iterator[Finding]:
    """The validator refuses every input of data/invalid_input."""
    for invalid in package.invalid_inputs:
        if invalid.arguments is None:
            continue  # the signature's types refuse it already
        if tools.validate(package.tools.validator, invalid.arguments) is None:
            where = f"data/invalid_input/{invalid.name}.in"
            yield Finding("invalid-input-accepted", where, "the validator lets this input pass")
