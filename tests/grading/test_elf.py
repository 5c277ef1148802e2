"""How much memory a binary claims; the bytes are hostile."""

import struct
import sys
from pathlib import Path

import pytest

from judge.grading.engines.elf import claimed_memory_bytes


def binary(*segments: tuple[int, int], entry_bytes: int = 56, count: int | None = None) -> bytes:
    """An ELF header and program headers of (type, size in memory)."""
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + bytes(16)
    head += struct.pack("<QQIHHH", 64, 0, 0, 64, entry_bytes, count or len(segments)) + bytes(6)
    body = b"".join(struct.pack("<I36xQ8x", kind, size) for kind, size in segments)
    return head + body


def test_loadable_segments_are_added_up() -> None:
    assert claimed_memory_bytes(binary((1, 1000), (2, 5), (1, 700 << 20))) == 1000 + (700 << 20)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x7fELF",
        b"#!/bin/sh\n",
        b"\x7fELF\x01\x01" + bytes(200),
        b"\x7fELF\x02\x01" + bytes(9),
    ],
)
def test_what_is_no_64_bit_binary_claims_nothing(content: bytes) -> None:
    assert claimed_memory_bytes(content) == 0


def test_headers_that_lie_outside_end_the_count() -> None:
    assert claimed_memory_bytes(binary((1, 7), count=65535)) == 7
    assert claimed_memory_bytes(binary((1, 7), entry_bytes=65535, count=9)) == 7


def test_a_real_program_claims_what_is_plausible() -> None:
    claimed = claimed_memory_bytes(Path(sys.executable).resolve().read_bytes())
    assert 1000 < claimed < 1 << 30
