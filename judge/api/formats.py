"""In which form an answer is sent: by the Accept header, and with ``bom`` for spreadsheets."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Query, Request

from judge.api.accepts import choose
from judge.api.csv_text import BOM

JSON, NDJSON, CSV = "application/json", "application/x-ndjson", "text/csv"
CANVAS, MOODLE = "text/csv;profile=canvas", "text/csv;profile=moodle"


@dataclass(frozen=True)
class Form:
    """The media type, and what stands in front of a CSV text."""

    media_type: str
    prefix: str


def form_of(*offered: str) -> Callable[..., Form]:
    """A dependency: the form that a client likes best among those that are offered.

    406 where it takes none of them.
    """

    def find(
        request: Request,
        bom: Annotated[
            bool, Query(description="CSV with a byte order mark, which Excel needs for UTF-8.")
        ] = False,
    ) -> Form:
        return Form(choose(request.headers.get("accept"), offered), BOM if bom else "")

    return find
