"""Scores in bulk: JSON pages, or everything at once as NDJSON or CSV."""

import csv
import io
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse

from judge.api.accepts import choose
from judge.api.deps import Parts, PartsDep, require
from judge.api.owners import EVERYBODY, select_owner
from judge.api.pages import PageQuery, link_next, read_cursor, write_cursor
from judge.api.schemas.base import answers
from judge.api.schemas.scores import SCORE_EXAMPLE, ScoreAnswer, ScorePage, score_answer
from judge.db.queries.scores import ScoreRow, list_score_rows
from judge.domain.access import Caller, Scope

router = APIRouter(tags=["scores"])
Reader = Annotated[Caller, Depends(require(Scope.SCORES_READ))]
JSON, NDJSON, CSV = "application/json", "application/x-ndjson", "text/csv"
_CHUNK_ROWS = 1000
# A spreadsheet takes a cell that begins so for a formula; an apostrophe in front makes it a text.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
_EXAMPLES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            JSON: {"example": {"items": [SCORE_EXAMPLE], "next": None}},
            NDJSON: {"example": SCORE_EXAMPLE},
            CSV: {"example": ",".join(SCORE_EXAMPLE)},
        }
    }
}


@router.get(
    "/scores",
    summary="Read scores",
    response_model=ScorePage,
    responses={**answers(None, 200, 401, 403, 404, 406, 422), **_EXAMPLES},
)
def list_scores(
    request: Request,
    joined: PartsDep,
    caller: Reader,
    page: PageQuery,
    problem: Annotated[str | None, Query(description="Only on this problem.")] = None,
    account: Annotated[str | None, Query(description="Only of this handle; admins only.")] = None,
) -> Response:
    """One row an account and problem: the caller's own, for admins everybody's.

    As application/json in pages, as application/x-ndjson or text/csv all rows in one answer.
    """
    everybody = EVERYBODY if caller.role.reads_all_work else None
    owner = select_owner(joined.database, caller, account or everybody)
    media_type = choose(request.headers.get("accept"), (JSON, NDJSON, CSV))
    key = read_cursor(page.cursor, (str, str))
    after = None if key is None else (str(key[0]), str(key[1]))
    if media_type != JSON:
        rows = _all_rows(joined, owner, problem, after)
        lines = _ndjson(rows) if media_type == NDJSON else _csv(rows)
        return StreamingResponse(lines, media_type=media_type)
    with joined.database.read() as connection:
        found = list_score_rows(connection, owner, problem, after, page.limit + 1)
    shown = found[: page.limit]
    more = write_cursor(*_key(shown[-1])) if len(found) > page.limit else None
    response = Response(media_type=JSON)
    answer = ScorePage(
        items=[score_answer(row) for row in shown], next=link_next(request, response, more)
    )
    return Response(answer.model_dump_json(), headers=_link(response), media_type=JSON)


def _link(response: Response) -> dict[str, str]:
    return {name: value for name, value in response.headers.items() if name == "link"}


def _all_rows(
    joined: Parts, owner: str | None, slug: str | None, after: tuple[str, str] | None
) -> Iterator[ScoreAnswer]:
    """Every row, read in pieces, so that no connection is held while a slow client reads."""
    while True:
        with joined.database.read() as connection:
            rows = list_score_rows(connection, owner, slug, after, _CHUNK_ROWS)
        yield from map(score_answer, rows)
        if len(rows) < _CHUNK_ROWS:
            return
        after = _key(rows[-1])


def _key(row: ScoreRow) -> tuple[str, str]:
    return row.handle.lower(), row.slug


def _ndjson(rows: Iterator[ScoreAnswer]) -> Iterator[str]:
    for row in rows:
        yield row.model_dump_json() + "\n"


def _csv(rows: Iterator[ScoreAnswer]) -> Iterator[str]:
    columns = list(ScoreAnswer.model_fields)
    yield ",".join(columns) + "\r\n"
    for row in rows:
        line = io.StringIO()
        values = row.model_dump(mode="json")
        csv.writer(line).writerow([_cell(values[column]) for column in columns])
        yield line.getvalue()


def _cell(value: object) -> object:
    """Nothing where JSON has null; booleans as JSON spells them; no text that is a formula."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return "'" + value
    return "" if value is None else value
