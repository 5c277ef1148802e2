"""A real worker process around a fake grader: ``worker_process.py URL BELL_FOLDER ID DRAIN_S``.

What the grader does stands in the submission's source:

* ``gate``: says ``gate:started:<worker id>`` and waits for ``gate:go`` before it answers; with
  ``gate once`` only where the file ``armed`` still lies beside the bell's folder.
* ``crash``: the process kills itself.
"""

import os
import select
import signal
import sys
from pathlib import Path

from worker_fakes import FakeGrader, OnStage, grade_by_source

from judge.db.engine import Database
from judge.domain.problem import Problem
from judge.domain.submission import Judgement
from judge.queue.wakeup import Bell, drain
from judge.worker.loop import WorkerConfig, run
from judge.worker.stopping import stop_event


def main(url: str, bell_folder: str, worker_id: str, drain_s: str) -> None:
    bell = Bell(Path(bell_folder))
    armed = Path(bell_folder).with_name("armed")
    # A lease and a poll that no test reaches: what happens must come from bell and supervisor.
    config = WorkerConfig(worker_id, lease_s=600.0, drain_s=float(drain_s), poll_s=600.0)

    def grade(problem: Problem, source: bytes, language: str, on_stage: OnStage) -> Judgement:
        if b"crash" in source:
            os.kill(os.getpid(), signal.SIGKILL)
        if b"gate" in source and armed.exists():
            if b"once" in source:
                armed.unlink()
            _pass_gate(bell, worker_id)
        return grade_by_source(problem, source, language, on_stage)

    stop = stop_event(supervised=True)
    with Database(url) as database:
        run(database, bell, FakeGrader(grade).make, config, stop)


def _pass_gate(bell: Bell, worker_id: str) -> None:
    listener = bell.open()
    poller = select.poll()
    poller.register(listener, select.POLLIN)
    bell.ring(f"gate:started:{worker_id}")
    while "gate:go" not in drain(listener):
        poller.poll()
    bell.close(listener)


if __name__ == "__main__":
    main(*sys.argv[1:])
