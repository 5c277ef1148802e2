"""Bodies that may come as a table: text/csv becomes the JSON that the route's shape describes.

So a table and JSON are held to the same shape, and refused with the same pointers; a table under a
code of its own, as no document can say what a table looks like.
"""

import csv
import io
import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.types import Message

from judge.api.errors import is_unread, not_json
from judge.api.flaws import read_flaw
from judge.api.schemas.admin_accounts import ImportRow
from judge.errors import Invalid

CSV = "text/csv"
_Handle = Callable[[Request], Coroutine[Any, Any, Response]]


class TableRoute(APIRoute):
    """A route whose body ``{"accounts": [{…}, …]}`` may come as a table with a header."""

    def get_route_handler(self) -> _Handle:
        """FastAPI's own hook for requests that are to be read otherwise."""
        handle = super().get_route_handler()

        async def handle_table(request: Request) -> Response:
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if request.method == "POST" and kind == CSV:
                return await _handle_csv(handle, request)
            try:
                return await handle(request)
            except RequestValidationError as error:
                if request.method == "POST" and is_unread(error):
                    raise not_json(request, "or-table") from None
                raise

        return handle_table


async def _handle_csv(handle: _Handle, request: Request) -> Response:
    try:
        return await handle(_as_json(request, await request.body()))
    except RequestValidationError as error:
        found = error.errors()
        if any(one["loc"][0] != "body" for one in found):
            raise
        columns = list(ImportRow.model_fields)
        raise Invalid("invalid-table", *map(read_flaw, found), columns=columns) from None


def _as_json(request: Request, body: bytes) -> Request:
    rows = [
        {column: cell for column, cell in row.items() if column or cell} for row in read_table(body)
    ]
    content = json.dumps({"accounts": rows}).encode()
    dropped = (b"content-type", b"content-length")
    headers = [pair for pair in request.scope["headers"] if pair[0] not in dropped]
    scope = {**request.scope, "headers": [*headers, (b"content-type", b"application/json")]}

    async def receive() -> Message:
        return {"type": "http.request", "body": content, "more_body": False}

    return Request(scope, receive)


def read_table(body: bytes) -> list[dict[str, str]]:
    """The rows of a table in UTF-8 by the names in its header; empty lines are left out.

    A byte order mark, semicolons or tabs instead of commas, and CRLF are all as good.

    Raises:
        Invalid: it is no UTF-8 text or no table.
    """
    try:
        text = body.decode("utf-8-sig")
        header = text.partition("\n")[0]
        delimiter = max(",;\t", key=header.count)
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        table = [line for line in lines if any(cell.strip() for cell in line)]
    except (UnicodeDecodeError, csv.Error):
        raise Invalid("unreadable-table") from None
    if not table:
        return []
    names = [name.strip().lower() for name in table[0]]
    return [_row(names, line) for line in table[1:]]


def _row(names: list[str], line: list[str]) -> dict[str, str]:
    """One row; a cell beyond the header gets a name that no shape has."""
    beyond = [f"column {place}" for place in range(len(names) + 1, len(line) + 1)]
    return {name: cell.strip() for name, cell in zip([*names, *beyond], line, strict=False)}
