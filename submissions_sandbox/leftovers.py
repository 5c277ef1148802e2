"""Ending whatever a run left behind.

With a pid namespace of its own a box init may kill everybody but itself. Without one it has
adopted its orphans, so all that is left is below it: it kills its children until there are none.
"""

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def end_with_leftovers(_signal: int, _frame: object) -> NoReturn:
    """A signal's handler: end everything below the caller, then the caller."""
    kill_leftovers(has_namespace=False)
    os._exit(0)


def kill_leftovers(*, has_namespace: bool) -> None:
    """End and reap every process below the caller."""
    with suppress(ChildProcessError):  # there is none, or none is left
        if has_namespace:
            with suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        while True:
            if not has_namespace:
                _kill_children()
            os.waitpid(-1, 0)


def _kill_children() -> None:
    """Kill the caller's children; each may hand over children of its own.

    They are found by their stat lines: not every kernel keeps lists of them.

    Raises:
        ChildProcessError: there is none.
    """
    os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    own = os.getpid()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[1]) == own:
                os.kill(int(path.parent.name), signal.SIGKILL)


def empty_folder(folder: str) -> None:
    """Remove everything in a folder, following no link.

    A run's processes are gone by now, so nothing changes the tree meanwhile. It may be deeper than
    descriptors or the stack would reach: a folder inside a folder is moved up before it is looked
    into. It may be closed to everybody: its owner opens it.

    Raises:
        OSError: something cannot be removed.
    """
    top = os.open(folder, _FOLDER)
    try:
        while names := os.listdir(top):  # noqa: PTH208 - not by its path
            for name in names:
                _remove(name, top)
    finally:
        os.close(top)


def _remove(name: str, top: int) -> None:
    """Remove a file or a link, or a folder with all files in it; the folders in it move up."""
    with suppress(IsADirectoryError):
        os.unlink(name, dir_fd=top)
        return
    _let_in(name, top)
    inside = os.open(name, _FOLDER, dir_fd=top)
    try:
        for below in os.listdir(inside):  # noqa: PTH208 - not by its path
            try:
                os.unlink(below, dir_fd=inside)
            except IsADirectoryError:
                _let_in(below, inside)
                os.rename(below, os.urandom(16).hex(), src_dir_fd=inside, dst_dir_fd=top)
    finally:
        os.close(inside)
    os.rmdir(name, dir_fd=top)


def _let_in(name: str, parent: int) -> None:
    """Give a folder's owner every right on it; needed to look into it, and to move it."""
    found = os.open(name, _FOLDER | os.O_PATH, dir_fd=parent)
    try:
        Path(f"/proc/self/fd/{found}").chmod(0o700)
    finally:
        os.close(found)
