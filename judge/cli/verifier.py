"""``judge verifier``: a process that proves uploaded packages.

``judge serve`` keeps one beside its workers; on a machine without a server it is started by hand.
Run as a module it is the same command alone.
"""

import os
from functools import partial
from typing import Annotated

import typer

from judge.actions.verification import LANE
from judge.cli.exits import DONE, NOT_DONE, error_exits, leave, run_guarded
from judge.cli.logs import set_up_logs
from judge.cli.start import open_settings
from judge.db.engine import Database
from judge.db.types import new_id
from judge.grading.pipeline import Grader
from judge.queue import jobs
from judge.queue.wakeup import Bell
from judge.worker.stopping import stop_event
from judge.worker.verifier import VerifierConfig, run

_HANG_EXIT_CODE = 70
_LONGEST_WAIT_S = 120.0


def verifier(
    worker_id: Annotated[str, typer.Option("--id", help="Its id; a new one by default.")] = "",
    supervised: Annotated[
        bool, typer.Option("--supervised", help="Leave when standard input ends.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Say whether uploads are taken on, and leave.")
    ] = False,
) -> None:
    """Prove uploaded packages until told to stop; with --check exit 1 if some wait for nobody."""
    if check:
        _check()
    stop = stop_event(supervised=supervised)
    with error_exits():
        settings = open_settings()
        set_up_logs(settings.log_level)
        make_grader = partial(Grader, data_dir=settings.data_dir)
        with Database(settings.database_url) as database:
            database.check()
            bell = Bell(settings.data_dir / "bell")
            config = VerifierConfig(worker_id or new_id())
            run(database, bell, make_grader, config, stop, partial(os._exit, _HANG_EXIT_CODE))


def _check() -> None:
    """Leave by whether an upload has waited for long while none is being verified."""
    with error_exits(), Database(open_settings().database_url) as database:
        database.check()
        waits = jobs.is_left_waiting(database, LANE, _LONGEST_WAIT_S)
    leave(NOT_DONE if waits else DONE, "uploads wait and nobody takes them" if waits else "")


if __name__ == "__main__":
    run_guarded(lambda: typer.run(verifier))
