"""Python: a source is checked in a box of its own, then called in a fresh one a case.

The check gets no case's arguments, so its log may be shown: a submission cannot smuggle a hidden
input out as a forged compile error. For the same reason a case that claims a compile error later
is a bad result (judge.grading.compare).
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from judge.domain.signatures import Signature
from judge.domain.submission import CompileResult
from judge.domain.values import Arguments
from judge.domain.verdicts import Reason
from judge.grading.boxes import Boxes
from judge.grading.engines.engine import Lane
from judge.harness import python
from judge.harness.replies import ReplyError, ReplyKind, read_reply
from submissions_sandbox import Box, Outcome, OutcomeKind, Profile, RunLimits, python_profile

KIND = "python"
_REASONS = {
    "syntax": Reason.SYNTAX,
    "entry_point": Reason.ENTRY_POINT,
    "signature": Reason.SIGNATURE,
}


def profile() -> Profile:
    """The boxes of Python programs, learners' and packages' own."""
    return python_profile(python.driver_source(), python.PACKAGES)


class PythonEngine:
    """Judges Python."""

    def __init__(self, boxes: Boxes) -> None:
        self._boxes = boxes

    def versions(self) -> dict[str, str]:
        """Interpreter and NumPy."""
        return dict(self._boxes.describe(KIND).versions)

    def compile(
        self, signature: Signature, source: str, limits: RunLimits
    ) -> "PythonProgram | CompileResult | Outcome":
        """Check one source.

        A module that raises or dies at its top level does not fail here: the test cases meet the
        same and report it. One that runs into the time limit would do so again in the first case.
        """
        with ExitStack() as stack:
            box = stack.enter_context(self._boxes.open(KIND))
            failed = _check(box, signature, source, limits)
            if failed is not None:
                return failed
            stack.pop_all()
        return PythonProgram(self._boxes, box, (signature, source, limits))

    def rest(self) -> None:
        """Nothing to prepare: the zygote is always warm."""

    def close(self) -> None:
        """Nothing of its own runs."""


class PythonProgram:
    """A checked source; the box of the check serves the first lane."""

    def __init__(self, boxes: Boxes, box: Box, inside: tuple[Signature, str, RunLimits]) -> None:
        self._boxes = boxes
        self._boxes_left = [box]
        self._inside = inside

    def __enter__(self) -> "PythonProgram":
        return self

    def __exit__(self, *error: object) -> None:
        for box in self._boxes_left:
            box.close()

    @contextmanager
    def open_lane(self) -> Iterator[Lane]:
        """A lane with a box of its own."""
        signature, source, limits = self._inside

        def run_case(arguments: Arguments) -> Outcome:
            return box.run(python.call_request(signature, source, arguments), limits)

        with self._boxes_left.pop() if self._boxes_left else self._boxes.open(KIND) as box:
            yield run_case


def _check(
    box: Box, signature: Signature, source: str, limits: RunLimits
) -> CompileResult | Outcome | None:
    outcome = box.run(python.check_request(signature, source), limits)
    if outcome.kind is OutcomeKind.TIME:
        return outcome
    try:
        reply = read_reply(outcome.result)
    except ReplyError:
        return None
    if reply.kind is not ReplyKind.DOES_NOT_COMPILE:
        return None
    reason = _REASONS.get(reply.reason, Reason.SYNTAX)
    return CompileResult(ok=False, log=reply.message, reason=reason)
