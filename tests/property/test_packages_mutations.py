"""Random damage to archives: a refusal or a right package, never more memory than stated."""

import tracemalloc
from collections.abc import Callable

import pytest
from hostile_archives import CONTENTS, FORMS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.errors import PackageInvalid
from judge.packages.archives import XZ_MEMORY_BYTES, read_archive
from judge.packages.files import PackageFiles, SizeLimits, to_zip

LIMITS = SizeLimits(entries=50, packed_bytes=100_000, unpacked_bytes=200_000)
# What bz2 needs to unpack its largest blocks, and room for names, findings and the exceptions.
FIXED_BYTES = 6_000_000
ARCHIVES = {name: make() for name, make in FORMS.items() if "strongest" not in name}
NUMBERS = st.sampled_from([0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF])

Change = Callable[[bytes], bytes]


@st.composite
def changes(draw: st.DrawFn, size: int) -> Change:
    """One way to spoil a text of this size."""
    place = draw(st.integers(0, size - 1))
    kind = draw(st.sampled_from(["byte", "number", "cut", "copy", "remove", "insert"]))
    other = draw(st.integers(0, size - 1))
    number = draw(NUMBERS).to_bytes(4, "little")[: draw(st.sampled_from([1, 2, 4]))]
    byte = bytes([draw(st.integers(0, 255))])
    made: dict[str, Change] = {
        "byte": lambda blob: blob[:place] + byte + blob[place + 1 :],
        "number": lambda blob: blob[:place] + number + blob[place + len(number) :],
        "cut": lambda blob: blob[:place],
        "copy": lambda blob: blob[:place] + blob[other : other + 512] + blob[place:],
        "remove": lambda blob: blob[:place] + blob[place + 1 + other % 512 :],
        "insert": lambda blob: blob[:place] + number * 8 + blob[place:],
    }
    return made[kind]


def read_measured(blob: bytes) -> PackageFiles | None:
    """What an archive reads as, None where it is refused; fails if it took too much memory."""
    tracemalloc.start()
    try:
        return read_archive(blob, LIMITS)
    except PackageInvalid:
        return None
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        allowed = FIXED_BYTES + (XZ_MEMORY_BYTES if blob.startswith(b"\xfd7zXZ") else 0)
        assert peak <= len(blob) + 2 * LIMITS.unpacked_bytes + allowed


@pytest.mark.parametrize("form", ARCHIVES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_a_spoiled_archive_is_refused_or_a_package(form: str, data: st.DataObject) -> None:
    blob = ARCHIVES[form]
    for change in data.draw(st.lists(changes(len(blob)), min_size=1, max_size=4)):
        blob = change(blob)
    files = read_measured(blob)
    if files is not None:
        assert isinstance(files, PackageFiles)
        assert all(type(content) is bytes for content in files.values())
        assert len(files) <= LIMITS.entries
        assert sum(map(len, files.values())) <= LIMITS.unpacked_bytes
        assert dict(read_archive(to_zip(files))) == without_outer(files)


def without_outer(files: PackageFiles) -> dict[str, bytes]:
    """What a second reading leaves: it takes a single folder around all files off again."""
    outer = {path.partition("/")[0] for path in files}
    if len(outer) != 1 or not all("/" in path for path in files):
        return dict(files)
    return {path.partition("/")[2]: content for path, content in files.items()}


@pytest.mark.parametrize("form", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"])
@settings(max_examples=40, deadline=None)
@given(tail=st.binary(max_size=300))
def test_what_only_begins_like_an_archive_is_refused(form: str, tail: bytes) -> None:
    assert read_measured(ARCHIVES[form][:10] + tail) is None


@pytest.mark.parametrize("form", ["zip", "tar.gz", "tar.bz2", "tar.xz"])
@settings(max_examples=60, deadline=None)
@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_one_turned_bit_never_changes_a_content(form: str, place: int, bit: int) -> None:
    blob = bytearray(ARCHIVES[form])
    blob[place % len(blob)] ^= 1 << bit
    files = read_measured(bytes(blob))
    if files is not None:
        # A zip has no checksum of its names; every content has one.
        assert sorted(files.values()) == sorted(CONTENTS.values())
