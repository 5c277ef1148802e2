"""Java: a source is compiled by a warm server, once; a JVM of its own answers each case.

A test case's JVM is started ahead of its request, so its start is in nobody's time. It receives
the learner's classes and one case's arguments, and ends with the case.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from judge.domain.signatures import Signature
from judge.domain.submission import CompileResult
from judge.domain.values import Arguments
from judge.domain.verdicts import Reason
from judge.grading.boxes import Boxes
from judge.grading.compiled import CompiledStore
from judge.grading.engines import jvm
from judge.grading.engines.compile_server import CompileServer
from judge.grading.engines.engine import Lane
from judge.grading.engines.spares import Spares
from judge.grading.toolchains.found import JavaToolchain
from judge.harness import java_wire, stdio
from judge.harness.java_wire import CompileFailure, JavaProgram
from submissions_sandbox import Outcome, OutcomeKind, RunLimits

# What a stack trace that the learner prints shows of those who called the learner.
_DRIVER_FRAMES = re.compile(
    rb"^\tat (?:decodejudge\.|java\.base/(?:jdk\.internal|java\.lang)\.reflect\.).*\n"
    rb"(?:\tat java\.base/java\.lang\.Thread\.run.*\n)?",
    re.MULTILINE,
)
_NO_MEMORY = b"#\n# There is insufficient memory for the Java Runtime Environment"


class JavaEngine:
    """Judges Java."""

    def __init__(
        self, boxes: Boxes, toolchain: JavaToolchain, identity: str, store: CompiledStore
    ) -> None:
        self._boxes = boxes
        self._toolchain = toolchain
        self._identity = identity
        self._store = store
        self._server = CompileServer(boxes, toolchain)
        self._spares = Spares(boxes, toolchain)

    def versions(self) -> dict[str, str]:
        """The JDK."""
        return {"jdk": self._toolchain.version}

    def compile(
        self, signature: Signature, source: str, limits: RunLimits
    ) -> "JavaRuns | CompileResult | Outcome":
        """Compile one source, or take what was made of it before."""
        self._spares.fill(limits)
        key = self._store.key(("java", self._identity, str(signature), source))
        kept = self._store.find(key)
        made = self._compile(key, signature, source) if kept is None else _read(kept)
        if isinstance(made, CompileResult):
            return made
        if isinstance(made, CompileFailure):
            return CompileResult(ok=False, log=made.log, reason=made.reason)
        return JavaRuns(self._boxes, self._spares, (signature, made, limits))

    def rest(self) -> None:
        """Start what the next source will need."""
        self._server.start()
        self._spares.fill()

    def close(self) -> None:
        """End every JVM."""
        self._spares.close()
        self._server.close()

    def _compile(
        self, key: str, signature: Signature, source: str
    ) -> JavaProgram | CompileFailure | CompileResult:
        made = self._server.compile(signature, source)
        if isinstance(made, JavaProgram):
            self._store.put(key, made.to_bytes())
        elif isinstance(made, CompileFailure):
            self._store.put(key, json.dumps([made.reason, made.log]))
        return made


class JavaRuns:
    """A compiled source. Use as a context manager."""

    def __init__(
        self, boxes: Boxes, spares: Spares, inside: tuple[Signature, JavaProgram, RunLimits]
    ) -> None:
        self._boxes = boxes
        self._spares = spares
        self._signature, self._program, self._limits = inside

    def __enter__(self) -> "JavaRuns":
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is held between two cases."""

    @contextmanager
    def open_lane(self) -> Iterator[Lane]:
        """A lane that takes a JVM a case."""

        def run_case(arguments: Arguments, idle_kill_s: float) -> Outcome:
            if stdio.is_stdio(self._signature):
                request = stdio.java_call(self._program, arguments)
            else:
                request = java_wire.call_request(self._signature, self._program, arguments)
            with self._spares.take(self._limits, box) as spare:
                return _tidied(spare.run(request, idle_kill_s))

        with self._boxes.open(jvm.KIND) as box:
            yield run_case


def _read(kept: bytes | str) -> JavaProgram | CompileFailure:
    if isinstance(kept, bytes):
        return JavaProgram.from_bytes(kept)
    reason, log = json.loads(kept)
    return CompileFailure(Reason(reason), log)


def _tidied(outcome: Outcome) -> Outcome:
    """The outcome with the JVM's own words turned into facts, and without the driver's frames."""
    stdout, gave_up, _ = outcome.stdout.partition(_NO_MEMORY)
    outcome = replace(
        outcome,
        stdout=_DRIVER_FRAMES.sub(b"", stdout if gave_up else outcome.stdout),
        stderr=_DRIVER_FRAMES.sub(b"", outcome.stderr),
    )
    if outcome.kind is OutcomeKind.EXITED and not outcome.result and gave_up:
        # A JVM that gets no memory for itself says so and leaves, with no answer.
        return replace(outcome, kind=OutcomeKind.MEMORY, detail="native")
    return outcome
