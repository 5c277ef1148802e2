"""IANA time zones out of the package tzdata, never out of the machine's own files.

A machine may have none (a slim image), others or older ones; then the same account would get other
days on it. The package's version is locked like everything else's.
"""

from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

_PACKAGE = "tzdata"


def is_time_zone(name: str) -> bool:
    """Whether the name is an IANA time zone."""
    return name in _names()


@lru_cache(1024)
def find_time_zone(name: str) -> ZoneInfo:
    """The time zone of that name; UTC for a name that IANA has given up since it was stored."""
    known = name if is_time_zone(name) else "UTC"
    path = files(_PACKAGE).joinpath("zoneinfo", *known.split("/"))
    with path.open("rb") as content:
        return ZoneInfo.from_file(content, key=known)


@cache
def _names() -> frozenset[str]:
    return frozenset(files(_PACKAGE).joinpath("zones").read_text("utf-8").split())
