"""Custom checkers: the package's own program says whether a value is right, in a box of its own.

Owns how such a program is made and called; no box of a learner's ever serves it, and each call has
a fresh one. A checker that does not answer says nothing about the learner: CheckerBroken.

A Kattis output validator writes files into the box's own folder. In tier B only boxes that may
start processes have one, and none of them runs a binary of ours: a validator in C++ needs tier A.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from judge.domain.checkers import Comparison
from judge.domain.problem import CheckerProgram, Mode, Problem, TestCase
from judge.domain.values import Value
from judge.domain.verdicts import Reason
from judge.errors import CheckerBroken
from judge.grading.boxes import Boxes
from judge.grading.compare import Check
from judge.grading.engines import cpp_engine, python_engine
from judge.grading.engines.cpp_engine import CppEngine
from judge.grading.machine import Machine
from judge.grading.tools import ToolFailure, Tools
from judge.harness import validators
from judge.harness.languages import CPP
from judge.harness.validators import RIGHT_STATUS, WRONG_STATUS, ValidatorCase
from submissions_sandbox import (
    Binary,
    Outcome,
    OutcomeKind,
    RunLimits,
    Tier,
    tool_profile,
)

RunValidator = Callable[[ValidatorCase], Outcome]
_PLACE = "output_validator"
# Of what a checker says: more than is kept of it.
_NOTE_CHARACTERS = 4000
_REJECTED = "the problem's own checker says that this is wrong"
# For all that one submission lets a checker compute: no more than this and one call hold a worker.
BUDGET_S = 60.0
_LIMITS = RunLimits(
    cpu_ms=20_000,
    memory_kb=1024 * 1024,
    stdout_bytes=1024 * 1024,
    result_bytes=64 * 1024,
    tmp_bytes=96 * 1024 * 1024,
)


@contextmanager
def open_check(
    problem: Problem, machine: Machine, budget_s: float = BUDGET_S
) -> Iterator[Check | None]:
    """A problem's custom checker, for the time of one grading; None where it has none.

    Raises:
        CheckerBroken: the package's own checker cannot be made.
    """
    program = problem.checker_program
    if program is None:
        yield None
    elif problem.mode is Mode.FUNCTION:
        yield _Remembered(_function_check(problem, program, machine.boxes), budget_s)
    else:
        with ExitStack() as stack:
            run = _open_validator(program, machine, stack)
            yield _Remembered(_validator_check(run), budget_s)


class _Remembered:
    """A check that is asked only once about a case; its box is used by one lane at a time.

    Past its budget of seconds it counts as broken: a value can be made for which it is slow.
    """

    def __init__(self, ask: Check, budget_s: float) -> None:
        self._ask = ask
        self._budget_s = self._left_s = budget_s
        self._lock = threading.Lock()
        self._said: dict[str, tuple[Value, Comparison]] = {}

    def __call__(self, case: TestCase, returned: Value) -> Comparison:
        with self._lock:
            said = self._said.get(case.id)
            is_known = said is not None and isinstance(returned, str) and said[0] == returned
            if said is None or not is_known:
                said = self._said[case.id] = (returned, self._ask_in_budget(case, returned))
            return said[1]

    def _ask_in_budget(self, case: TestCase, returned: Value) -> Comparison:
        if self._left_s <= 0:
            raise CheckerBroken(
                f"{_PLACE} on {case.id}: its answers took more than {self._budget_s:g} s in all"
            )
        began_s = time.monotonic()
        try:
            return self._ask(case, returned)
        finally:
            self._left_s -= time.monotonic() - began_s


def _function_check(problem: Problem, program: CheckerProgram, boxes: Boxes) -> Check:
    signature = validators.check_signature(problem.signature)
    source = validators.check_source(program)

    def ask(case: TestCase, returned: Value) -> Comparison:
        values = case.arguments | validators.check_values(returned, case.expected)
        with boxes.open(python_engine.KIND) as box:
            said = Tools(box, signature).ask(source, values)
        if isinstance(said, ToolFailure):
            raise CheckerBroken(f"{_PLACE}/check.py on {case.id}: {said.message}")
        return _comparison(is_right=said[0] is None, note=str(said[0] or ""))

    return ask


def _validator_check(run: RunValidator) -> Check:
    def ask(case: TestCase, returned: Value) -> Comparison:
        texts = (case.arguments["input"], case.expected, returned)
        outcome = run(ValidatorCase(*(str(text).encode() for text in texts)))
        if outcome.kind is not OutcomeKind.EXITED or outcome.exit_code not in (
            RIGHT_STATUS,
            WRONG_STATUS,
        ):
            raise CheckerBroken(f"{_PLACE} on {case.id}: {_ending(outcome)}")
        note = outcome.result.decode("utf-8", "replace").replace("\0", "")
        return _comparison(is_right=outcome.exit_code == RIGHT_STATUS, note=note)

    return ask


def _comparison(*, is_right: bool, note: str) -> Comparison:
    note = note[:_NOTE_CHARACTERS]
    if is_right:
        return Comparison(True, note=note)
    return Comparison(False, Reason.WRONG_VALUE, message=_REJECTED, note=note)


def _ending(outcome: Outcome) -> str:
    said = outcome.stderr.decode("utf-8", "replace").strip()[-500:]
    how = f"ended for {outcome.kind.value} {outcome.detail}".strip()
    if outcome.kind is OutcomeKind.EXITED:
        how = f"ended with exit status {outcome.exit_code}, neither 42 nor 43"
    return f"{how}: {said}" if said else how


def _open_validator(program: CheckerProgram, machine: Machine, stack: ExitStack) -> RunValidator:
    if program.language == CPP:
        return _open_cpp(program, machine, stack)
    sandbox = stack.enter_context(
        machine.open_sandbox(tool_profile(validators.driver_source(), (), name="checker"))
    )

    def run(case: ValidatorCase) -> Outcome:
        with sandbox.open_box() as box:
            return box.run(validators.python_request(program, case), _LIMITS)

    return run


def _open_cpp(program: CheckerProgram, machine: Machine, stack: ExitStack) -> RunValidator:
    engine = machine.engines.get(CPP)
    if not isinstance(engine, CppEngine):
        raise CheckerBroken(f"{_PLACE} is C++, which is not judged by this grader")
    if machine.boxes.tier is not Tier.A:
        raise CheckerBroken(f"{_PLACE} is C++, which needs a sandbox of tier A")
    made = engine.compile_files(validators.cpp_files(program))
    if isinstance(made, str):
        raise CheckerBroken(f"{_PLACE} does not compile: {made[:2000]}")
    binary = Binary(made)
    stack.callback(binary.close)

    def run(case: ValidatorCase) -> Outcome:
        with machine.boxes.open(cpp_engine.RUN_KIND) as box:
            request = validators.cpp_request(program, case)
            return box.run(request, _LIMITS, ("validator",), binary)

    return run
