"""Folders that are built once a toolchain and kept: precompiled headers, class archives.

A folder is named after the digest of all that goes into it, built beside its place and renamed, so
that it is there whole or not at all. Processes that want the same one wait for each other.
"""

import fcntl
import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_KEPT_PER_NAME = 2


def digest_of(parts: Sequence[str]) -> str:
    """A short digest of texts, none of which can run into the next."""
    lengths = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(lengths.encode()).hexdigest()[:20]


def prepared(cache: Path, name: str, parts: Sequence[str], build: Callable[[Path], None]) -> Path:
    """The folder of ``name`` made from ``parts``; ``build`` fills an empty one if there is none.

    Raises:
        Exception: whatever ``build`` raises; nothing is kept then.
    """
    place = cache / "toolchains" / f"{name}-{digest_of(parts)}"
    with _alone(cache / "toolchains"):
        if not place.is_dir():
            _build(place, build)
            _remove_old(place, name)
    place.touch()
    return place


def _build(place: Path, build: Callable[[Path], None]) -> None:
    folder = Path(tempfile.mkdtemp(prefix=".building-", dir=place.parent))
    try:
        build(folder)
        # Boxes read it as a user who owns nothing.
        folder.chmod(0o755)
        folder.rename(place)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _remove_old(place: Path, name: str) -> None:
    """A running worker keeps seeing the folder that it has bound, removed or not."""
    folders = sorted(place.parent.glob(f"{name}-*"), key=lambda path: path.stat().st_mtime)
    for folder in folders[:-_KEPT_PER_NAME]:
        if folder != place:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
