"""What the kernel knows of processes and descriptors, read from /proc without psutil."""

import select
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def children(pid: int) -> list[int]:
    """Pids of the direct children of a process."""
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        return sorted(int(name) for t in threads for name in (t / "children").read_text().split())
    except (FileNotFoundError, ProcessLookupError):
        return _children_by_search(pid)


def _children_by_search(pid: int) -> list[int]:
    """The same where the kernel keeps no lists of children, or the process is gone."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == pid:
            found.append(int(path.parent.name))
    return sorted(found)


def descendants(pid: int) -> list[int]:
    """Pids of everything below a process, parents first."""
    found = []
    for child in children(pid):
        found += [child, *descendants(child)]
    return found


def open_descriptors(pid: int | None = None) -> int:
    """How many descriptors a process has open (the caller's own by default)."""
    return sum(1 for _ in Path(f"/proc/{pid or 'self'}/fd").iterdir())


def has_ended(pidfd: int) -> bool:
    """Wait for the end of the process behind a pidfd; False where it does not come."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(20_000))


def settle(pid: int, expected: list[int]) -> list[int]:
    """Descendants of a process, as soon as they are the expected ones, or after a long wait.

    A process whose end has been told is listed until its parent has taken notice.
    """
    return settled(lambda: descendants(pid), expected)


def settled(look: Callable[[], T], expected: T) -> T:
    """What is seen, as soon as it is the expected, or after a long wait."""
    deadline_s = time.monotonic() + 20
    while (found := look()) != expected and time.monotonic() < deadline_s:
        time.sleep(0.005)
    return found
