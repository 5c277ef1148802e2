"""How long a request is willing to wait: ``?wait=25`` or ``Prefer: wait=25`` (RFC 7240)."""

import re
from typing import Annotated

from fastapi import Depends, Query, Request, Response

MAX_WAIT_S = 60.0
_PREFER = re.compile(r"(?:^|[,;\s])wait\s*=\s*\"?(\d{1,6})", re.IGNORECASE)


def _wait_seconds(
    request: Request,
    response: Response,
    wait: Annotated[
        float | None,
        Query(ge=0, le=MAX_WAIT_S, description="Wait so many seconds for the verdict, at most 60."),
    ] = None,
) -> float:
    if wait is not None:
        return wait
    preferred = _PREFER.search(request.headers.get("prefer", ""))
    if preferred is None:
        return 0.0
    # A preference is no demand: one that is too long is cut, and the answer says so.
    seconds = min(float(preferred.group(1)), MAX_WAIT_S)
    response.headers["Preference-Applied"] = f"wait={seconds:.0f}"
    return seconds


WaitSeconds = Annotated[float, Depends(_wait_seconds)]
