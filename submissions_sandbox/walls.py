"""What a zygote's runs may reach by path, as Landlock rules; and as whom they run in tier B.

In tier A the rules repeat what the mount namespace shows, so that a hole in one of the two is not
a way out. In tier B they are all there is: a folder that a profile covers is left out by allowing
its neighbours one by one.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from submissions_sandbox.landlock import READ_DIR, READ_TREE, READ_WRITE_FILE, SCRATCH, Allowed
from submissions_sandbox.namespaces import UNUSED_HOST_ID
from submissions_sandbox.profile import Bind, Profile
from submissions_sandbox.rootfs import DEVICES, WORK

# What the judge and whoever else this user is may start later.
_THREADS_TO_COME = 1024
_ALL_DEVICES = tuple(Allowed(f"/dev/{name}", READ_WRITE_FILE) for name in DEVICES)


def walls_in_own_root(profile: Profile) -> tuple[Allowed, ...]:
    """Tier A: paths as the box sees them."""
    shown = (Allowed(bind.target, READ_TREE) for bind in profile.binds)
    return (Allowed("/", READ_DIR), *shown, *_ALL_DEVICES, Allowed(WORK, SCRATCH))


def walls_on_host(profile: Profile, scratch: str) -> tuple[Allowed, ...]:
    """Tier B: paths of the host; ``scratch`` is the one folder that may be written, if any."""
    shown = [one for bind in profile.binds for one in _without_covered(bind)]
    private = (Allowed(scratch, SCRATCH),) if scratch else ()
    return (*shown, *_ALL_DEVICES, *private)


def _without_covered(bind: Bind) -> list[Allowed]:
    if not bind.covered:
        return [Allowed(bind.source, READ_TREE)]
    # Python lists the folders that it searches; names of packages may be seen, their files not.
    return [Allowed(bind.source, READ_DIR), *_neighbours(Path(bind.source), bind.covered)]


def _neighbours(folder: Path, covered: Sequence[str]) -> list[Allowed]:
    """Everything in a folder but the covered paths below it."""
    found = []
    for path in folder.iterdir():
        below = [name.partition("/")[2] for name in covered if name.split("/")[0] == path.name]
        if not below:
            found.append(Allowed(str(path), READ_TREE))
        elif "" not in below:
            found += _neighbours(path, below)
    return found


def user_in_tier_b(profile: Profile) -> int | None:
    """An id that owns nothing, for a zygote that is root, if all that it shows can be read so."""
    if os.geteuid() != 0:
        return None
    probe = os.fork()
    if probe == 0:
        os._exit(0 if _reads_all(profile) else 1)
    _, status = os.waitpid(probe, 0)
    return UNUSED_HOST_ID if status == 0 else None


def _reads_all(profile: Profile) -> bool:
    """Whether an id that owns nothing reaches the profile's files; the caller becomes that id."""
    try:
        os.setgroups([])
        os.setresgid(UNUSED_HOST_ID, UNUSED_HOST_ID, UNUSED_HOST_ID)
        os.setresuid(UNUSED_HOST_ID, UNUSED_HOST_ID, UNUSED_HOST_ID)
    except OSError:
        return False
    return all(os.access(bind.source, os.R_OK) for bind in profile.binds)


def processes_beside() -> int:
    """Threads that the caller's user may have besides those of boxes.

    The kernel counts a user's threads together, and without namespaces it counts all of them.
    """
    own, threads = os.getuid(), 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError, ValueError, KeyError):  # it has ended
            lines = (line.partition(":") for line in status.read_text().splitlines())
            fields = {name: value.split() for name, _, value in lines}
            threads += int(fields["Threads"][0]) if int(fields["Uid"][0]) == own else 0
    return threads + _THREADS_TO_COME
