"""The supervisor: keeps a number of worker processes alive.

Owns the worker processes of one server. Never judges and never decides what a loss means: it only
says, the moment a process dies, that the process's jobs are free (judge.queue.losses), rings for
their lanes and starts another process after a pause that grows while processes die young.

How it works: one thread a worker waits for its process. A process gets a fresh worker id, so what
is done about a dead one cannot touch its successor. Its standard input is a pipe that only this
process holds open: if the supervisor dies, even by SIGKILL, the workers read the end of the file,
finish and leave (judge.worker.stopping). Workers have sessions of their own, so that a Ctrl-C in
the terminal reaches the server alone, which then stops them in order.
"""

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from judge.db.engine import Database
from judge.db.types import new_id
from judge.queue import losses, workers
from judge.queue.wakeup import Bell

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 10.0
# A process that lived for this long did not die of its start.
_LIVED_S = 30.0

MakeCommand = Callable[[str], list[str]]


def worker_command(worker_id: str) -> list[str]:
    """The command ``judge worker`` of this installation, without the rest of the command line."""
    return [sys.executable, "-m", "judge.cli.worker", "--id", worker_id, "--supervised"]


def verifier_command(worker_id: str) -> list[str]:
    """The same for ``judge verifier``."""
    return [sys.executable, "-m", "judge.cli.verifier", "--id", worker_id, "--supervised"]


class Supervisor:
    """Runs ``count`` worker processes from ``start`` to ``stop``."""

    def __init__(
        self,
        database: Database,
        bell: Bell,
        count: int,
        make_command: MakeCommand = worker_command,
    ) -> None:
        self._database = database
        self._bell = bell
        self._make_command = make_command
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._threads = [
            threading.Thread(target=self._keep_one, name=f"worker-watch-{number}", daemon=True)
            for number in range(count)
        ]

    def start(self) -> None:
        """Start the workers; does not wait until they are ready."""
        for thread in self._threads:
            thread.start()

    def worker_ids(self) -> tuple[str, ...]:
        """The ids of the processes that run now."""
        with self._lock:
            return tuple(self._children)

    def process_id(self, worker_id: str) -> int | None:
        """The process of a worker that runs now."""
        with self._lock:
            child = self._children.get(worker_id)
        return None if child is None else child.pid

    def stop(self, timeout_s: float = 15.0) -> None:
        """Let every worker drain; kill what has not left after ``timeout_s`` seconds."""
        with self._lock:
            self._stopping.set()
            for child in self._children.values():
                child.terminate()
        deadline = time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        with self._lock:
            for child in self._children.values():
                child.kill()
        for thread in self._threads:
            thread.join()

    def _keep_one(self) -> None:
        pause_s = FIRST_PAUSE_S
        while not self._stopping.is_set():
            started_at = time.monotonic()
            try:
                self._run_one()
            except Exception:
                log.exception("a worker could not be started or buried")
            if time.monotonic() - started_at > _LIVED_S:
                pause_s = FIRST_PAUSE_S
            self._stopping.wait(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _run_one(self) -> None:
        worker_id = new_id()
        with self._lock:
            if self._stopping.is_set():
                return
            child = subprocess.Popen(  # noqa: S603 - the command is ours, no shell reads it
                self._make_command(worker_id), stdin=subprocess.PIPE, start_new_session=True
            )
            self._children[worker_id] = child
        code = child.wait()
        with self._lock:
            del self._children[worker_id]
        if child.stdin is not None:
            child.stdin.close()
        if not self._stopping.is_set():
            log.warning("worker %s ended with code %s", worker_id, code)
        self._bury(worker_id)

    def _bury(self, worker_id: str) -> None:
        """Free the jobs of a dead worker; after an orderly end there are none."""
        released = losses.release_worker(self._database, worker_id)
        workers.remove(self._database, worker_id)
        for lane in sorted({lost.lane for lost in released}):
            self._bell.ring(f"lane:{lane}")
