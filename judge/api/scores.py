"""Scores in bulk: JSON pages, or everything at once as NDJSON or CSV."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse

from judge.api.csv_text import csv_line
from judge.api.deps import Parts, PartsDep, require
from judge.api.formats import CANVAS, CSV, JSON, MOODLE, NDJSON, Form, form_of
from judge.api.gradebook import gradebook_table, read_gradebook
from judge.api.ids import CLASS, read
from judge.api.moments import QueryMoment, read_query_moment
from judge.api.owners import EVERYBODY, select_member, select_owner
from judge.api.pages import Cursor, link_next, read_cursor, write_cursor
from judge.api.schemas.base import answers
from judge.api.schemas.scores import SCORE_EXAMPLE, ScorePage
from judge.api.score_text import FIELDS, score_lines, score_page, score_table
from judge.db.queries.score_rows import (
    ScoreFilter,
    ScoreRow,
    list_class_scores,
    list_score_rows,
)
from judge.db.queries.scores import hold_snapshot
from judge.db.types import now
from judge.domain.access import Caller, Scope
from judge.errors import Invalid, flaw

router = APIRouter(tags=["scores"])
Reader = Annotated[Caller, Depends(require(Scope.SCORES_READ))]
# One answer in JSON; a class of ordinary size is one.
MAX_ROWS = 20_000
_DEFAULT_ROWS = 50
_CHUNK_ROWS = 5_000
_EXAMPLES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            JSON: {"example": {"items": [SCORE_EXAMPLE], "next": None}},
            NDJSON: {"example": json.dumps(SCORE_EXAMPLE) + "\n"},
            CSV: {"example": ",".join(FIELDS)},
            CANVAS: {"example": "Student,ID,SIS User ID,SIS Login ID,Section,Week 1"},
            MOODLE: {"example": "ID number,Username,Full name,Week 1 (Real)"},
        }
    }
}
Key = tuple[str, str]


@dataclass(frozen=True)
class _Wish:
    """Whose rows are asked for, as the address says it."""

    class_id: str | None
    problem: str | None
    account: str | None
    changed_since: str | None
    as_of: str | None


def _wish(
    class_id: Annotated[
        str | None,
        Query(alias="class", description="All learners of this class on all its problems."),
    ] = None,
    problem: Annotated[str | None, Query(description="Only on this problem.")] = None,
    account: Annotated[
        str | None, Query(description="Only of this handle; for others' it takes a right.")
    ] = None,
    changed_since: Annotated[
        QueryMoment | None, Query(description="Only rows that changed after this time.")
    ] = None,
    as_of: Annotated[
        QueryMoment | None, Query(description="As if nothing had been handed in after this time.")
    ] = None,
) -> _Wish:
    return _Wish(class_id, problem, account, changed_since, as_of)


@dataclass(frozen=True)
class _Page:
    after: Key | None
    limit: int | None


def _page(
    cursor: Cursor = None,
    limit: Annotated[
        int | None,
        Query(ge=1, le=MAX_ROWS, description="At most so many items; of a class all, else 50."),
    ] = None,
) -> _Page:
    key = read_cursor(cursor, (str, str))
    return _Page(None if key is None else (str(key[0]), str(key[1])), limit)


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
    wish: Annotated[_Wish, Depends(_wish)],
    page: Annotated[_Page, Depends(_page)],
    form: Annotated[Form, Depends(form_of(JSON, NDJSON, CSV, CANVAS, MOODLE))],
) -> Response:
    """One row an account and problem: the caller's own, those of a class, for admins everybody's.

    JSON comes in pages; NDJSON and CSV have all rows in one answer. With ``class`` there is a row
    for every learner and problem of the class. ``changed_since`` with the greatest ``updated_at``
    that was read gives exactly what changed after it. The profiles of CSV need ``class``, and give
    its gradebook.
    """
    if form.media_type in (CANVAS, MOODLE):
        return _gradebook(joined, caller, wish, form)
    rows_behind = _source(joined, caller, wish)
    if form.media_type != JSON:
        begin = form.prefix + csv_line(FIELDS) if form.media_type == CSV else ""
        write = score_table if form.media_type == CSV else score_lines
        pieces = _pieces(rows_behind, page.after, begin.encode(), write)
        return StreamingResponse(pieces, media_type=form.media_type)
    limit = page.limit or (_DEFAULT_ROWS if wish.class_id is None else MAX_ROWS)
    found = rows_behind(page.after, limit + 1)
    shown = found[:limit]
    more = write_cursor(*shown[-1].key) if len(found) > limit else None
    headers = Response()
    body = score_page(shown, link_next(request, headers, more))
    links = {name: value for name, value in headers.headers.items() if name == "link"}
    return Response(body, headers=links, media_type=JSON)


def _source(
    joined: Parts, caller: Caller, wish: _Wish
) -> Callable[[Key | None, int], list[ScoreRow]]:
    """Reads the rows behind a key, at most so many; each time in a connection of its own.

    No connection is held while a slow client reads.
    """
    wanted, class_id = _filter(joined, caller, wish)

    def rows_behind(after: Key | None, limit: int) -> list[ScoreRow]:
        with joined.database.read() as connection:
            hold_snapshot(connection)
            if class_id is None:
                return list_score_rows(connection, wanted, after, limit)
            return list_class_scores(connection, class_id, wanted, after, limit)

    return rows_behind


def _filter(joined: Parts, caller: Caller, wish: _Wish) -> tuple[ScoreFilter, str | None]:
    class_id = None if wish.class_id is None else read(CLASS, wish.class_id)
    if class_id is None:
        everybody = EVERYBODY if caller.role.reads_all_work else None
        account_id = select_owner(joined.database, caller, wish.account or everybody)
    else:
        account_id = select_member(joined.database, caller, class_id, wish.account)
    sees_all = class_id is None or caller.teaches(class_id)
    since, as_of = wish.changed_since, wish.as_of
    if since is not None and as_of is not None:
        raise Invalid("invalid-filter", flaw("/query/as_of", "not-with-changed-since"))
    wanted = ScoreFilter(
        account_id=account_id,
        slug=wish.problem,
        changed_since=None if since is None else read_query_moment("changed_since", since),
        as_of=None if as_of is None else read_query_moment("as_of", as_of),
        opened_by=None if sees_all else now(),
    )
    return wanted, class_id


def _pieces(
    rows_behind: Callable[[Key | None, int], list[ScoreRow]],
    after: Key | None,
    begin: bytes,
    write: Callable[[list[ScoreRow]], bytes],
) -> Iterator[bytes]:
    yield begin
    while True:
        rows = rows_behind(after, _CHUNK_ROWS)
        yield write(rows)
        if len(rows) < _CHUNK_ROWS:
            return
        after = rows[-1].key


def _gradebook(joined: Parts, caller: Caller, wish: _Wish, form: Form) -> Response:
    """What Canvas and Moodle import is a class's gradebook, so it takes the right to read that."""
    require(Scope.CLASS_READ)(caller)
    if wish.class_id is None:
        raise Invalid("invalid-filter", flaw("/query/class", "needs-class"))
    as_of = now() if wish.as_of is None else read_query_moment("as_of", wish.as_of)
    class_id = read(CLASS, wish.class_id)
    return gradebook_table(read_gradebook(joined, caller, class_id, as_of), form)
