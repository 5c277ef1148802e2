"""The housekeeper: what has to be done from time to time, whoever asks for nothing.

It makes exports, erases accounts whose grace has ended, and deletes what requests left behind. It
runs as a thread of every server process; what is done is claimed or locked in the database, so that
several share the work. Each chore is made of short transactions, may be cut off anywhere, and does
not stop the others when it fails. The log gets counts and kinds of errors, never whose rows.
"""

import logging
import select
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from functools import partial

from judge.actions.blank_submissions import blank_erased
from judge.actions.clear_leftovers import LEFTOVERS, clear
from judge.actions.erase_account import erase_due
from judge.actions.export_data import LANE, make_next_export
from judge.db.engine import Database
from judge.db.types import new_id
from judge.queue.wakeup import Bell, drain

log = logging.getLogger(__name__)

EVERY_S = 60.0
# Without having been rung for.
_LOOK_EVERY_S = 1.0
# Being cut off in the middle is harmless, so a process that ends does not wait for long.
_PATIENCE_S = 5.0
_WAKE = "housekeeper:stop"
_MOST_EXPORTS = 20

Chore = Callable[[Database], int]


def make_exports(database: Database) -> int:
    """Make the exports that wait; how many.

    One that cannot be made comes back to the queue and holds up no other.

    Raises:
        Exception: what kept the last such one from being made, after the others.
    """
    maker_id, made = new_id(), 0
    failure: Exception | None = None
    for _ in range(_MOST_EXPORTS):
        try:
            if not make_next_export(database, maker_id):
                break
            made += 1
        except Exception as error:
            failure = error
    if failure is not None:
        raise failure
    return made


CHORES: Mapping[str, Chore] = {
    "exports made": make_exports,
    "accounts erased": erase_due,
    "submissions blanked": blank_erased,
    **{f"{what} deleted": partial(clear, what=what) for what in LEFTOVERS},
}


def run_round(database: Database, chores: Mapping[str, Chore] = CHORES) -> dict[str, int | None]:
    """Do every chore once; how much of each was done, None of one that failed."""
    done: dict[str, int | None] = {}
    for name, chore in chores.items():
        try:
            done[name] = chore(database)
        except Exception as error:
            done[name] = None
            # The error's own words may quote rows.
            places = "".join(traceback.format_tb(error.__traceback__))
            log.error("chore %r failed: %s\n%s", name, type(error).__name__, places)
    worth_saying = {name: count for name, count in done.items() if count}
    if worth_saying:
        log.info("chores: %s", worth_saying)
    return done


class Housekeeper:
    """A thread that does a round every so often, and exports when the bell rings for one."""

    def __init__(self, database: Database, bell: Bell, every_s: float = EVERY_S) -> None:
        self._database = database
        self._bell = bell
        self._every_s = every_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="housekeeper", daemon=True)

    def start(self) -> None:
        """Begin; the first round comes after an interval, so that it slows down no start."""
        self._thread.start()

    def stop(self) -> None:
        """End after the chore that is being done, or without it where that takes long."""
        self._stop.set()
        self._bell.ring(_WAKE)
        self._thread.join(_PATIENCE_S)

    def _run(self) -> None:
        listener = self._bell.open()
        next_at = time.monotonic() + self._every_s
        try:
            while not self._stop.is_set():
                select.select([listener], [], [], _LOOK_EVERY_S)
                is_rung = f"lane:{LANE}" in drain(listener)
                is_time = time.monotonic() >= next_at
                if is_time:
                    next_at = time.monotonic() + self._every_s
                if is_time or is_rung:
                    chores = CHORES if is_time else {"exports made": make_exports}
                    run_round(self._database, chores)
        finally:
            self._bell.close(listener)
