"""C++: a source is compiled in a box, once; the binary is started in a fresh box a case.

The compiler's box sees the toolchain and the judge's header, the binary's box only shared
libraries. What comes out of the compiler is a learner's program: bytes to be run in boxes.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from judge.domain.signatures import Signature
from judge.domain.submission import CompileResult
from judge.domain.values import Arguments
from judge.domain.verdicts import Reason
from judge.grading.boxes import Boxes
from judge.grading.compiled import CompiledStore
from judge.grading.engines.elf import claimed_memory_bytes
from judge.grading.engines.engine import Lane
from judge.grading.toolchains.found import CppToolchain
from judge.grading.toolchains.prepare_cpp import FLAGS, HEADER, PLAIN_HEADER
from judge.harness import cpp_diagnostics, cpp_unit, stdio, toolchain_wire
from judge.harness.replies import ReplyError
from judge.harness.toolchain_wire import ToolReply, ToolRequest
from submissions_sandbox import (
    Binary,
    Bind,
    Outcome,
    OutcomeKind,
    Profile,
    RunLimits,
    SandboxError,
    binary_profile,
    tool_profile,
)

COMPILE_KIND, RUN_KIND = "cpp-compile", "cpp"
HEADER_SUFFIXES = (".h", ".hpp", ".hh")
_HEADERS_IN_BOX = "/headers"
COMPILE_LIMITS = RunLimits(
    cpu_ms=6000,
    memory_kb=1536 * 1024,
    result_bytes=64 * 1024 * 1024,
    tmp_bytes=192 * 1024 * 1024,
    processes=32,
)
# What a program's libraries and its own code take before the learner's first variable.
_BASE_KB = 16 * 1024
_CPU_LIMIT_WORDS = "cc1plus: CPU time limit exceeded"
# A name of the learner's that a whole standard library besides what was included may take away.
_CLASH = re.compile(r"\b(?:ambiguous|redefinition|redeclar|conflict)")


def profiles(headers: Path) -> dict[str, Profile]:
    """The boxes of the compiler and of what it makes."""
    bind = Bind(str(headers), _HEADERS_IN_BOX)
    compiler = tool_profile(
        toolchain_wire.driver_source(), ("/usr/include",), (bind,), name=COMPILE_KIND
    )
    # One arena, so that a thread reserves no address space that counts as memory.
    return {COMPILE_KIND: compiler, RUN_KIND: binary_profile({"MALLOC_ARENA_MAX": "1"})}


def compiler_argv(boxes: Boxes, toolchain: CppToolchain, header: str) -> list[str]:
    """Make unit.cpp into the program solution, in a compile box; without a header as it is."""
    argv = [*_plain_argv(toolchain), "unit.cpp"]
    if not header:
        return argv
    included = boxes.seen_at(COMPILE_KIND, f"{_HEADERS_IN_BOX}/{header}")
    return [*argv, "-include", included, "-Wl,--wrap=main"]


def _plain_argv(toolchain: CppToolchain) -> list[str]:
    return [str(toolchain.compiler), *FLAGS, "-o", "solution"]


class CppEngine:
    """Judges C++."""

    def __init__(
        self, boxes: Boxes, toolchain: CppToolchain, headers: Path, store: CompiledStore
    ) -> None:
        self._boxes = boxes
        self._toolchain = toolchain
        # The folder is named after the digest of the compiler's version, flags and headers.
        # What a preprocessor finds of the host's names differs by tier.
        self._identity = f"{headers.name} tier {boxes.tier}"
        self._store = store

    def versions(self) -> dict[str, str]:
        """The compiler."""
        return {"g++": self._toolchain.version}

    def compile(
        self, signature: Signature, source: str, limits: RunLimits
    ) -> "CppProgram | CompileResult | Outcome":
        """Compile one source, or take what was made of it before."""
        is_program = stdio.is_stdio(signature)
        unit = stdio.cpp_unit(source) if is_program else cpp_unit.unit(signature, source)
        key = self._store.key(("cpp", self._identity, str(signature), unit))
        made: bytes | str | Outcome | None = self._store.find(key)
        if made is None:
            made = self._compile("" if is_program else HEADER, source, unit)
            if not isinstance(made, Outcome):
                self._store.put(key, made)
        if isinstance(made, Outcome):
            return _out_of_bounds(made)
        if isinstance(made, str):
            wanted = stdio.CPP_MAIN if is_program else signature
            reason, log = cpp_diagnostics.read_log(wanted, source, made)
            if is_program and reason is Reason.ENTRY_POINT:
                log = stdio.NO_MAIN
            return CompileResult(ok=False, log=log, reason=reason)
        return CppProgram(self._boxes, signature, made, limits)

    def compile_files(self, files: Mapping[str, bytes]) -> bytes | str:
        """Make a program of a package's own files, or say why not.

        ``main`` of theirs is called by the ``__wrap_main`` that one of them has to define.
        """
        digests = (part for item in sorted(files.items()) for part in (item[0], item[1].hex()))
        key = self._store.key(("cpp-files", self._identity, *digests))
        made: bytes | str | None = self._store.find(key)
        if made is not None:
            return made
        sources = sorted(f"./{name}" for name in files if not name.endswith(HEADER_SUFFIXES))
        argv = [*_plain_argv(self._toolchain), *sources, "-Wl,--wrap=main"]
        with self._boxes.open(COMPILE_KIND) as box:
            request = ToolRequest(argv, files, "solution")
            outcome = box.run(request.to_bytes(), COMPILE_LIMITS)
        if outcome.kind is not OutcomeKind.EXITED:
            return _out_of_bounds(outcome).log
        reply = _read_reply(outcome)
        made = reply.output if reply.status == 0 and reply.output else reply.log
        self._store.put(key, made)
        return made

    def rest(self) -> None:
        """Nothing to prepare: the zygotes are always warm."""

    def close(self) -> None:
        """Nothing of its own runs."""

    def _compile(self, header: str, source: str, unit: str) -> bytes | str | Outcome:
        """The binary, or what the compiler says against the source, or how it met a limit."""
        outcome, reply = self._run_compiler(header, source, unit)
        if header and reply is not None and reply.status != 0 and _CLASH.search(reply.log):
            _, second = self._run_compiler(PLAIN_HEADER, source, unit)
            reply = second if second is not None and second.status == 0 else reply
        if reply is None:
            # With that much CPU time it was the source, not the machine: it would be so again.
            return _CPU_LIMIT_WORDS if outcome.cpu_ms > COMPILE_LIMITS.cpu_ms else outcome
        return reply.output if reply.status == 0 and reply.output else reply.log

    def _run_compiler(
        self, header: str, source: str, unit: str
    ) -> tuple[Outcome, ToolReply | None]:
        argv = compiler_argv(self._boxes, self._toolchain, header)
        # The second file is where the compiler looks for the lines that it quotes.
        files = {"unit.cpp": unit.encode(), "solution.cpp": source.encode()}
        with self._boxes.open(COMPILE_KIND) as box:
            request = ToolRequest(argv, files, "solution")
            outcome = box.run(request.to_bytes(), COMPILE_LIMITS)
        if outcome.kind is OutcomeKind.EXITED and outcome.cpu_ms <= COMPILE_LIMITS.cpu_ms:
            return outcome, _read_reply(outcome)
        return outcome, None


def _read_reply(outcome: Outcome) -> ToolReply:
    """What the compiler made or said.

    Raises:
        SandboxError: it did not come to reading the source: g++ itself only starts other programs,
            and what these die of it reports.
    """
    try:
        reply = toolchain_wire.read_tool_reply(outcome.result)
    except ReplyError as error:
        said = outcome.stderr.decode("utf-8", "replace")
        raise SandboxError(f"the compiler's box does not answer: {error}: {said}") from None
    if reply.status < 0:
        raise SandboxError(f"g++ ended with signal {-reply.status}: {reply.log[:300]}")
    return reply


class CppProgram:
    """A compiled source. Use as a context manager."""

    def __init__(
        self, boxes: Boxes, signature: Signature, content: bytes, limits: RunLimits
    ) -> None:
        self._boxes = boxes
        self._signature = signature
        self._is_too_large = claimed_memory_bytes(content) > limits.memory_kb * 1024
        self._limits = replace(limits, memory_kb=limits.memory_kb + _BASE_KB)
        self._binary = Binary(content)

    def __enter__(self) -> "CppProgram":
        return self

    def __exit__(self, *error: object) -> None:
        self._binary.close()

    @contextmanager
    def open_lane(self) -> Iterator[Lane]:
        """A lane with a box of its own."""

        def run_case(arguments: Arguments, idle_kill_s: float) -> Outcome:
            if self._is_too_large:
                # The kernel would kill it before its first instruction, with no word why.
                return Outcome(OutcomeKind.MEMORY, "static")
            if stdio.is_stdio(self._signature):
                request = stdio.standard_input(arguments)
            else:
                request = cpp_unit.call_request(self._signature, arguments)
            return box.run(
                request, self._limits, ("solution",), self._binary, idle_kill_s=idle_kill_s
            )

        with self._boxes.open(RUN_KIND) as box:
            yield run_case


def _out_of_bounds(outcome: Outcome) -> CompileResult:
    limit_s = COMPILE_LIMITS.cpu_ms // 1000
    what = f"compiling took more than {limit_s} s"
    if outcome.kind is not OutcomeKind.TIME and outcome.cpu_ms <= COMPILE_LIMITS.cpu_ms:
        what = "compiling took more memory or made a larger program than is allowed"
    return CompileResult(ok=False, log=f"solution.cpp: {what}", reason=Reason.COMPILE_LIMIT)
