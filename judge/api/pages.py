"""Cursor pages: opaque cursors, and the link to the next page in header and body."""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Depends, Query, Request, Response

from judge.domain.texts import text_flaw
from judge.errors import Invalid, flaw

# Numbers in a sort key are columns of 32 bits; a database refuses to compare with larger ones.
_MAX_NUMBER = 2**31 - 1


# The pattern is told and not enforced: what was not given here is refused by read_cursor.
Cursor = Annotated[
    str | None,
    Query(
        description="From the `next` of the page before.",
        json_schema_extra={"pattern": "^[A-Za-z0-9_-]+$"},
    ),
]


@dataclass(frozen=True)
class Page:
    """Which page is asked for."""

    cursor: str | None
    limit: int


def _page(
    cursor: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=200, description="At most so many items.")] = 50,
) -> Page:
    return Page(cursor, limit)


PageQuery = Annotated[Page, Depends(_page)]


def write_cursor(*key: str | int) -> str:
    """The cursor behind the item with this sort key."""
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def read_cursor(
    text: str | None, kinds: Sequence[type[str] | type[int]]
) -> tuple[str | int, ...] | None:
    """The sort key in a cursor that ``write_cursor`` made; None without a cursor.

    Raises:
        Invalid: it was not made here.
    """
    if text is None:
        return None
    try:
        key = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if [type(part) for part in key] == list(kinds) and all(map(_is_comparable, key)):
            return tuple(key)
    except (binascii.Error, ValueError, TypeError, RecursionError):
        pass
    raise _foreign()


def read_moment(text: str) -> datetime:
    """The time in a cursor's key, in UTC.

    Raises:
        Invalid: it is not an aware time, or in UTC it lies outside the years 1 to 9999.
    """
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise _foreign()


def link_next(request: Request, response: Response, cursor: str | None) -> str | None:
    """Set the Link header and return the address of the next page; None on the last one."""
    if cursor is None:
        return None
    # Not request.url: that holds the Host header, which may be anything.
    query = urlencode({**request.query_params, "cursor": cursor})
    address = f"{request.scope['path']}?{query}"
    response.headers["Link"] = f'<{address}>; rel="next"'
    return address


def _is_comparable(part: str | int) -> bool:
    """Whether a database can compare a column with this part of a sort key."""
    if isinstance(part, int):
        return abs(part) <= _MAX_NUMBER
    return text_flaw("", part) is None


def _foreign() -> Invalid:
    return Invalid("invalid-cursor", flaw("/query/cursor", "cursor"))
