"""The verifier: a process that proves uploaded packages, beside the workers that judge.

A proof takes minutes, and nobody's submission is to wait for it; so it has a process of its own,
which starts its sandboxes when there is something to prove and ends them a while after. It judges
no submission, and no worker takes its jobs. What keeps its claim is as for a worker: a lease that a
heartbeat extends, an attempt number that fences it, a third loss that ends the job.

It loads packages in its own process. Only what was read within limits before is stored (the web
side's reading process, judge.packages.intake), so no upload can end it by what it costs to load.
"""

import logging
import select
import socket
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass

from judge.actions import verification
from judge.db.engine import Database
from judge.db.queries.judging import select_package
from judge.db.queries.problems import list_slugs
from judge.errors import PackageInvalid
from judge.grading.pipeline import Grader
from judge.grading.proof import ProofReport, report_to_json, unproved, verify
from judge.grading.proof.prove import ProofStopped
from judge.packages.archives import read_archive
from judge.packages.package import load
from judge.queue import jobs, losses
from judge.queue.jobs import Claim
from judge.queue.wakeup import Bell, drain
from judge.worker.heartbeat import Heartbeat

log = logging.getLogger(__name__)

# Without having been rung for; also how soon it notices that it has to stop.
_LOOK_EVERY_S = 1.0
MakeGrader = Callable[[], AbstractContextManager[Grader]]


@dataclass(frozen=True)
class VerifierConfig:
    """How a verifier runs.

    Attributes:
        worker_id: who claims.
        lease_s: how long a claim outlives the last heartbeat.
        idle_s: after how long without a job it ends its sandboxes.
        longest_proof_s: after how long a proof is stopped: the package is too large to be proved.
        longest_pause_s: longest time between two steps of a proof; past it the process is ended.
    """

    worker_id: str
    lease_s: float = 60.0
    idle_s: float = 60.0
    longest_proof_s: float = 3600.0
    longest_pause_s: float = 900.0


def run(
    database: Database,
    bell: Bell,
    make_grader: MakeGrader,
    config: VerifierConfig,
    stop: threading.Event,
    on_hang: Callable[[], None],
) -> None:
    """Prove until ``stop`` is set."""
    heartbeat = Heartbeat(
        database,
        lambda: None,
        lease_s=config.lease_s,
        longest_pause_s=config.longest_pause_s,
        on_hang=on_hang,
    )
    heartbeat.start()
    listener = bell.open()
    verifier = _Verifier(database, bell, make_grader, config, heartbeat, stop)
    try:
        while not stop.is_set():
            if not verifier.verify_next():
                verifier.rest()
                _wait_for_work(listener)
    finally:
        verifier.close()
        bell.close(listener)
        heartbeat.stop()


def _wait_for_work(listener: socket.socket) -> None:
    """Wait until the lane is rung for, or for a while.

    Every submission rings, and nobody's is to share its cores with a look at the database here.
    """
    ends_at_s = time.monotonic() + _LOOK_EVERY_S
    while (left_s := ends_at_s - time.monotonic()) > 0:
        select.select([listener], [], [], left_s)
        if f"lane:{verification.LANE}" in drain(listener):
            return


class _Verifier:
    """Does one job after the other with one grader, which is there only while it is needed."""

    def __init__(
        self,
        database: Database,
        bell: Bell,
        make_grader: MakeGrader,
        config: VerifierConfig,
        heartbeat: Heartbeat,
        stop: threading.Event,
    ) -> None:
        self._database = database
        self._bell = bell
        self._make_grader = make_grader
        self._config = config
        self._heartbeat = heartbeat
        self._stop = stop
        self._stack = ExitStack()
        self._grader: Grader | None = None
        self._idle_since = time.monotonic()

    def verify_next(self) -> bool:
        """Do the job whose turn it is; false if there is none."""
        if not jobs.has_work(self._database, verification.LANE):
            return False
        for job_id in losses.unsettled(self._database, (verification.LANE,)):
            revision_id = verification.record_lost(self._database, job_id)
            if revision_id is not None:
                self._bell.ring(f"revision:{revision_id}")
        config = self._config
        claim = jobs.claim(self._database, (verification.LANE,), config.worker_id, config.lease_s)
        if claim is None:
            return False
        with self._heartbeat.holding(claim):
            try:
                self._verify(claim)
            except Exception as error:
                # What broke may be the sandbox: the next proof gets a fresh one.
                log.exception("revision %s could not be verified", claim.ref_id)
                self.close()
                verification.record_fault(self._database, claim, str(error) or "unknown")
        self._bell.ring(f"revision:{claim.ref_id}")
        self._idle_since = time.monotonic()
        return True

    def rest(self) -> None:
        """End the sandboxes when nothing came for a while."""
        idle_s = time.monotonic() - self._idle_since
        if self._grader is not None and idle_s >= self._config.idle_s:
            self.close()

    def close(self) -> None:
        """End the sandboxes."""
        self._grader = None
        self._stack.close()

    def _verify(self, claim: Claim) -> None:
        with self._database.read() as connection:
            blob = select_package(connection, claim.ref_id)
            known = list_slugs(connection)
        report = self._prove(blob, known, f"revision {claim.ref_id}")
        if report is None:
            jobs.give_back(self._database, claim)
            return
        written = verification.record_report(
            self._database, claim, report_to_json(report), passed=report.passed
        )
        if not written:
            log.warning("the report of job %s came after its claim was lost", claim.job_id)

    def _prove(self, blob: bytes, known: frozenset[str], name: str) -> ProofReport | None:
        """The report; None if the process is to end before there is one."""
        ends_at = time.monotonic() + self._config.longest_proof_s

        def on_progress(step: str) -> None:
            self._heartbeat.progressed()
            if self._stop.is_set() or time.monotonic() > ends_at:
                raise ProofStopped(step)

        try:
            package = load(read_archive(blob), "")
        except PackageInvalid as error:
            return unproved(name, error.findings)
        if self._grader is None:
            self._grader = self._stack.enter_context(self._make_grader())
        try:
            return verify(package, known, self._grader, on_progress)
        except ProofStopped as stopped:
            if self._stop.is_set():
                return None
            return unproved(
                package.slug, (stopped.finding(self._config.longest_proof_s),), package.content_hash
            )
