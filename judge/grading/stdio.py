"""A program's output as its answer.

Owns what becomes of a run whose program read standard input and printed: the printed text is taken
as the value that a function would have returned, so that everything behind it (checkers, what is
shown of hidden cases, what is stored) treats it as one and never as mere output. How much may be
printed is therefore the limit on results, and the error stream is cut to the limit on output.

Bytes that are no UTF-8 reach checkers as U+FFFD.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from judge.domain.problem import STDIO_SIGNATURE
from judge.domain.values import Arguments
from judge.grading.engines.engine import Lane
from judge.harness import stdio, wire
from judge.harness.replies import ReplyKind
from submissions_sandbox import Outcome, OutcomeKind, RunLimits

OpenLane = Callable[[], AbstractContextManager[Lane]]


def with_room(limits: RunLimits) -> RunLimits:
    """The limits of a run that prints its answer."""
    return replace(limits, stdout_bytes=max(limits.stdout_bytes, limits.result_bytes))


@contextmanager
def open_lane(open_inner: OpenLane, shown_bytes: int) -> Iterator[Lane]:
    """A lane whose outcomes hold the printed text as a result.

    ``shown_bytes`` is how much is kept of an error stream, and of what a run printed that failed.
    """
    with open_inner() as run_inner:

        def run_case(arguments: Arguments, idle_kill_s: float) -> Outcome:
            return answered(run_inner(arguments, idle_kill_s), shown_bytes)

        yield run_case


def answered(outcome: Outcome, shown_bytes: int) -> Outcome:
    """The outcome with what was printed as its result; one that failed keeps its own words."""
    stderr, stderr_dropped = outcome.stderr[:shown_bytes], outcome.stderr_dropped
    stderr_dropped += len(outcome.stderr) - len(stderr)
    outcome = replace(outcome, stderr=stderr, stderr_dropped=stderr_dropped)
    came_to_its_end = outcome.kind is OutcomeKind.EXITED and outcome.exit_code == 0
    if came_to_its_end and outcome.result in (b"", stdio.ENDED):
        text = outcome.stdout.decode("utf-8", "replace")
        value = ReplyKind.VALUE.encode() + wire.encode(STDIO_SIGNATURE.returns, text)
        return replace(outcome, result=value, stdout=b"")
    dropped = outcome.stdout_dropped + max(0, len(outcome.stdout) - shown_bytes)
    outcome = replace(outcome, stdout=outcome.stdout[:shown_bytes], stdout_dropped=dropped)
    if outcome.result[:1] == ReplyKind.VALUE.encode():
        # No driver of a program writes a value: only what is printed is an answer.
        return replace(outcome, result=stdio.ENDED)
    return outcome
