"""An uploaded package: zip, tar, compressed tar or folder, to its files in memory.

Owns which forms there are and the order of the checks. An archive is hostile input, and reading it
writes nothing anywhere. The form is told by the content, never by a name. Then, before any content
is unpacked: every entry is listed, counted against the limits by the sizes that it states, and
looked at; all that are refused are reported together. Only then are contents unpacked, each to its
stated size exactly. An archive inside an archive is a file like any other.

Memory: at most the archive, twice ``unpacked_bytes`` and the 80 MiB that an xz may ask for, and
the names of ``entries``. A compressed tar is unpacked in pieces and counted while it grows. Time:
every byte is unpacked once, for entries of a zip may not overlap and a compressed tar is one
stream.
"""

import bz2
import lzma
import os
import stat
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from judge.errors import Finding, PackageInvalid
from judge.packages.entries import BadArchive, Entry
from judge.packages.files import (
    LIMITS,
    PackageFiles,
    SizeLimits,
    read_folder,
    refuse,
    refuse_as_too_large,
)
from judge.packages.paths import collision_findings, is_ignored, name_findings, shown_name
from judge.packages.tar_entries import BLOCK_BYTES, is_tar, tar_entries
from judge.packages.zip_entries import zip_entries

# What `xz -9` asks for and a little more.
XZ_MEMORY_BYTES = 80 * 1024 * 1024
SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_PIECE_BYTES = 64 * 1024
# A header and the padding of the content, and the same for an extended header and a long name.
_TAR_BYTES_PER_ENTRY = 6 * BLOCK_BYTES
_TAR_BYTES_AT_END = 20 * BLOCK_BYTES
_ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
_UNPACK_ERRORS = (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError)


class _Decompressor(Protocol):
    """What zlib, bz2 and lzma have in common once zlib's is wrapped."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    """zlib's decompressor with the face of the other two."""

    def __init__(self) -> None:
        self._inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return self._inflater.eof

    @property
    def needs_input(self) -> bool:
        return not self._inflater.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inflater.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inflater.decompress(self._inflater.unconsumed_tail + data, max_length)


def _xz() -> _Decompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY_BYTES)


_DECOMPRESSORS: dict[bytes, Callable[[], _Decompressor]] = {
    b"\x1f\x8b": _Gzip,
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\x00": _xz,
}


def read_any(path: Path, limits: SizeLimits = LIMITS) -> PackageFiles:
    """Read a package from a folder or an archive on this machine.

    Raises:
        PackageInvalid: there is neither, or it is refused.
    """
    if path.is_dir():
        return read_folder(path, limits)
    try:
        # A pipe or a device would not end.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:
            is_regular = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
            blob = stream.read(limits.packed_bytes + 1) if is_regular else b""
    except (OSError, ValueError):
        is_regular = False
    if not is_regular:
        message = "is neither a folder nor an archive that can be read"
        raise PackageInvalid((Finding("not-found", shown_name(str(path)), message),))
    return read_archive(blob, limits)


def archive_stem(name: str) -> str:
    """The name of an archive's file without the suffix of its form."""
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return Path(name).stem


def read_archive(blob: bytes, limits: SizeLimits = LIMITS) -> PackageFiles:
    """Read a package's archive; a single folder around all files is taken off.

    Raises:
        PackageInvalid: the archive is damaged, too large, or holds an entry that is refused.
    """
    if len(blob) > limits.packed_bytes:
        refuse_as_too_large(f"the archive is larger than {limits.packed_bytes} bytes")
    try:
        entries = _list_entries(blob, limits)
        _check_entries(entries, limits)
        contents = {
            entry.name: entry.read()
            for entry in entries
            if not entry.is_folder and not is_ignored(entry.name)
        }
    except BadArchive as error:
        message = f"cannot be read as a package's archive: {error}"
        raise PackageInvalid((Finding("bad-archive", "(archive)", message),)) from error
    return PackageFiles(_without_outer_folder(contents))


def _list_entries(blob: bytes, limits: SizeLimits) -> list[Entry]:
    if blob.startswith(_ZIP_MARKS):
        return zip_entries(blob, limits)
    for mark, decompressor in _DECOMPRESSORS.items():
        if blob.startswith(mark):
            blob = _unpack(blob, decompressor(), limits)
            break
    if is_tar(blob):
        return tar_entries(blob, limits)
    raise BadArchive("it is no zip, tar, tar.gz, tar.bz2 or tar.xz")


def _unpack(blob: bytes, decompressor: _Decompressor, limits: SizeLimits) -> bytes:
    """The one compressed stream that an archive is; ended as soon as it grows too large."""
    room = limits.unpacked_bytes + limits.entries * _TAR_BYTES_PER_ENTRY + _TAR_BYTES_AT_END
    unpacked = bytearray()
    packed = memoryview(blob)
    place = 0
    try:
        while not decompressor.eof:
            fed = b""
            if decompressor.needs_input:
                fed = bytes(packed[place : place + _PIECE_BYTES])
                place += len(fed)
            piece = decompressor.decompress(fed, _PIECE_BYTES)
            if not piece and not fed and not decompressor.eof:
                raise BadArchive("it is cut off")
            unpacked += piece
            if len(unpacked) > room:
                refuse_as_too_large(f"the files are larger than {limits.unpacked_bytes} bytes")
    except _UNPACK_ERRORS as error:
        if isinstance(error, BadArchive):
            raise
        raise BadArchive(f"it cannot be unpacked: {error}") from error
    if decompressor.unused_data or place < len(blob):
        raise BadArchive("something stands after its end")
    return bytes(unpacked)


def _check_entries(entries: Sequence[Entry], limits: SizeLimits) -> None:
    """Refuse by names, kinds and stated sizes, before anything is unpacked."""
    limits.check(len(entries), sum(entry.size for entry in entries))
    named = [entry for entry in entries if not (entry.is_folder and entry.name in ("", "."))]
    findings = [finding for entry in named for finding in _entry_findings(entry)]
    if not findings:
        findings = collision_findings(
            (entry.name for entry in named if not entry.is_folder),
            (entry.name for entry in named if entry.is_folder),
        )
    refuse(findings)


def _entry_findings(entry: Entry) -> list[Finding]:
    """At most one finding: a bad name says enough."""
    findings = name_findings(entry.name)
    if entry.fault and not findings:
        findings = [Finding("unsafe-entry", shown_name(entry.name), entry.fault)]
    return findings


def _without_outer_folder(contents: dict[str, bytes]) -> dict[str, bytes]:
    outer = {path.partition("/")[0] for path in contents}
    if "problem.yaml" in contents or len(outer) != 1 or not all("/" in path for path in contents):
        return contents
    return {path.partition("/")[2]: content for path, content in contents.items()}
