"""Compiles and runs C++ units on this machine, outside any sandbox."""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from judge.domain.signatures import Signature
from judge.domain.values import Arguments
from judge.domain.verdicts import Reason
from judge.harness import cpp_diagnostics, cpp_unit, wire
from judge.harness.replies import Reply, ReplyKind, read_reply

FLAGS = ("-std=c++17", "-O0", "-fdiagnostics-color=never", "-fmax-errors=20")
# A shell, because subprocess cannot choose the number of a descriptor.
RUN = ("/bin/sh", "-c", 'exec "$0" 3>reply')
TIMEOUT_S = 120


@dataclass(frozen=True)
class Run:
    """One run of a program: ``reply`` is None where it wrote none."""

    status: int
    reply: Reply | None
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Program:
    """A compiled submission."""

    signature: Signature
    path: Path

    def run(self, arguments: Arguments) -> Run:
        return self.run_bytes(cpp_unit.call_request(self.signature, arguments))

    def run_bytes(self, request: bytes) -> Run:
        done = subprocess.run(  # noqa: S603 - a program that this test compiled
            (*RUN, str(self.path)),
            input=request,
            cwd=self.path.parent,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        frame = (self.path.parent / "reply").read_bytes()
        reply = read_reply(frame) if frame else None
        return Run(done.returncode, reply, done.stdout.decode(), done.stderr.decode())

    def value(self, **arguments: Any) -> Any:
        """What the function returned; the run must have gone well."""
        run = self.run(arguments)
        assert (run.status, run.reply and run.reply.kind) == (0, ReplyKind.VALUE), run
        assert run.reply is not None
        return wire.decode(self.signature.returns, run.reply.payload)

    def reply(self, **arguments: Any) -> Reply:
        """What the program answered."""
        run = self.run(arguments)
        assert (run.status, run.reply is not None) == (0, True), run
        assert run.reply is not None
        return run.reply


class CppMachine:
    """g++ with the runtime's headers precompiled."""

    def __init__(self, compiler: str, folder: Path) -> None:
        self._compiler = compiler
        self._folder = folder
        self._count = 0
        for name, everything in (("full", True), ("plain", False)):
            header = folder / name / "cpp_runtime.hpp"
            header.parent.mkdir()
            header.write_text(cpp_unit.runtime_header(everything=everything))
            command = (compiler, *FLAGS, "-Werror", "-x", "c++-header", header)
            subprocess.run(command, check=True, timeout=TIMEOUT_S)  # noqa: S603

    def build(
        self, signature: Signature, source: str, header: str = "full"
    ) -> Program | tuple[Reason, str]:
        """The program, or the reason and log of why there is none."""
        self._count += 1
        folder = self._folder / str(self._count)
        folder.mkdir()
        (folder / "solution.cpp").write_text(source)
        (folder / "unit.cpp").write_text(cpp_unit.unit(signature, source))
        runtime = str(self._folder / header / "cpp_runtime.hpp")
        command = (self._compiler, *FLAGS, "-include", runtime, "unit.cpp", "-o", "out")
        done = subprocess.run(  # noqa: S603
            (*command, "-Wl,--wrap=main"),
            cwd=folder,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        if done.returncode == 0:
            return Program(signature, folder / "out")
        return cpp_diagnostics.read_log(signature, source, done.stderr.decode("utf-8", "replace"))

    def program(self, signature: Signature, source: str, header: str = "full") -> Program:
        """The program of a source that compiles."""
        built = self.build(signature, source, header)
        assert isinstance(built, Program), built
        return built

    def failure(self, signature: Signature, source: str) -> tuple[Reason, str]:
        """The reason and log of a source that does not compile."""
        built = self.build(signature, source)
        assert not isinstance(built, Program)
        return built


@functools.cache
def cpp_machine() -> CppMachine:
    """One a process; skips where g++ is missing, but not in continuous integration."""
    compiler = shutil.which("g++")
    if compiler is None:
        if os.environ.get("CI") == "true":
            pytest.fail("missing program: g++ (apt-get install g++)")
        pytest.skip("missing program: g++ (apt-get install g++)")
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    return CppMachine(compiler, folder)
