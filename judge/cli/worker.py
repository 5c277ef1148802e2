"""The command ``judge worker``: one judge worker process.

Started on its own on a machine that only judges, or by the supervisor of ``judge serve``, which
starts this very module: the command line's root imports the web side too, which doubles the time
until a worker that died is replaced.
"""

import socket
from functools import partial
from typing import Annotated

import typer

from judge.cli.exits import DONE, NOT_DONE, error_exits, leave, run_guarded
from judge.cli.logs import set_up_logs
from judge.cli.sandbox_lines import sandbox_lines
from judge.cli.start import open_settings
from judge.db.engine import Database
from judge.db.queries.workers import LiveWorker, list_live_workers
from judge.db.types import new_id, now
from judge.errors import Misconfigured
from judge.grading.pipeline import Grader
from judge.harness.languages import LANGUAGES
from judge.queue.wakeup import Bell
from judge.queue.workers import PASSED, WorkerInfo
from judge.worker.loop import WorkerConfig, run, say_nothing
from judge.worker.stopping import stop_event


def worker(
    worker_id: Annotated[
        str, typer.Option("--id", help="Id of the worker's row; a fresh one by default.")
    ] = "",
    language: Annotated[
        list[str] | None,
        typer.Option(help="A language to judge; may be given again. By default all that are here."),
    ] = None,
    supervised: Annotated[
        bool, typer.Option("--supervised", help="Leave when standard input ends.")
    ] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Say whether a worker of this machine judges, and leave."),
    ] = False,
) -> None:
    """Judge submissions until told to stop; with --check exit 0 if one does that here, else 1."""
    if check:
        _check_host()
    stop = stop_event(supervised=supervised)
    languages = tuple(language or ())
    config = WorkerConfig(worker_id or new_id())
    with error_exits():
        _check_languages(languages)
        settings = open_settings()
        set_up_logs(settings.log_level)
        with Database(settings.database_url) as database:
            database.check()
            bell = Bell(settings.data_dir / "bell")
            make_grader = partial(Grader, languages or None, data_dir=settings.data_dir)
            # The supervisor's server speaks for all of its workers at once.
            announce = say_nothing if supervised else _announce
            run(database, bell, make_grader, config, stop, announce)


def _check_host() -> None:
    """Leave by what the workers of this machine, or of this container, last said of themselves."""
    with error_exits(), Database(open_settings().database_url) as database:
        database.check()
        with database.read() as connection:
            live = list_live_workers(connection, now())
    here = [each for each in live if each.host == socket.gethostname()]
    if any(each.self_test == PASSED for each in here):
        leave(DONE)
    leave(NOT_DONE, f"judge worker: {_why_not(here)}")


def _why_not(here: list[LiveWorker]) -> str:
    if not here:
        return "none lives on this machine"
    fixes = [each.fix for each in here if each.fix]
    return f"the self-test failed; {fixes[0] if fixes else 'see its log, and: judge doctor'}"


def _announce(info: WorkerInfo) -> None:
    for line in sandbox_lines(info.tier, info.layers, info.fix):
        typer.echo(line)


def _check_languages(languages: tuple[str, ...]) -> None:
    for language in languages:
        if language not in LANGUAGES:
            offered = ", ".join(LANGUAGES)
            raise Misconfigured(f"language {language!r} is not offered; choose from: {offered}")


if __name__ == "__main__":
    run_guarded(lambda: typer.run(worker))
