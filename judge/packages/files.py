"""The files of one package in memory, and their ways in and out: folder and zip.

Owns the size limits of a package. It never writes to the disk and never interprets a file. A zip
is inflated in small pieces and counted while it grows, because the sizes that its directory
states are the attacker's words.
"""

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from judge.errors import Finding, PackageInvalid
from judge.packages.paths import collision_findings, is_ignored, name_findings

MAX_ENTRIES = 10_000
MAX_PACKED_BYTES = 20 * 1024 * 1024
MAX_UNPACKED_BYTES = 200 * 1024 * 1024
PROOF_NAME = "verified.json"
_CHUNK_BYTES = 64 * 1024
_DIRECTORY_ENTRY = b"PK\x01\x02"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_UTF8_FLAG = 0x800
_ENCRYPTED_FLAG = 0x1


class PackageFiles(Mapping[str, bytes]):
    """Frozen mapping of relative POSIX path to content, in sorted order.

    Raises:
        PackageInvalid: a path is unsafe, two paths collide, or there are too many files or bytes.
    """

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        findings = [finding for path in contents for finding in name_findings(path)]
        if not findings:
            findings = collision_findings(contents)
        _refuse(findings)
        _check_counts(len(contents), sum(map(len, contents.values())))
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


def read_folder(folder: Path) -> PackageFiles:
    """Read a package's folder; symbolic links and special files are refused, not followed.

    Raises:
        PackageInvalid: with every entry that is refused.
    """
    if not folder.is_dir():
        raise PackageInvalid((Finding("no-package", str(folder), "is not a folder"),))
    contents: dict[str, bytes] = {}
    findings: list[Finding] = []
    room = MAX_UNPACKED_BYTES
    for path, name in _walk(folder, ""):
        faults = _entry_findings(path, name)
        if not faults:
            try:
                contents[name] = _read_regular(path, room)
            except OSError as error:
                faults = [Finding("unreadable", name, f"cannot be read: {error.strerror}")]
        findings += faults
        room -= len(contents.get(name, b""))
        _check_counts(len(contents) + len(findings), MAX_UNPACKED_BYTES - room)
    _refuse(findings)
    return PackageFiles(contents)


def read_zip(blob: bytes) -> PackageFiles:
    """Read a package's zip; a single folder around all files is taken off.

    Raises:
        PackageInvalid: the archive is damaged, too large, or holds an entry that is refused.
    """
    if len(blob) > MAX_PACKED_BYTES:
        _too_large(f"the archive is larger than {MAX_PACKED_BYTES} bytes")
    # zipfile builds an object for every directory entry before we could count them.
    if blob.count(_DIRECTORY_ENTRY) > 2 * MAX_ENTRIES:
        _too_large(f"the archive holds more than {MAX_ENTRIES} entries")
    try:
        with zipfile.ZipFile(io.BytesIO(blob)) as archive:
            return PackageFiles(_without_outer_folder(_inflate_all(archive)))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        message = f"not a zip archive that can be read: {error}"
        raise PackageInvalid((Finding("bad-archive", "(archive)", message),)) from error


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


def _inflate_all(archive: zipfile.ZipFile) -> dict[str, bytes]:
    entries = [(info, _entry_name(info)) for info in archive.infolist()]
    _check_counts(len(entries), sum(info.file_size for info, _ in entries))
    findings = [finding for info, name in entries for finding in _info_findings(info, name)]
    plain = [(info, name) for info, name in entries if not name.endswith("/")]
    if not findings:
        findings = collision_findings(name for _, name in plain)
    _refuse(findings)
    contents: dict[str, bytes] = {}
    size = 0
    for info, name in plain:
        with archive.open(info) as stream:
            content = _read_capped(stream, MAX_UNPACKED_BYTES - size)
        size += len(content)
        if not is_ignored(name):
            contents[name] = content
    return contents


def _entry_name(info: zipfile.ZipInfo) -> str:
    """The name as its bytes say it: zipfile guesses an old code page without the UTF-8 flag."""
    raw = info.orig_filename
    if not info.flag_bits & _UTF8_FLAG:
        raw = raw.encode("cp437").decode("utf-8", "surrogateescape")
    return raw


def _info_findings(info: zipfile.ZipInfo, name: str) -> list[Finding]:
    findings = name_findings(name.removesuffix("/"))
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        findings.append(Finding("unsafe-entry", name, "is a link or a special file"))
    if info.flag_bits & _ENCRYPTED_FLAG:
        findings.append(Finding("unsafe-entry", name, "is encrypted"))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        findings.append(Finding("unsafe-entry", name, "is packed by a method other than deflate"))
    return findings


def _read_capped(stream: IO[bytes], room: int) -> bytes:
    pieces: list[bytes] = []
    while piece := stream.read(_CHUNK_BYTES):
        room -= len(piece)
        if room < 0:
            _too_large(f"the files are larger than {MAX_UNPACKED_BYTES} bytes")
        pieces.append(piece)
    return b"".join(pieces)


def _without_outer_folder(contents: dict[str, bytes]) -> dict[str, bytes]:
    outer = {path.partition("/")[0] for path in contents}
    if "problem.yaml" in contents or len(outer) != 1 or not all("/" in path for path in contents):
        return contents
    return {path.partition("/")[2]: content for path, content in contents.items()}


def _check_counts(entries: int, size: int) -> None:
    if entries > MAX_ENTRIES:
        _too_large(f"there are more than {MAX_ENTRIES} files")
    if size > MAX_UNPACKED_BYTES:
        _too_large(f"the files are larger than {MAX_UNPACKED_BYTES} bytes")


def _too_large(message: str) -> None:
    raise PackageInvalid((Finding("package-too-large", "(package)", message),))


def _refuse(findings: list[Finding]) -> None:
    if findings:
        raise PackageInvalid(tuple(findings))
