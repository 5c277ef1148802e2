"""Builds archives for tests: plain ones in every form, and pieces to spoil them with."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping

CONTENTS = {"problem.yaml": b"name: x\n" * 9, "data/sample/01.in": b"{}", "statement/p.en.md": b""}


def zip_of(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    """A deflated zip as the standard library writes it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def tar_of(*entries: tuple[str | tarfile.TarInfo, bytes], form: int = tarfile.GNU_FORMAT) -> bytes:
    """A tar as the standard library writes it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for name, content in entries:
            info = tarfile.TarInfo(name) if isinstance(name, str) else name
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def tar_info(name: str, **fields: object) -> tarfile.TarInfo:
    """A tar entry with some fields set."""
    info = tarfile.TarInfo(name)
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def tar_header(name: bytes, size: bytes = b"00000000000", kind: bytes = b"0") -> bytes:
    """One ustar header by hand, with a right checksum."""
    header = bytearray(512)
    header[: len(name)] = name
    header[100:107], header[124 : 124 + len(size)] = b"0000644", size
    header[156:157], header[257:265] = kind, b"ustar\x0000"
    header[148:156] = b" " * 8
    header[148:155] = b"%06o\x00" % sum(header)
    return bytes(header)


def pax(records: bytes, kind: bytes = b"x") -> bytes:
    """The blocks of an extended header."""
    return tar_header(b"pax", b"%011o" % len(records), kind) + padded(records)


def padded(content: bytes) -> bytes:
    """A content filled up to whole blocks."""
    return content + bytes(-len(content) % 512)


def pax_record(key: bytes, value: bytes) -> bytes:
    """One record; its length counts itself."""
    length = len(key) + len(value) + 3
    while len(b"%d" % length) + len(key) + len(value) + 3 != length:
        length += 1
    return b"%d %s=%s\n" % (length, key, value)


def spoiled_zip(blob: bytes, changes: Mapping[int, bytes], mark: bytes) -> bytes:
    """A zip with bytes at some offsets behind the last of a mark replaced."""
    result = bytearray(blob)
    place = result.rindex(mark)
    for offset, content in changes.items():
        result[place + offset : place + offset + len(content)] = content
    return bytes(result)


def zip_with_shared_content(copies: int, size: int) -> bytes:
    """A bomb: many entries of the directory name one deflated content."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    content = bytes(size)
    packed = packer.compress(content) + packer.flush()
    sizes = (zlib.crc32(content), len(packed), size)
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 33, *sizes, 1, 0) + b"a" + packed
    entry = struct.pack(
        "<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 33, *sizes, 1, 0, 0, 0, 0, 0, 0
    )
    directory = (entry + b"a") * copies
    end = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, copies, copies, len(directory), len(local), 0
    )
    return local + directory + end


FORMS: dict[str, Callable[[], bytes]] = {
    "zip": lambda: zip_of(*CONTENTS.items()),
    "zip, stored": lambda: zip_of(*((zipfile.ZipInfo(k), v) for k, v in CONTENTS.items())),
    "tar": lambda: tar_of(*CONTENTS.items()),
    "tar, pax": lambda: tar_of(*CONTENTS.items(), form=tarfile.PAX_FORMAT),
    "tar, ustar": lambda: tar_of(*CONTENTS.items(), form=tarfile.USTAR_FORMAT),
    "tar.gz": lambda: gzip.compress(FORMS["tar"]()),
    "tar.bz2": lambda: bz2.compress(FORMS["tar"]()),
    "tar.xz": lambda: lzma.compress(FORMS["tar"]()),
    "tar.xz, the strongest": lambda: lzma.compress(FORMS["tar"](), preset=9),
}
