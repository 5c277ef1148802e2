"""The heartbeat: keeps the lease of the job at hand and the worker's row fresh.

Owns one thread. Never judges and never ends a claim. A thread of its own, because grading may keep
the worker's other thread busy for longer than a lease. If the whole process is frozen this thread
is too: the lease ends, the job goes to somebody else, and what this worker writes later is fenced
out by the claim's attempt number. So a lost lease needs no action here.

A grading that makes no progress for longer than any test case can take (``longest_pause_s``) hangs
inside the judge. Then ``on_hang`` is called, which ends the process: the supervisor counts the loss
and starts another.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator

from judge.db.engine import Database
from judge.queue import jobs
from judge.queue.jobs import Claim

log = logging.getLogger(__name__)

BEATS_PER_LEASE = 3


class Heartbeat:
    """Beats from ``start`` to ``stop``.

    ``keep_row`` says that the process lives; ``lease_s`` is how long a claim outlives a beat.
    """

    def __init__(
        self,
        database: Database,
        keep_row: Callable[[], None],
        *,
        lease_s: float,
        longest_pause_s: float,
        on_hang: Callable[[], None],
    ) -> None:
        self.lease_s = lease_s
        self.held: Claim | None = None
        self._database = database
        self._keep_row = keep_row
        self._longest_pause_s = longest_pause_s
        self._on_hang = on_hang
        self._held_since = 0.0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._thread.start()

    def stop(self) -> None:
        """Beat no more."""
        self._stopped.set()
        self._thread.join()

    @contextlib.contextmanager
    def holding(self, claim: Claim) -> Iterator[None]:
        """Extend the claim's lease for as long as the block runs."""
        self._held_since = time.monotonic()
        self.held = claim
        try:
            yield
        finally:
            self.held = None

    def progressed(self) -> None:
        """The job at hand came a step further."""
        self._held_since = time.monotonic()

    def beat(self) -> None:
        """One beat: the process's row, then the lease of the claim at hand."""
        self._keep_row()
        held = self.held
        if held is None:
            return
        if time.monotonic() - self._held_since > self._longest_pause_s:
            log.critical("job %s hangs in the judge", held.job_id)
            self._on_hang()
        elif not jobs.extend(self._database, held, self.lease_s) and self.held is held:
            # A job that ended while the beat waited for the database has no lease either.
            log.warning("job %s is lost to another worker", held.job_id)

    def _run(self) -> None:
        while not self._stopped.wait(self.lease_s / BEATS_PER_LEASE):
            try:
                self.beat()
            except Exception:
                # The database may be away for a moment: the next beat may still be in time.
                log.exception("a heartbeat failed")
