"""A verifier with a real grader that runs beside a test, and a generator that makes its package."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from judge_data import JUDGE_DATA

from judge.db.engine import Database
from judge.grading.pipeline import Grader
from judge.harness.languages import PYTHON
from judge.queue.wakeup import Bell
from judge.worker.verifier import VerifierConfig, run

GENERATOR = """\
def generate():
    return [
        ("sample/01", [1.0, 2.0, 3.0], 1.0),
        ("secret/10-basic/01", [4.0, 2.0], 3.0),
        ("secret/10-basic/02", [4.0, 2.5], 1.0),
        ("secret/20-edges/01", [3.0], 3.0),
    ]


def fresh(seed):
    return [float((seed * step) % 7) for step in range(1, 5)], float(seed % 5) + 0.5
"""
PATIENCE_S = 120.0


@contextmanager
def verifying(
    database: Database, folder: Path, languages: tuple[str, ...] = (PYTHON,), **config: Any
) -> Iterator[threading.Event]:
    """A verifier that runs beside the block."""
    stop = threading.Event()
    make_grader = partial(Grader, languages, data_dir=JUDGE_DATA)
    settings = VerifierConfig("verifier", **config)
    arguments = (database, Bell(folder / "bell"), make_grader, settings, stop, lambda: None)
    thread = threading.Thread(target=run, args=arguments)
    thread.start()
    try:
        yield stop
    finally:
        stop.set()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
