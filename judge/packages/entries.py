"""What an archive is to the rest of the judge: a list of named entries that can be read.

Owns the two words that the readers of zip and tar share. An entry that must not be taken is not an
error of its reader: it carries the reason, so that all of them can be reported at once.
"""

from collections.abc import Callable
from dataclasses import dataclass


class BadArchive(ValueError):
    """An archive that cannot be read as a whole; the message goes on after "the archive: "."""


@dataclass(frozen=True)
class Entry:
    """One entry of an archive.

    Attributes:
        name: its path as UTF-8; bytes that are none are lone surrogates.
        is_folder: whether it names a folder and has no content.
        size: how many bytes ``read`` gives, as the archive states it.
        fault: why no package may have such an entry; empty where it may.
        read: its content, exactly ``size`` bytes, else BadArchive.
    """

    name: str
    is_folder: bool
    size: int
    fault: str
    read: Callable[[], bytes]
