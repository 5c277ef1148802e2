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
from judge.grading.engines.prepared_boxes import PreparedBox, PreparedBoxes
from judge.harness import python, stdio
from judge.harness.replies import ReplyError, ReplyKind, read_reply
from submissions_sandbox import Outcome, OutcomeKind, Profile, RunLimits, python_profile

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
        self._prepared = PreparedBoxes(boxes, KIND)

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
            box = stack.enter_context(self._prepared.take(limits))
            made = _check(box, signature, source, limits)
            if not isinstance(made, bytes):
                return made
            stack.pop_all()
        return PythonProgram(self._prepared, box, (signature, source, made, limits))

    def rest(self) -> None:
        """Make boxes ready for the next source."""
        self._prepared.fill()

    def close(self) -> None:
        """End the boxes that wait."""
        self._prepared.close()


class PythonProgram:
    """A checked source; the box of the check serves the first lane."""

    def __init__(
        self,
        prepared: PreparedBoxes,
        box: PreparedBox,
        inside: tuple[Signature, str, bytes, RunLimits],
    ) -> None:
        self._prepared = prepared
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
        signature, source, compiled, limits = self._inside

        def run_case(arguments: Arguments, idle_kill_s: float) -> Outcome:
            if stdio.is_stdio(signature):
                request = stdio.python_call(source, arguments, compiled)
            else:
                request = python.call_request(signature, source, arguments, compiled)
            return box.run(request, limits, idle_kill_s)

        left = self._boxes_left
        with left.pop() if left else self._prepared.take(limits) as box:
            yield run_case


def _check(
    box: PreparedBox, signature: Signature, source: str, limits: RunLimits
) -> bytes | CompileResult | Outcome:
    """The compiled source (empty: it is compiled in every case), or why there is none."""
    is_program = stdio.is_stdio(signature)
    request = stdio.python_check(source) if is_program else python.check_request(signature, source)
    outcome = box.run(request, limits)
    if outcome.kind is OutcomeKind.TIME:
        return outcome
    compiled, result = python.read_check(outcome.result)
    try:
        reply = read_reply(result)
    except ReplyError:
        return compiled
    if reply.kind is not ReplyKind.DOES_NOT_COMPILE:
        return compiled
    reason = _REASONS.get(reply.reason, Reason.SYNTAX)
    return CompileResult(ok=False, log=reply.message, reason=reason)
