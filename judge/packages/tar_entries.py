"""The entries of a tar, read by a strict and small parser of our own.

Takes what ``tar``, ``git archive`` and Python write for plain files and folders: ustar headers, the
path of a pax header, GNU's long names. Everything else that a header can say (links, devices,
holes, another size, another way to write numbers) is refused, because each is a way to make one
archive mean two things. The archive ends with its two empty blocks and nothing after them.

Never writes anything and never copies a content before it is asked for.
"""

from dataclasses import dataclass
from functools import partial

from judge.packages.entries import BadArchive, Entry
from judge.packages.files import SizeLimits

BLOCK_BYTES = 512
MAGIC = slice(257, 262)
_USTAR = b"ustar"
_POSIX = b"ustar\x00"
_EMPTY_BLOCK = bytes(BLOCK_BYTES)
_END_BLOCKS = 2
_MAX_EXTENSION_BYTES = 64 * 1024
_MAX_RECORDS = 64
_FILE_KINDS = (b"0", b"\x00")
_FOLDER, _PAX, _PAX_FOR_ALL, _LONG_NAME, _LONG_LINK = b"5", b"x", b"g", b"L", b"K"
_EXTENSIONS = (_PAX, _PAX_FOR_ALL, _LONG_NAME, _LONG_LINK)
_KINDS = {
    b"1": "is a hard link",
    b"2": "is a symbolic link",
    b"3": "is a device",
    b"4": "is a device",
    b"6": "is a pipe",
    b"S": "is a file with holes",
}


@dataclass
class _Extensions:
    """What the blocks in front of an entry say of it; empty again after every entry."""

    kinds: list[bytes]
    name: bytes = b""
    fault: str = ""


def is_tar(blob: bytes) -> bool:
    """Whether a text begins with a tar header; old tars without a magic word are none."""
    return blob[MAGIC] == _USTAR


def tar_entries(blob: bytes, limits: SizeLimits) -> list[Entry]:
    """The entries of a tar in order.

    Raises:
        BadArchive: the archive is damaged, cut off, or goes on after its end.
        PackageInvalid: there are more entries than a package may have.
    """
    entries: list[Entry] = []
    extensions = _Extensions([])
    place = 0
    while (header := blob[place : place + BLOCK_BYTES]) != _EMPTY_BLOCK:
        _check_header(header)
        size = _number(header[124:136])
        content = range(place + BLOCK_BYTES, place + BLOCK_BYTES + size)
        if content.stop > len(blob):
            raise BadArchive("it is cut off")
        kind = header[156:157]
        if kind in _EXTENSIONS:
            _extend(extensions, kind, blob[content.start : content.stop])
        else:
            entries.append(_entry(blob, header, content, extensions))
            extensions = _Extensions([])
        limits.check(len(entries), 0)
        place = content.start + -(-size // BLOCK_BYTES) * BLOCK_BYTES
    if extensions.kinds and extensions.kinds != [_PAX_FOR_ALL]:
        raise BadArchive("it ends in front of an entry")
    _check_end(blob, place)
    return entries


def _check_header(header: bytes) -> None:
    if len(header) < BLOCK_BYTES:
        raise BadArchive("it is cut off")
    stated = _number(header[148:156])
    if stated != sum(header) - sum(header[148:156]) + 8 * ord(" ") or not is_tar(header):
        raise BadArchive("a header is damaged")


def _number(field: bytes) -> int:
    digits = field.strip(b" \x00")
    if not digits or any(digit not in b"01234567" for digit in digits):
        raise BadArchive("a header holds a number that is not octal")
    return int(digits, 8)


def _check_end(blob: bytes, place: int) -> None:
    rest = len(blob) - place
    if rest < _END_BLOCKS * BLOCK_BYTES:
        raise BadArchive("it is cut off")
    if blob.count(0, place) != rest:
        raise BadArchive("something stands after its end")


def _extend(extensions: _Extensions, kind: bytes, content: bytes) -> None:
    """Take in one block of extensions; no kind may come twice before an entry."""
    if kind in extensions.kinds or len(content) > _MAX_EXTENSION_BYTES:
        raise BadArchive("an extended header is given twice or too long")
    extensions.kinds.append(kind)
    if kind == _LONG_NAME:
        _rename(extensions, content.rstrip(b"\x00"))
    elif kind in (_PAX, _PAX_FOR_ALL):
        for key, value in _pax_records(content):
            if key == b"path" and kind == _PAX:
                _rename(extensions, value)
            elif key in (b"path", b"size") or key.startswith((b"GNU.sparse", b"hdrcharset")):
                word = key.decode("utf-8", "backslashreplace")
                extensions.fault = f"has an extended header that states {word}"


def _rename(extensions: _Extensions, name: bytes) -> None:
    if extensions.name not in (b"", name):
        extensions.fault = "has a second name"
    extensions.name = name


def _pax_records(content: bytes) -> list[tuple[bytes, bytes]]:
    """The records ``<length> <key>=<value>`` of an extended header."""
    records: list[tuple[bytes, bytes]] = []
    place = 0
    while place < len(content):
        digits = content[place : place + 8].partition(b" ")[0]
        length = int(digits) if digits.isdigit() else 0
        record = content[place : place + length]
        key, equals, value = record[len(digits) + 1 :].partition(b"=")
        is_whole = equals and value.endswith(b"\n") and len(record) == length
        if not is_whole or len(records) == _MAX_RECORDS:
            raise BadArchive("an extended header is damaged")
        records.append((key, value[:-1]))
        place += length
    return records


def _entry(blob: bytes, header: bytes, content: range, extensions: _Extensions) -> Entry:
    kind = header[156:157]
    raw_name = extensions.name or _stated_name(header)
    # `tar -C folder .` writes ./problem.yaml, and an entry for the folder itself.
    name = raw_name.decode("utf-8", "surrogateescape").removeprefix("./")
    is_folder = kind == _FOLDER
    fault = extensions.fault
    if not is_folder and kind not in _FILE_KINDS:
        fault = _KINDS.get(kind, "is a special file")
    elif is_folder and content:
        fault = "is a folder that has content"
    return Entry(
        name=name.removesuffix("/") if is_folder else name,
        is_folder=is_folder,
        size=len(content),
        fault=fault,
        read=partial(_read, blob, content),
    )


def _stated_name(header: bytes) -> bytes:
    name = header[:100].partition(b"\x00")[0]
    prefix = header[345:500].partition(b"\x00")[0] if header[257:263] == _POSIX else b""
    return prefix + b"/" + name if prefix else name


def _read(blob: bytes, content: range) -> bytes:
    return blob[content.start : content.stop]
