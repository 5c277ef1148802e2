"""The files of one package in memory, and their ways in from a folder and out as a zip.

Owns the size limits of a package and the shape of its refusals. It never writes to the disk and
never interprets a file. Archives are judge.packages.archives'.
"""

import io
import os
import stat
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from judge.errors import Finding, PackageInvalid
from judge.packages.findings import cut_short
from judge.packages.paths import collision_findings, is_ignored, name_findings

MAX_ENTRIES = 10_000
MAX_PACKED_BYTES = 20 * 1024 * 1024
MAX_UNPACKED_BYTES = 200 * 1024 * 1024
# An archive of 10,000 bad names is told from its first ones.
MAX_FINDINGS = 100
PROOF_NAME = "verified.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class SizeLimits:
    """How much a package may be, packed and unpacked."""

    entries: int = MAX_ENTRIES
    packed_bytes: int = MAX_PACKED_BYTES
    unpacked_bytes: int = MAX_UNPACKED_BYTES

    def check(self, entries: int, unpacked_bytes: int) -> None:
        """Refuse more entries or bytes than a package may have.

        Raises:
            PackageInvalid: with the limit that is passed.
        """
        if entries > self.entries:
            refuse_as_too_large(f"there are more than {self.entries} files")
        if unpacked_bytes > self.unpacked_bytes:
            refuse_as_too_large(f"the files are larger than {self.unpacked_bytes} bytes")


LIMITS = SizeLimits()


class PackageFiles(Mapping[str, bytes]):
    """Frozen mapping of relative POSIX path to content, in sorted order.

    Raises:
        PackageInvalid: a path is unsafe, two paths collide, or there are too many files or bytes.
    """

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        findings = [finding for path in contents for finding in name_findings(path)]
        if not findings:
            findings = collision_findings(contents)
        refuse(findings)
        LIMITS.check(len(contents), sum(map(len, contents.values())))
        kept = {path: bytes(contents[path]) for path in sorted(contents) if not is_ignored(path)}
        self._contents = kept

    def __getitem__(self, path: str) -> bytes:
        return self._contents[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)

    def __hash__(self) -> int:
        return hash(tuple(self._contents.items()))

    def __repr__(self) -> str:
        return f"PackageFiles({len(self)} files)"

    def below(self, folder: str) -> tuple[str, ...]:
        """Paths of all files under a folder, at any depth, sorted."""
        return tuple(path for path in self if path.startswith(folder + "/"))


def read_folder(folder: Path, limits: SizeLimits = LIMITS) -> PackageFiles:
    """Read a package's folder; symbolic links and special files are refused, not followed.

    Raises:
        PackageInvalid: with every entry that is refused.
    """
    if not folder.is_dir():
        raise PackageInvalid((Finding("no-package", str(folder), "is not a folder"),))
    contents: dict[str, bytes] = {}
    findings: list[Finding] = []
    room = limits.unpacked_bytes
    for path, name in _walk(folder, ""):
        faults = _entry_findings(path, name)
        if not faults:
            try:
                contents[name] = _read_regular(path, room)
            except OSError as error:
                faults = [Finding("unreadable", name, f"cannot be read: {error.strerror}")]
        findings += faults
        room -= len(contents.get(name, b""))
        limits.check(len(contents) + len(findings), limits.unpacked_bytes - room)
    refuse(findings)
    return PackageFiles(contents)


def to_zip(files: PackageFiles) -> bytes:
    """The canonical zip: sorted, no dates, deflated; equal files give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            info = zipfile.ZipInfo(path, _EPOCH)
            info.create_system = 3
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


def _walk(folder: Path, prefix: str) -> Iterator[tuple[Path, str]]:
    """Everything below a folder that is not a plain folder itself, with its relative path."""
    for path in sorted(folder.iterdir()):
        name = prefix + path.name
        if is_ignored(name):
            continue
        if stat.S_ISDIR(path.lstat().st_mode) and not name_findings(name):
            yield from _walk(path, name + "/")
        else:
            yield path, name


def _entry_findings(path: Path, name: str) -> list[Finding]:
    findings = name_findings(name)
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        findings.append(Finding("unsafe-entry", name, "is a symbolic link; put the file itself"))
    elif not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        findings.append(Finding("unsafe-entry", name, "is not a regular file"))
    return findings


def _read_regular(path: Path, room: int) -> bytes:
    """Read one file, one byte more than there is room for at most."""
    # The entry was looked at before; it may have become a link or a pipe since.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags), "rb") as stream:
        return stream.read(room + 1)


def refuse(findings: Sequence[Finding]) -> None:
    """End the reading of a package if anything was found; very many findings are cut short.

    Raises:
        PackageInvalid: there are findings.
    """
    if not findings:
        return
    raise PackageInvalid(cut_short(findings, MAX_FINDINGS))


def refuse_as_too_large(message: str) -> NoReturn:
    """End the reading of a package that passes a limit.

    Raises:
        PackageInvalid: always.
    """
    raise PackageInvalid((Finding("package-too-large", "(package)", message),))
