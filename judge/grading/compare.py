"""Outcome and reply of one run to the result of one test case.

The sandbox's facts decide first (time, output, signals), then what the driver says went wrong,
then the checker. Time and memory come from outside the box only.
"""

import signal
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from judge.domain.checkers import Comparison, check
from judge.domain.problem import Problem, TestCase
from judge.domain.submission import CaseResult
from judge.domain.values import Value
from judge.domain.verdicts import Reason, Verdict
from judge.harness import wire
from judge.harness.replies import Reply, ReplyError, ReplyKind, read_reply
from submissions_sandbox import Outcome, OutcomeKind

# Says whether what a case's program returned is right.
Check = Callable[[TestCase, Value], Comparison]
_SIGNAL_TEXTS: dict[int, str] = {
    signal.SIGABRT: "abort() was called; an exception that nothing catches ends so, too",
    signal.SIGBUS: "memory was used that is not there",
    signal.SIGFPE: "an integer was divided by zero, or a quotient does not fit",
    signal.SIGILL: "an instruction was met that does not exist",
    signal.SIGSEGV: "memory was used that is not the program's, or the stack is full",
    signal.SIGXFSZ: "a file became larger than is allowed",
}
_OUT_OF_MEMORY_WORDS = tuple(
    b"terminate called after throwing an instance of 'std::%s'" % name
    for name in (b"bad_alloc", b"bad_array_new_length")
)
_TIME_REASONS = {"cpu": Reason.CPU_TIME, "wall": Reason.IDLE}


def judge_case(
    problem: Problem,
    case: TestCase,
    outcome: Outcome,
    cpu_limit_ms: int,
    check_value: Check | None = None,
) -> CaseResult:
    """The verdict of one case, with everything that was measured.

    ``check_value`` judges a returned value in the place of the problem's checker.
    """
    facts = CaseResult(
        id=case.id,
        verdict=Verdict.RUNTIME_ERROR,
        cpu_ms=round(outcome.cpu_ms),
        wall_ms=round(outcome.wall_ms),
        memory_kb=outcome.memory_kb,
        stdout=_text(outcome.stdout, outcome.stdout_dropped),
        stderr=_text(outcome.stderr, outcome.stderr_dropped),
    )
    if outcome.kind is not OutcomeKind.EXITED:
        return _from_facts(facts, outcome)
    if outcome.cpu_ms > cpu_limit_ms:
        message = f"{outcome.cpu_ms:.0f} ms of CPU time, {cpu_limit_ms} ms allowed"
        return _fail(facts, Verdict.TIME_LIMIT_EXCEEDED, Reason.CPU_TIME, message)
    if not outcome.result:
        return _without_result(facts, outcome)
    try:
        reply = read_reply(outcome.result)
        if reply.kind is not ReplyKind.VALUE:
            return _from_reply(facts, reply)
        returned = wire.decode(wire.reply_type(problem.signature), reply.payload)
    except (ReplyError, wire.WireError) as error:
        return _fail(facts, Verdict.RUNTIME_ERROR, Reason.BAD_RESULT, f"unreadable result: {error}")

    compared = (check_value or partial(_check, problem))(case, returned)
    result = _from_comparison(facts, returned, compared)
    # Thousands of tokens are no value of the function's, and nothing to show.
    return replace(result, has_returned=False) if problem.signature.drawn else result


def skipped(case: TestCase) -> CaseResult:
    """A case that was not run because one before it was over its time limit."""
    return CaseResult(case.id, Verdict.SKIPPED, Reason.AFTER_TIME_LIMIT)


def _fail(facts: CaseResult, verdict: Verdict, reason: Reason, message: str) -> CaseResult:
    return replace(facts, verdict=verdict, reason=reason, message=message)


def _from_facts(facts: CaseResult, outcome: Outcome) -> CaseResult:
    match outcome.kind:
        case OutcomeKind.TIME:
            reason = _TIME_REASONS[outcome.detail]
            message = "stopped at the time limit"
            if reason is Reason.IDLE:
                message = "stopped: it waited instead of computing"
            return _fail(facts, Verdict.TIME_LIMIT_EXCEEDED, reason, message)
        case OutcomeKind.OUTPUT if outcome.detail == "result":
            message = "the returned value is too large"
            return _fail(facts, Verdict.OUTPUT_LIMIT_EXCEEDED, Reason.RESULT_SIZE, message)
        case OutcomeKind.OUTPUT:
            message = f"more was printed to {outcome.detail} than is allowed"
            return _fail(facts, Verdict.OUTPUT_LIMIT_EXCEEDED, Reason.OUTPUT, message)
        case OutcomeKind.MEMORY:
            return _fail(facts, Verdict.MEMORY_LIMIT_EXCEEDED, Reason.MEMORY, "out of memory")
        case OutcomeKind.DENIED:
            message = "a system call was made that no program may make here"
            return _fail(facts, Verdict.RUNTIME_ERROR, Reason.DENIED, message)
        case OutcomeKind.SIGNALLED if outcome.detail == "threads":
            message = "stopped: it had more threads or processes than are allowed"
            return _fail(facts, Verdict.RUNTIME_ERROR, Reason.THREADS, message)
        case OutcomeKind.SIGNALLED if _ran_out_of_memory(outcome):
            return _fail(facts, Verdict.MEMORY_LIMIT_EXCEEDED, Reason.MEMORY, "out of memory")
        case _:
            return _fail(facts, Verdict.RUNTIME_ERROR, Reason.SIGNAL, _signal_text(outcome.signal))


def _ran_out_of_memory(outcome: Outcome) -> bool:
    """Whether a C++ program was ended because nothing caught std::bad_alloc.

    So it ends where none of our code could catch it: before main, or in a thread of its own. Its
    error stream is its own to write, but to throw that exception by hand comes to the same.
    """
    return outcome.signal == signal.SIGABRT and any(
        words in outcome.stderr for words in _OUT_OF_MEMORY_WORDS
    )


def _signal_text(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    told = _SIGNAL_TEXTS.get(number)
    return f"the process was ended by {name}" + (f": {told}" if told else "")


def _without_result(facts: CaseResult, outcome: Outcome) -> CaseResult:
    if outcome.exit_code == 0:
        message = "the process ended before the function returned"
        return _fail(facts, Verdict.RUNTIME_ERROR, Reason.NO_RESULT, message)
    message = f"the process ended with exit status {outcome.exit_code}"
    return _fail(facts, Verdict.RUNTIME_ERROR, Reason.EXIT_CODE, message)


def _from_reply(facts: CaseResult, reply: Reply) -> CaseResult:
    match reply.kind:
        case ReplyKind.MISMATCH:
            is_shape = reply.reason == Reason.WRONG_SHAPE
            reason = Reason.WRONG_SHAPE if is_shape else Reason.WRONG_TYPE
            return _fail(facts, Verdict.WRONG_ANSWER, reason, reply.message)
        case ReplyKind.RAISED:
            failed = _fail(facts, Verdict.RUNTIME_ERROR, Reason.EXCEPTION, reply.message)
            return replace(failed, error_class=reply.error_class, error_line=reply.line)
        case ReplyKind.OUT_OF_MEMORY:
            return _fail(facts, Verdict.MEMORY_LIMIT_EXCEEDED, Reason.MEMORY, "out of memory")
        case ReplyKind.EXIT:
            return _fail(facts, Verdict.RUNTIME_ERROR, Reason.EXIT_CODE, reply.message)
        case _:
            raise ReplyError("a reply that no call gives")


def _check(problem: Problem, case: TestCase, returned: Value) -> Comparison:
    return check(problem.checker, problem.signature, case.arguments, case.expected, returned)


def _from_comparison(facts: CaseResult, returned: Value, compared: Comparison) -> CaseResult:
    facts = replace(facts, returned=returned, has_returned=True, note=compared.note)
    if compared.passed:
        return replace(facts, verdict=Verdict.ACCEPTED, reason=Reason.NONE)
    return _fail(facts, Verdict.WRONG_ANSWER, compared.reason, compared.message)


def _text(head: bytes, dropped: int) -> str:
    text = head.decode("utf-8", "replace")
    return f"{text}\n… {dropped} bytes dropped" if dropped else text
