"""The warm Java compiler: one JVM in a box that compiles source after source.

It runs none of them. It is replaced after a fixed number of requests, and at once after anything
that is not a plain answer.
"""

from contextlib import ExitStack

from judge.domain.signatures import Signature
from judge.domain.submission import CompileResult
from judge.domain.verdicts import Reason
from judge.grading.boxes import Boxes
from judge.grading.engines import jvm
from judge.grading.toolchains.found import JavaToolchain
from judge.harness import java_wire, stdio
from judge.harness.java_wire import CompileFailure, JavaProgram
from judge.harness.replies import ReplyError
from submissions_sandbox import Outcome, OutcomeKind, SandboxError, Spare

_OUT_OF_BOUNDS = (OutcomeKind.TIME, OutcomeKind.OUTPUT)


class CompileServer:
    """Compiles Java; belongs to one engine."""

    def __init__(self, boxes: Boxes, toolchain: JavaToolchain) -> None:
        self._boxes = boxes
        self._toolchain = toolchain
        self._stack = ExitStack()
        self._spare: Spare | None = None
        self._requests = 0

    def start(self) -> Spare:
        """Start the JVM, if none runs; does not wait until it is warm.

        Raises:
            SandboxError: the sandbox broke.
        """
        if self._spare is not None:
            return self._spare
        with ExitStack() as stack:
            box = stack.enter_context(self._boxes.open(jvm.KIND))
            folder = jvm.folder_in_box(self._boxes)
            argv = jvm.server_argv(self._toolchain, folder)
            spare = stack.enter_context(box.start(jvm.SERVER_LIMITS, argv))
            self._stack = stack.pop_all()
        self._spare, self._requests = spare, 0
        return spare

    def close(self) -> None:
        """End the JVM."""
        self._spare = None
        self._stack.close()

    def compile(
        self, signature: Signature, source: str
    ) -> JavaProgram | CompileFailure | CompileResult:
        """What came of a source: a program, a compile error, or a limit that it met.

        Raises:
            SandboxError: the JVM broke before the source reached it, or answers nonsense.
        """
        answer = self._ask(signature, source)
        if isinstance(answer, Outcome) and answer.kind not in _OUT_OF_BOUNDS:
            # The JVM may have died of something else than this source: a fresh one will tell.
            answer = self._ask(signature, source)
        return _ended(answer) if isinstance(answer, Outcome) else answer

    def _ask(self, signature: Signature, source: str) -> JavaProgram | CompileFailure | Outcome:
        """One request; whatever is no plain answer ends the JVM."""
        spare = self.start()
        self._requests += 1
        try:
            if stdio.is_stdio(signature):
                request = stdio.java_compile(source)
            else:
                request = java_wire.compile_request(signature, source)
            answer = spare.ask(request)
            made = answer if isinstance(answer, Outcome) else java_wire.read_compile_reply(answer)
        except ReplyError as error:
            self.close()
            raise SandboxError(f"the compile server does not answer: {error}") from error
        except SandboxError:
            self.close()
            raise
        is_spent = isinstance(made, CompileFailure) and made.ends_server
        if isinstance(made, Outcome) or is_spent or self._requests >= jvm.REQUESTS_PER_SERVER:
            self.close()
        return made


def _ended(outcome: Outcome) -> CompileResult:
    """What a source came to that a JVM did not survive."""
    what = "compiling took more memory than is allowed"
    if outcome.kind in _OUT_OF_BOUNDS:
        what = f"compiling took more than {jvm.SERVER_LIMITS.cpu_ms // 1000} s"
    return CompileResult(ok=False, log=f"Solution.java: {what}", reason=Reason.COMPILE_LIMIT)
