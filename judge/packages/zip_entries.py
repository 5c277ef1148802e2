"""The entries of a zip, read by a strict and small parser of our own.

The standard library's reader repairs what it finds: bytes before and after the archive, entries
that share their bytes, a name guessed in an old code page. Every one of these lets one archive
mean different things to different readers. Here the archive is exactly entries, directory, end
mark; entries do not overlap; a name is UTF-8 whatever its flag says. Sizes are the attacker's
words until the content was inflated to exactly that many bytes with the stated checksum.

Never writes anything. No zip64, no encryption, no parts on several disks, stored or deflated only.
"""

import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from judge.packages.entries import BadArchive, Entry
from judge.packages.files import SizeLimits

_DIRECTORY_END = struct.Struct("<4s4H2LH")
_DIRECTORY_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_END_MARK, _ENTRY_MARK, _LOCAL_MARK = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
_MAX_COMMENT_BYTES = 0xFFFF
_ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000
_STORED, _DEFLATED = 0, 8
_UNICODE_PATH_EXTRA = 0x7075
_ZIP64_SIZE = 0xFFFFFFFF


@dataclass(frozen=True)
class _Header:
    """What the directory says of one entry."""

    raw_name: bytes
    flags: int
    method: int
    checksum: int
    packed_bytes: int
    size: int
    offset: int
    kind: int
    extra: bytes


def zip_entries(blob: bytes, limits: SizeLimits) -> list[Entry]:
    """The entries of a zip in the order of its directory.

    Raises:
        BadArchive: the archive is damaged or not built as a plain zip is.
        PackageInvalid: its end mark states more entries than a package may have.
    """
    directory, count = _find_directory(blob, limits)
    headers = list(_headers(blob, directory, count))
    places = [_content_place(blob, header) for header in headers]
    spans = sorted(
        (header.offset, place.stop) for header, place in zip(headers, places, strict=True)
    )
    if any(later[0] < earlier[1] for earlier, later in pairwise(spans)):
        raise BadArchive("two of its entries share bytes")
    if spans and spans[-1][1] > directory.start:
        raise BadArchive("an entry reaches into its directory")
    return [_entry(blob, header, place) for header, place in zip(headers, places, strict=True)]


def _find_directory(blob: bytes, limits: SizeLimits) -> tuple[range, int]:
    """Where the directory stands, and how many entries it has."""
    start = max(0, len(blob) - _DIRECTORY_END.size - _MAX_COMMENT_BYTES)
    place = blob.rfind(_END_MARK, start)
    if place < 0 or place + _DIRECTORY_END.size > len(blob):
        raise BadArchive("its end is missing")
    fields = _DIRECTORY_END.unpack_from(blob, place)
    _, disk, first_disk, here, count, size, offset, comment_bytes = fields
    if place + _DIRECTORY_END.size + comment_bytes != len(blob):
        raise BadArchive("something stands after its end")
    if 0xFFFF in (disk, here, count) or _ZIP64_SIZE in (size, offset):
        raise BadArchive("it is a zip64, which no package needs")
    if disk or first_disk or here != count:
        raise BadArchive("it is one part of several")
    limits.check(count, 0)
    if offset + size != place:
        raise BadArchive("its directory does not stand right before its end")
    return range(offset, place), count


def _headers(blob: bytes, directory: range, count: int) -> Iterator[_Header]:
    place = directory.start
    for _ in range(count):
        if place + _DIRECTORY_ENTRY.size > directory.stop:
            raise BadArchive("its directory is cut off")
        fields = _DIRECTORY_ENTRY.unpack_from(blob, place)
        mark, _, _, flags, method, _, _, checksum, packed_bytes, size = fields[:10]
        name_bytes, extra_bytes, comment_bytes, disk, _, attributes, offset = fields[10:]
        if mark != _ENTRY_MARK or disk:
            raise BadArchive("its directory is damaged")
        name_at = place + _DIRECTORY_ENTRY.size
        extra_at = name_at + name_bytes
        place = extra_at + extra_bytes + comment_bytes
        if place > directory.stop:
            raise BadArchive("its directory is cut off")
        yield _Header(
            raw_name=blob[name_at:extra_at],
            flags=flags,
            method=method,
            checksum=checksum,
            packed_bytes=packed_bytes,
            size=size,
            offset=offset,
            kind=stat.S_IFMT(attributes >> 16),
            extra=blob[extra_at : extra_at + extra_bytes],
        )
    if place != directory.stop:
        raise BadArchive("its directory is longer than its entries")


def _content_place(blob: bytes, header: _Header) -> range:
    """Where an entry's packed content stands, by the header in front of it."""
    if header.offset + _LOCAL_HEADER.size > len(blob):
        raise BadArchive("an entry stands behind its end")
    fields = _LOCAL_HEADER.unpack_from(blob, header.offset)
    name_at = header.offset + _LOCAL_HEADER.size
    start = name_at + fields[-2] + fields[-1]
    if fields[0] != _LOCAL_MARK or blob[name_at : name_at + fields[-2]] != header.raw_name:
        raise BadArchive("an entry is not where its directory says")
    return range(start, start + header.packed_bytes)


def _entry(blob: bytes, header: _Header, place: range) -> Entry:
    name = header.raw_name.decode("utf-8", "surrogateescape")
    is_folder = name.endswith("/")
    return Entry(
        name=name.removesuffix("/"),
        is_folder=is_folder,
        size=header.size,
        fault=_fault(header, is_folder=is_folder),
        read=partial(_read, blob, header, place),
    )


def _fault(header: _Header, *, is_folder: bool) -> str:
    if header.kind not in (0, stat.S_IFDIR if is_folder else stat.S_IFREG):
        return "is a link or a special file"
    if is_folder and header.size:
        return "is a folder that has content"
    if header.flags & _ENCRYPTED_FLAGS:
        return "is encrypted"
    if header.method not in (_STORED, _DEFLATED):
        return "is packed by a method other than deflate"
    if _other_name(header.extra) not in (b"", header.raw_name):
        return "has a second name"
    return ""


def _other_name(extra: bytes) -> bytes:
    """The name in an extra field for readers that do not trust the first one."""
    place = 0
    while place + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, place)
        if kind == _UNICODE_PATH_EXTRA:
            # One byte of version and four of checksum stand in front of the name.
            return extra[place + 9 : place + 4 + size]
        place += 4 + size
    return b""


def _read(blob: bytes, header: _Header, place: range) -> bytes:
    """Inflate one entry; never to more than one byte above its stated size."""
    packed = memoryview(blob)[place.start : place.stop]
    if header.method == _STORED:
        content, is_whole = bytes(packed), True
    else:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflater.decompress(packed, header.size + 1)
        except zlib.error as error:
            raise BadArchive(f"an entry cannot be unpacked: {error}") from error
        is_whole = inflater.eof and not inflater.unused_data
    if not is_whole or len(content) != header.size:
        raise BadArchive("an entry has another size than its directory says")
    if zlib.crc32(content) != header.checksum:
        raise BadArchive("an entry differs from its checksum")
    return content
