"""The life of one worker process: self-test, judge, drain.

Owns the order of things in the process. One process judges one job at a time: its Dramatiq worker
has one thread; more cores are used by more processes.

A worker that fails its self-test takes no job and tries again, quietly: why it failed is logged
once, and again when that has changed.

Draining: the worker takes no further job and has ``drain_s`` seconds to end the one at hand. After
that it gives the job back, which costs the job nothing; what its thread may still compute is fenced
out by the attempt number.
"""

import logging
import os
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import dramatiq

from judge.actions.record_run import set_run_state
from judge.actions.stage import set_stage
from judge.db.engine import Database
from judge.errors import CannotIsolate, Misconfigured
from judge.queue import jobs, workers
from judge.queue.broker import POLL_S, SqlBroker, declare_lane
from judge.queue.wakeup import Bell
from judge.queue.workers import FAILED, PASSED, SelfTest, WorkerInfo
from judge.worker.graders import Graders, MakeGrader
from judge.worker.heartbeat import Heartbeat
from judge.worker.judge_job import JobJudge
from judge.worker.revisions import Revisions
from judge.worker.self_test import describe_failure, run_self_test

log = logging.getLogger(__name__)

# How soon Dramatiq's threads notice that they shall stop.
_NOTICE_MS = 250
_RETRY_SELF_TEST_S = 15.0
_SILENT_WORKERS_S = 3600.0
_HANG_EXIT_CODE = 70


Announce = Callable[[WorkerInfo], None]


def say_nothing(info: WorkerInfo) -> None:
    """For workers whose start others announce."""


@dataclass(frozen=True)
class WorkerConfig:
    """What one worker process is told.

    Args:
        worker_id: the id of its row, fresh for every process.
        lease_s: how long a claim outlives the last heartbeat: the time after which the jobs of a
            lost machine go to others.
        drain_s: how long a job may go on after the worker was told to stop.
        poll_s: how often an idle lane looks by itself.
        longest_pause_s: no test case keeps a worker for longer, however long it is kept waiting.
    """

    worker_id: str
    lease_s: float = 15.0
    drain_s: float = 8.0
    poll_s: float = POLL_S
    longest_pause_s: float = 1800.0


def run(
    database: Database,
    bell: Bell,
    make_grader: MakeGrader,
    config: WorkerConfig,
    stop: threading.Event,
    announce: Announce = say_nothing,
) -> None:
    """Judge until ``stop`` is set, in every language that the grader has.

    A worker that fails its self-test only tries that again; ``announce`` is called when it has
    passed.

    Raises:
        Misconfigured: the grader was asked for a language that this machine cannot judge.
    """
    workers.remove_silent(database, _SILENT_WORKERS_S)
    graders = Graders(make_grader)
    complain = _Complaints()
    try:
        while not stop.is_set():
            info = _introduce(graders, config, complain)
            workers.register(database, info)
            bell.ring(f"worker:{config.worker_id}")
            if info.self_test.verdict == PASSED:
                announce(info)
                _judge_until(stop, database, bell, graders, (config, info))
            else:
                graders.discard()
                stop.wait(_RETRY_SELF_TEST_S)
    finally:
        graders.close()
        workers.remove(database, config.worker_id)


class _Complaints:
    """The log's lines about failed self-tests: none says what the one before it said."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, words: str, error: Exception | None = None) -> None:
        """Log why nothing is judged, with the traceback of what nobody foresaw."""
        if words != self._last:
            log.error("self-test failed, nothing is judged: %s", words, exc_info=error)
        self._last = words


def _introduce(graders: Graders, config: WorkerConfig, complain: _Complaints) -> WorkerInfo:
    facts: dict[str, str] = {}
    languages: dict[str, dict[str, str]] = {}
    missing: dict[str, str] = {}
    try:
        grader = graders.current()
        facts, languages, missing = grader.describe(), grader.languages(), grader.missing()
        self_test = run_self_test(grader, tuple(languages))
        if self_test.verdict == FAILED:
            complain(describe_failure(self_test.report))
    except Misconfigured:
        raise
    except Exception as error:
        words = str(error) or type(error).__name__
        self_test = SelfTest(FAILED, {"error": words})
        if isinstance(error, CannotIsolate):
            facts = {"fix": error.fix}
        complain(words, None if isinstance(error, CannotIsolate) else error)
    return WorkerInfo(
        id=config.worker_id,
        host=socket.gethostname(),
        process_id=os.getpid(),
        languages=languages,
        tier=facts.get("tier", ""),
        layers=tuple(layer for layer in facts.get("layers", "").split(",") if layer),
        self_test=self_test,
        missing=missing,
        fix=facts.get("fix", ""),
    )


def _judge_until(
    stop: threading.Event,
    database: Database,
    bell: Bell,
    graders: Graders,
    identity: tuple[WorkerConfig, WorkerInfo],
) -> None:
    config, info = identity
    heartbeat = Heartbeat(
        database,
        partial(workers.keep_row, database, info),
        lease_s=config.lease_s,
        longest_pause_s=config.longest_pause_s,
        on_hang=partial(os._exit, _HANG_EXIT_CODE),
    )
    revisions = Revisions(database)
    judge = JobJudge(database, bell, graders, revisions, heartbeat, info)
    broker = SqlBroker(database, bell, config.poll_s)
    for lane in info.languages:
        declare_lane(broker, lane, partial(_judge_next, judge, lane, stop))
    worker = dramatiq.Worker(broker, worker_timeout=_NOTICE_MS, worker_threads=1)
    heartbeat.start()
    worker.start()
    revisions.warm(stop.is_set)
    stop.wait()
    workers.begin_drain(database, config.worker_id)
    worker.stop(timeout=int(config.drain_s * 1000))
    _give_back(database, bell, heartbeat)
    heartbeat.stop()


def _judge_next(judge: JobJudge, lane: str, stop: threading.Event) -> None:
    # Dramatiq's threads notice the end a little later than the event is set.
    if not stop.is_set():
        judge.judge_next(lane)


def _give_back(database: Database, bell: Bell, heartbeat: Heartbeat) -> None:
    """Return the job that did not end in time, if there is one."""
    held = heartbeat.held
    if held is None:
        return
    if held.kind == jobs.RUN_KIND:
        set_run_state(database, held, "queued")
    else:
        set_stage(database, held, "queued", 0, 0)
    if jobs.give_back(database, held):
        bell.ring(f"lane:{held.lane}")
