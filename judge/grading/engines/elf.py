"""How much memory an ELF file claims before it runs; its bytes are hostile.

The layout is the System V ABI's: the header's e_phoff, e_phentsize and e_phnum lead to the program
headers, and those of type PT_LOAD say in p_memsz how much memory their segment takes.
"""

import struct

_MAGIC_64_LITTLE = b"\x7fELF\x02\x01"
_HEADER = struct.Struct("<16x16xQ14xHH")  # e_ident, up to e_phoff, up to e_phentsize and e_phnum
_SEGMENT = struct.Struct("<I36xQ")  # p_type, up to p_memsz
_PT_LOAD = 1
_MOST_SEGMENTS = 64


def claimed_memory_bytes(content: bytes) -> int:
    """The sum over its loadable segments; 0 for what is no 64-bit little-endian ELF file."""
    if not content.startswith(_MAGIC_64_LITTLE) or len(content) < _HEADER.size:
        return 0
    offset, entry_bytes, count = _HEADER.unpack_from(content)
    total = 0
    for index in range(min(count, _MOST_SEGMENTS)):
        start = offset + index * entry_bytes
        if start + _SEGMENT.size > len(content):
            return total
        kind, memory_bytes = _SEGMENT.unpack_from(content, start)
        total += memory_bytes if kind == _PT_LOAD else 0
    return total
