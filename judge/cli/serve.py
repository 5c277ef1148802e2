"""The command ``judge serve``: API, pages and supervised workers from one command.

Owns the order of the start: the port first (nothing is done for a server that cannot listen), then
migrations, built-in problems, workers, and the URL only when a worker has passed its self-test or
the wait for it is over. On SIGTERM or SIGINT the web side stops first, then the workers drain.

While uvicorn runs it handles both signals itself and raises them again when it has ended; the event
of judge.worker.stopping, which takes them before and after, keeps the process alive until the
workers are stopped.
"""

import errno
import os
import select
import socket
import threading
import time
from contextlib import suppress
from typing import Annotated

import typer
import uvicorn

from judge.actions.first_admin import offer_first_admin
from judge.actions.publish_builtin import publish_builtin
from judge.cli.exits import error_exits
from judge.cli.logs import set_up_logs
from judge.cli.sandbox_lines import sandbox_lines
from judge.cli.start import open_settings
from judge.db import migrate
from judge.db.engine import Database
from judge.db.queries.workers import SAFE_TIER, LiveWorker, list_live_workers
from judge.db.types import now
from judge.errors import Conflict
from judge.packages.builtin import builtin_folder
from judge.queue.wakeup import Bell, drain
from judge.server import create_app
from judge.settings import Settings
from judge.worker.stopping import stop_event
from judge.worker.supervise import Supervisor, verifier_command

MOST_WORKERS_BY_DEFAULT = 4
# The first start of all prepares the compilers as well.
SELF_TEST_PATIENCE_S = 60.0
# Requests that wait for a verdict would hold up the end; their clients may ask again.
LAST_REQUESTS_S = 3
_MAKE_ADMIN = "scripts/judge accounts create NAME --role admin"
_NO_WORKERS = "self-test: no workers here; start some with: judge worker"
_NOT_STARTED = "self-test: no worker has started yet; see: judge doctor"
_STRANGERS_ANYWHERE = (
    "registration: open below tier A too (JUDGE_REGISTRATION=open-in-any-tier): strangers may run "
    "code in a weaker sandbox"
)
_NO_STRANGERS = (
    "registration: refused below tier A; allow it all the same with "
    "JUDGE_REGISTRATION=open-in-any-tier"
)


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any free one.")] = 8000,
    workers: Annotated[
        int | None,
        typer.Option(min=0, help="Worker processes; by default one a core, at most 4."),
    ] = None,
) -> None:
    """Serve the judge: API, pages and workers that judge."""
    with _listen(host, port) as listener, error_exits():
        stop = stop_event()
        settings = open_settings()
        set_up_logs(settings.log_level)
        with Database(settings.database_url) as database:
            migrate.upgrade_database(database)
            for sentence in publish_builtin(database, builtin_folder()):
                typer.echo(sentence)
            count = _default_workers() if workers is None else workers
            bell = Bell(settings.data_dir / "bell")
            supervisor = Supervisor(database, bell, count)
            verifier = Supervisor(database, bell, 1 if count else 0, verifier_command)
            supervisor.start()
            verifier.start()
            try:
                server = _Server(settings)
                tested = _wait_for_self_test(database, bell, supervisor, stop) if count else None
                if not stop.is_set():
                    server.announcement = (
                        *_announcement(listener, database, settings.public_url),
                        *_judging_lines(tested, count, settings.registration),
                    )
                    server.run(sockets=[listener])
            finally:
                supervisor.stop()
                verifier.stop()


def server_config(settings: Settings) -> uvicorn.Config:
    """How uvicorn serves the judge: no line a request, and only trusted proxies are believed."""
    return uvicorn.Config(
        create_app(settings),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=LAST_REQUESTS_S,
    )


class _Server(uvicorn.Server):
    """A server that prints its announcement when, and only when, it can be reached."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(server_config(settings))
        self.announcement: tuple[str, ...] = ()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Called by uvicorn; it sets ``started`` once it accepts requests."""
        await super().startup(sockets=sockets)
        if self.started:
            for line in self.announcement:
                typer.echo(line)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except UnicodeError:
        # Python encodes a host's name before it looks it up.
        typer.echo(f"judge serve: {host!r} cannot be a host's name", err=True)
        raise typer.Exit(2) from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            text = f"port {port} of {host} is in use; choose another one with --port"
        else:
            text = f"cannot listen on {host}, port {port}: {error.strerror}"
        typer.echo(f"judge serve: {text}", err=True)
        raise typer.Exit(2) from None


def _default_workers() -> int:
    return min(len(os.sched_getaffinity(0)), MOST_WORKERS_BY_DEFAULT)


def _wait_for_self_test(
    database: Database, bell: Bell, supervisor: Supervisor, stop: threading.Event
) -> LiveWorker | None:
    """The first worker of this server that has tested itself; None if none did in time."""
    listener = bell.open()
    poller = select.poll()
    poller.register(listener, select.POLLIN)
    deadline = time.monotonic() + SELF_TEST_PATIENCE_S
    try:
        while not stop.is_set() and time.monotonic() < deadline:
            drain(listener)
            with database.read() as connection:
                live = list_live_workers(connection, now())
            own = [worker for worker in live if worker.id in supervisor.worker_ids()]
            if own:
                return own[0]
            poller.poll(250)
    finally:
        bell.close(listener)
    return None


def _announcement(listener: socket.socket, database: Database, public_url: str) -> list[str]:
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    own = f"http://{shown}:{port}"
    lines = [f"Decode Judge: {own}"]
    with suppress(Conflict):
        link = offer_first_admin(database)
        lines.append(f"No admin yet; within a day, once: {public_url or own}{link.path}")
        lines.append(f"or here: {_MAKE_ADMIN}")
    return lines


def _judging_lines(tested: LiveWorker | None, count: int, registration: str) -> list[str]:
    """How programs are kept in here, who may register, and which languages are judged."""
    # Whatever the tier here: workers elsewhere may have another, and it may be another tomorrow.
    anywhere = [_STRANGERS_ANYWHERE] if registration == "open-in-any-tier" else []
    if tested is None:
        return [_NOT_STARTED if count else _NO_WORKERS, *anywhere]
    if tested.self_test != "passed":
        return [_failure_line(tested.fix), *anywhere]
    lines = sandbox_lines(tested.tier, tested.layers, tested.fix) + anywhere
    if tested.tier != SAFE_TIER and registration == "open":
        lines.append(_NO_STRANGERS)
    lines += [f"self-test: {language} \N{CHECK MARK}" for language in tested.languages]
    lines += [
        f"self-test: {language} missing; install it with: {fix}"
        for language, fix in tested.missing.items()
    ]
    return lines


def _failure_line(fix: str) -> str:
    """``fix`` is known where the machine offers no sandbox at all."""
    what_to_do = f"no sandbox can be had here; {fix}" if fix else "see: judge doctor"
    return f"self-test: failed, nothing is judged; {what_to_do}"
