"""Programs that were compiled before, by what they were compiled from.

Owns a folder of files named after digests. The key is made on this side, from the source, the
signature and the toolchain, so nobody can put a program in another one's place; what is kept is
still only a learner's program and runs in boxes. A file that is damaged counts as not there.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_MOST_BYTES = 512 * 1024 * 1024
_PRUNE_EVERY = 100
_PRUNE_EVERY_BYTES = 64 * 1024 * 1024
_DIGEST_BYTES = 32
_PROGRAM, _WORDS = b"P", b"W"


class CompiledStore:
    """Keeps programs, and compilers' words against sources, on disk.

    Several processes may share the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._puts = 0
        self._bytes_since_prune = 0

    @staticmethod
    def key(parts: Sequence[str]) -> str:
        """The name under which what was made of these texts is kept."""
        return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()

    def find(self, key: str) -> bytes | str | None:
        """The program, or the compiler's words, kept under a key, if there is either."""
        path = self._folder / key
        try:
            content = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        digest, kind, body = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:][:1], content[33:]
        if hashlib.sha256(kind + body).digest() != digest:
            return None
        return body if kind == _PROGRAM else body.decode()

    def put(self, key: str, made: bytes | str) -> None:
        """Keep what came of a compilation; a full disk only means that it is not kept."""
        kept = _PROGRAM + made if isinstance(made, bytes) else _WORDS + made.encode()
        with suppress(OSError):
            self._write(key, hashlib.sha256(kept).digest() + kept)
            self._puts += 1
            self._bytes_since_prune += len(kept)
            if self._puts % _PRUNE_EVERY == 1 or self._bytes_since_prune > _PRUNE_EVERY_BYTES:
                self._bytes_since_prune = 0
                self._prune()

    def _write(self, key: str, content: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".new-", dir=self._folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(name).rename(self._folder / key)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _prune(self) -> None:
        """Remove what was not used for longest until the rest fits."""
        entries = []
        for path in self._folder.iterdir():
            with suppress(OSError):
                facts = path.stat()
                entries.append((facts.st_mtime, facts.st_size, path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= _MOST_BYTES:
                return
            path.unlink(missing_ok=True)
            total -= size
