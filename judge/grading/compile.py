"""Does the source compile and define the problem's function?

The check runs in a box of its own that gets no case's arguments, so its log may be shown: a
submission cannot smuggle a hidden input out as a forged compile error. For the same reason a case
that claims a compile error later is a bad result (judge.grading.compare).
"""

from judge.domain.signatures import Signature
from judge.domain.submission import CompileResult
from judge.domain.verdicts import Reason
from judge.harness import python
from judge.harness.replies import ReplyError, ReplyKind, read_reply
from submissions_sandbox import Box, Outcome, OutcomeKind, RunLimits

_REASONS = {
    "syntax": Reason.SYNTAX,
    "entry_point": Reason.ENTRY_POINT,
    "signature": Reason.SIGNATURE,
}


def compile_python(
    box: Box, signature: Signature, source: str, limits: RunLimits
) -> CompileResult | Outcome:
    """Check one source.

    A module that raises or dies at its top level does not fail here: the test cases meet the same
    and report it. One that runs into the time limit would do so again in the first case, so its
    outcome is returned for that case.
    """
    outcome = box.run(python.check_request(signature, source), limits)
    if outcome.kind is OutcomeKind.TIME:
        return outcome
    try:
        reply = read_reply(outcome.result)
    except ReplyError:
        return CompileResult(ok=True)
    if reply.kind is not ReplyKind.DOES_NOT_COMPILE:
        return CompileResult(ok=True)
    return CompileResult(
        ok=False, log=reply.message, reason=_REASONS.get(reply.reason, Reason.SYNTAX)
    )
