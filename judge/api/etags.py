"""ETags: what a reader has need not be sent again, and a change names what was read.

An ETag is the digest of an answer's bytes, or of the row that may change.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from fastapi import Request, Response

from judge.api.errors import HttpProblem
from judge.errors import Conflict

VARY = "Accept-Language, Authorization, Cookie"


def etag_of(content: bytes | str) -> str:
    """The ETag, in its quotes."""
    data = content.encode() if isinstance(content, str) else content
    return f'"{hashlib.sha256(data).hexdigest()[:32]}"'


def answer_unless_known(
    request: Request,
    body: bytes,
    headers: Mapping[str, str],
    media_type: str = "application/json",
    etag: str | None = None,
) -> Response:
    """The body with its ETag, or 304 where the client has exactly this.

    ``etag`` is that of a row which has one of its own.
    """
    etag = etag_of(body) if etag is None else etag
    whole = {"Cache-Control": "private, no-cache", "Vary": VARY, **headers, "ETag": etag}
    known = [one.strip() for one in request.headers.get("if-none-match", "").split(",")]
    if etag in known or "*" in known or f"W/{etag}" in known:
        return Response(status_code=304, headers=whole)
    return Response(body, headers=whole, media_type=media_type)


def check_if_match(asked: str | None, present: str) -> None:
    """Refuse a change of something that was not read, or that has changed since.

    Raises:
        HttpProblem: 428 without If-Match, 412 if it names another ETag.
    """
    if asked is None:
        raise HttpProblem(428, "if-match-missing", variant="changed")
    if asked.strip() not in (present, "*"):
        raise HttpProblem(412, "if-match-failed", headers={"ETag": present})


@contextmanager
def not_changed(code: str) -> Iterator[None]:
    """Around a change of something that was read before.

    Args:
        code: with which the action refuses what is no longer as it was.

    Raises:
        HttpProblem: 412 if it has changed since.
    """
    try:
        yield
    except Conflict as error:
        if error.code == code:
            raise HttpProblem(412, "if-match-failed") from None
        raise
