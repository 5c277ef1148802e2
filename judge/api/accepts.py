"""Choosing a format by the Accept header (RFC 9110, section 12.5.1)."""

from collections.abc import Sequence

from judge.api.errors import HttpProblem
from judge.api.wishes import read_wish


def choose(header: str | None, offered: Sequence[str]) -> str:
    """The offered media type that the client likes best; among equals the first offered.

    The parameter ``profile`` belongs to a type, offered as ``text/csv;profile=canvas``; others that
    a client names, such as a charset, decide nothing.

    Raises:
        HttpProblem: 406, it takes none of them.
    """
    if not header or not header.strip():
        return offered[0]
    wishes = [_read(part) for part in header.split(",")]
    best = max(offered, key=lambda media_type: _quality(media_type, wishes))
    if _quality(best, wishes) <= 0:
        raise HttpProblem(406, "not-acceptable", offered=list(offered))
    return best


def _read(part: str) -> tuple[str, float]:
    """A range with its profile, and how much it is wanted."""
    name, quality = read_wish(part)
    for parameter in part.split(";")[1:]:
        key, _, value = parameter.partition("=")
        if key.strip().lower() == "profile":
            profile = value.strip().strip('"').lower()
            name = f"{name};profile={profile}"
    return name, quality


def _quality(media_type: str, wishes: Sequence[tuple[str, float]]) -> float:
    """The quality of the most specific range that covers the type."""
    plain = media_type.partition(";")[0]
    kind = plain.partition("/")[0]
    for covering in (media_type, plain, f"{kind}/*", "*/*"):
        for media_range, quality in wishes:
            if media_range == covering:
                return quality
    return 0.0
