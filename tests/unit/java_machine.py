"""A real JDK for tests: the driver's jar, one warm compile server, and single-use JVMs.

Nothing here is a sandbox: the tests' own programs do no harm.
"""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from judge.domain.signatures import Signature
from judge.domain.values import Arguments
from judge.harness import java_wire
from judge.harness.java_wire import CompileFailure, JavaProgram
from judge.harness.replies import Reply, read_reply

JVM_FLAGS = ("-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m")
DESCRIPTOR = 3


@dataclass(frozen=True)
class Run:
    """What one JVM did: its reply, what it printed, its exit status."""

    frame: bytes
    out: str
    err: str
    status: int

    @property
    def reply(self) -> Reply:
        return read_reply(self.frame)


class Machine:
    """Compiles and calls learners' programs the way the judge does."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._jar = folder / "driver.jar"
        self._server: _Process | None = None
        _build(folder, self._jar)

    def compile(self, signature: Signature, source: str) -> JavaProgram | CompileFailure:
        """Ask the compile server."""
        if self._server is None:
            flags = (*JVM_FLAGS, *java_wire.SERVER_FLAGS, "-cp", str(self._jar))
            self._server = _Process((*flags, java_wire.SERVER_CLASS), self._folder)
        request = java_wire.compile_request(signature, source)
        self._server.write(len(request).to_bytes(4, "little") + request)
        frame = self._server.read(int.from_bytes(self._server.read(4), "little"))
        reply = java_wire.read_compile_reply(frame)
        if isinstance(reply, CompileFailure) and reply.ends_server:
            self.close()
        return reply

    def call(
        self,
        signature: Signature,
        program: JavaProgram,
        arguments: Arguments,
        flags: Sequence[str] = (),
    ) -> Run:
        """Call the program's method in a JVM of its own."""
        process = _Process((*JVM_FLAGS, *flags, "-jar", str(self._jar)), self._folder)
        process.write(java_wire.call_request(signature, program, arguments))
        return process.finish()

    def run(
        self, signature: Signature, source: str, arguments: Arguments, flags: Sequence[str] = ()
    ) -> Run:
        """Compile a source that has to compile, and call it."""
        program = self.compile(signature, source)
        assert isinstance(program, JavaProgram), program
        return self.call(signature, program, arguments, flags)

    def close(self) -> None:
        if self._server is not None:
            self._server.finish()
            self._server = None


class _Process:
    """A JVM with pipes at its standard input and at descriptor 3; it has said that it is ready."""

    def __init__(self, arguments: Sequence[str], folder: Path) -> None:
        requests, self._requests = os.pipe()
        self._replies, replies = os.pipe()
        self._out, self._err = folder / "out", folder / "err"
        out, err = (
            os.open(p, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) for p in (self._out, self._err)
        )
        program = _program("java")
        actions = [
            (os.POSIX_SPAWN_DUP2, source, target)
            for source, target in ((requests, 0), (out, 1), (err, 2), (replies, DESCRIPTOR))
        ]
        self._pid = os.posix_spawn(
            program, [program, *arguments], {"PATH": "/usr/bin:/bin"}, file_actions=actions
        )
        for descriptor in (requests, replies, out, err):
            os.close(descriptor)
        assert self.read(1) == java_wire.READY, self._err.read_text()

    def write(self, payload: bytes) -> None:
        while payload:
            payload = payload[os.write(self._requests, payload) :]

    def read(self, size: int) -> bytes:
        """So many bytes, or less where the other side has closed."""
        chunks = []
        while size and (chunk := os.read(self._replies, min(size, 1 << 20))):
            chunks.append(chunk)
            size -= len(chunk)
        return b"".join(chunks)

    def finish(self) -> Run:
        os.close(self._requests)
        frame = self.read(1 << 30)
        os.close(self._replies)
        _, status = os.waitpid(self._pid, 0)
        out, err = self._out.read_text("utf-8"), self._err.read_text("utf-8")
        return Run(frame, out, err, os.waitstatus_to_exitcode(status))


@functools.cache
def machine() -> Machine:
    """The one machine of this test process; without a JDK the test is skipped, or fails in CI."""
    for name in ("java", "javac"):
        if shutil.which(name) is None:
            message = f"missing program: {name}"
            if os.environ.get("CI") == "true":
                pytest.fail(message)
            pytest.skip(message)
    folder = Path(tempfile.mkdtemp(prefix="java-machine-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = Machine(folder)
    atexit.register(made.close)
    return made


def _program(name: str) -> str:
    return shutil.which(name) or name


def _build(folder: Path, jar: Path) -> None:
    sources, classes = folder / "sources", folder / "classes"
    sources.mkdir()
    for name, text in java_wire.driver_sources().items():
        (sources / name).write_text(text, "utf-8")
    command = [_program("javac"), *java_wire.JAVAC_FLAGS, "-Xlint:all", "-Werror", "-d", classes]
    subprocess.run([*command, *sorted(sources.iterdir())], check=True)  # noqa: S603 - our own javac
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", java_wire.MANIFEST)
        for path in sorted(classes.rglob("*.class")):
            archive.write(path, path.relative_to(classes))
