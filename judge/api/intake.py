"""Uploads are read in a process of its own, one at a time, so that they slow nobody here.

Owns starting and watching that process (judge.packages.intake.child says what it does), and how
many uploads wait for their turn: each of them holds a thread of the server. A process that is ended
or ends itself without an answer has met a package that costs too much; that is a finding like any
other. Only what was answered is stored, so whoever reads it later (the verifier, a worker) reads
what was read within these limits before.
"""

import logging
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO

import judge
from judge.api.errors import HttpProblem
from judge.errors import Finding, JudgeBroken
from judge.packages.content import Content
from judge.packages.files import MAX_PACKED_BYTES
from judge.packages.intake.child import TOO_COSTLY, too_costly
from judge.packages.intake.examine import MAX_STORED_CASE_BYTES, Examined
from judge.packages.intake.wire import MAX_HEAD_BYTES, Order, WireBroken, read_answer, write_order

# Twice the CPU time (child.CPU_S) and a little: the machine does other things, too.
LONGEST_S = 45.0
LONGEST_WAIT_S = 5.0
MOST_WAITING = 4
RETRY_AFTER_S = 15
MAX_ANSWER_BYTES = MAX_HEAD_BYTES + MAX_PACKED_BYTES + MAX_STORED_CASE_BYTES + 1024
_PIECE_BYTES = 1024 * 1024
_COMMAND = (sys.executable, "-m", "judge.packages.intake.child")
# SIGKILL is ours at the end of the time, or the kernel's when memory ran out.
_ENDED_BY_LIMIT = frozenset({-signal.SIGKILL, -signal.SIGXCPU, -signal.SIGSEGV, -signal.SIGABRT})
_log = logging.getLogger(__name__)


class Intake:
    """Reads uploads for one server.

    Args:
        longest_s: after how long a reading process is ended.
        longest_wait_s: how long an upload waits for its turn.
    """

    def __init__(
        self, longest_s: float = LONGEST_S, longest_wait_s: float = LONGEST_WAIT_S
    ) -> None:
        self._longest_s = longest_s
        self._longest_wait_s = longest_wait_s
        self._turn = threading.Semaphore(1)
        self._room = threading.Semaphore(MOST_WAITING + 1)

    def examine(self, archive: bytes, known: Collection[str]) -> Examined:
        """Read and lint an upload.

        Raises:
            HttpProblem: 503 ``uploads-busy``: others are being read.
            JudgeBroken: the process failed, which is not the package's fault.
        """
        return self._read(Order(archive, tuple(sorted(known))))

    def content(self, archive: bytes) -> Content:
        """What is stored of a package that was accepted before.

        Raises:
            HttpProblem: as ``examine``; ``package-invalid`` where the limits became narrower.
            JudgeBroken: as ``examine``.
        """
        reread = self._read(Order(archive, None))
        if reread.content is None:
            raise refusal(reread.findings)
        return reread.content

    def _read(self, order: Order) -> Examined:
        with self._in_turn():
            code, message, said = _run(write_order(order), self._longest_s)
        if code in _ENDED_BY_LIMIT or code == TOO_COSTLY or len(message) > MAX_ANSWER_BYTES:
            _log.warning("reading an upload was ended (exit code %d)", code)
            return Examined((too_costly(),), None)
        if code != 0:
            _log.error("the process that reads uploads failed: %s", said)
            raise JudgeBroken(f"the process that reads uploads failed (exit code {code})")
        try:
            return read_answer(message)
        except WireBroken as error:
            raise JudgeBroken(f"the process that reads uploads gave no answer: {error}") from error

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        if not self._room.acquire(blocking=False):
            raise _busy()
        try:
            if not self._turn.acquire(timeout=self._longest_wait_s):
                raise _busy()
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._room.release()


def refusal(findings: tuple[Finding, ...]) -> HttpProblem:
    """The answer to a package with errors."""
    return HttpProblem(422, "package-invalid", findings=[asdict(one) for one in findings])


def _busy() -> HttpProblem:
    headers = {"Retry-After": str(RETRY_AFTER_S)}
    return HttpProblem(503, "uploads-busy", headers=headers, seconds=RETRY_AFTER_S)


def _run(message: bytes, longest_s: float) -> tuple[int, bytes, str]:
    """The exit code, the answer (at most one piece more than it may have), and the complaint."""
    with _in_memory(message) as stdin:
        child = subprocess.Popen(  # noqa: S603 - our own module, no shell reads it
            _COMMAND,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env=_environment(),
            start_new_session=True,
        )
    with child:
        assert child.stdout is not None  # noqa: S101 - it was asked for
        assert child.stderr is not None  # noqa: S101 - it was asked for
        try:
            answer = _read_all(child.stdout, time.monotonic() + longest_s)
        finally:
            # After the end of its output there is nothing more to wait for.
            _end(child)
        # What does not fit into the pipe was never taken from it: such a child was ended above.
        said = os.read(child.stderr.fileno(), _PIECE_BYTES).decode(errors="replace")
    return child.returncode, answer, said


def _end(child: subprocess.Popen[bytes]) -> None:
    try:
        child.wait(1.0)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _read_all(stream: IO[bytes], ends_at: float) -> bytes:
    """What comes until the end, until it is too much, or until the time is over."""
    answer = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while len(answer) <= MAX_ANSWER_BYTES:
            left_s = ends_at - time.monotonic()
            if left_s <= 0 or not selector.select(left_s):
                break
            piece = os.read(stream.fileno(), _PIECE_BYTES)
            if not piece:
                break
            answer += piece
    return bytes(answer)


@contextmanager
def _in_memory(message: bytes) -> Iterator[int]:
    """A descriptor that the message can be read from, without a file anywhere."""
    descriptor = os.memfd_create("upload", os.MFD_CLOEXEC)
    try:
        view = memoryview(message)
        while view:
            view = view[os.write(descriptor, view) :]
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


def _environment() -> dict[str, str]:
    """Nothing of ours but where the judge's code is; NumPy starts no threads."""
    folder = Path(judge.__file__).resolve().parent.parent
    return {
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONSAFEPATH": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "LC_ALL": "C.UTF-8",
    }
