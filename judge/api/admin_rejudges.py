"""Rejudging by hand: preview, look, apply or cancel. Admins only.

Whoever published a problem of one's own may look how far the rejudge is that this began.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from judge.actions.rejudge import cancel_rejudge as cancel_preview
from judge.actions.rejudge import start_rejudge
from judge.actions.rejudge_apply import apply_rejudge as apply_preview
from judge.actions.rejudge_apply import preview_effects, summarize
from judge.api.deps import PartsDep, require, require_any
from judge.api.ids import REJUDGE, read, show
from judge.api.once import Once, OnceRoute
from judge.api.pages import PageQuery, link_next, read_cursor, read_moment, write_cursor
from judge.api.schemas.base import answers, asks, sending
from judge.api.schemas.rejudges import (
    REJUDGE_EXAMPLE,
    REJUDGE_ITEM_EXAMPLE,
    ApplyRejudgeRequest,
    RejudgeAnswer,
    RejudgePage,
    RejudgeRequest,
    rejudge_answer,
    rejudge_item,
)
from judge.db.engine import Database
from judge.db.queries.problems import select_problem
from judge.db.queries.rejudges import PREVIEW, count_items, select_rejudge
from judge.db.queries.rejudges import list_rejudges as query_rejudges
from judge.domain.access import Caller, Scope, may_read_rejudge
from judge.domain.rejudging import Selector
from judge.errors import NotFound

router = APIRouter(prefix="/admin/rejudges", tags=["admin"], route_class=OnceRoute)
Admin = Annotated[Caller, Depends(require(Scope.ADMIN_OPS))]
_AS_IT_IS = ApplyRejudgeRequest()
Reader = Annotated[Caller, Depends(require_any(Scope.ADMIN_PROBLEMS, Scope.ADMIN_OPS))]
AllowDecrease = Annotated[
    bool, Query(description="Show what applying would do if scores may fall.")
]


@router.post(
    "",
    status_code=201,
    summary="Preview a rejudge",
    responses=sending(answers(REJUDGE_EXAMPLE, 201, 401, 403, 404, 409, 422), "Location"),
    openapi_extra=asks({"problem": "sample_token", "revision": 1, "verdict": "wrong_answer"}),
)
def add_rejudge(
    body: RejudgeRequest, response: Response, joined: PartsDep, caller: Admin, _once: Once
) -> RejudgeAnswer:
    """Judge submissions anew on the published revision; nothing changes until it is applied."""
    selector = Selector(
        revision=body.revision, verdict=body.verdict, language=body.language, since=body.since
    )
    started = start_rejudge(joined.database, caller, body.problem, selector, body.account)
    for lane in started.lanes:
        joined.bell.ring(f"lane:{lane}")
    response.headers["Location"] = f"/api/v1/admin/rejudges/{show(REJUDGE, started.rejudge_id)}"
    return _answer(joined.database, started.rejudge_id)


@router.get(
    "",
    summary="List rejudges",
    responses=answers({"items": [REJUDGE_ITEM_EXAMPLE], "next": None}, 200, 401, 403, 422),
)
def list_rejudges(
    request: Request,
    response: Response,
    joined: PartsDep,
    caller: Admin,  # noqa: ARG001 - only who may call matters
    page: PageQuery,
    problem: Annotated[str | None, Query(description="Only of this problem.")] = None,
) -> RejudgePage:
    """Those of the command line and of publications too, the newest first."""
    key = read_cursor(page.cursor, (str, str))
    after = None if key is None else (read_moment(str(key[0])), str(key[1]))
    with joined.database.read() as connection:
        found = query_rejudges(connection, problem, after, page.limit + 1)
        shown = [(one, count_items(connection, one.id)) for one in found[: page.limit]]
    more = None
    if len(found) > page.limit:
        last = shown[-1][0]
        more = write_cursor(last.created_at.isoformat(), last.id)
    return RejudgePage(
        items=[rejudge_item(one, advance) for one, advance in shown],
        next=link_next(request, response, more),
    )


@router.get(
    "/{rejudge_id}",
    summary="Read a rejudge",
    responses=answers(REJUDGE_EXAMPLE, 200, 401, 403, 404, 422),
)
def show_rejudge(
    rejudge_id: str,
    joined: PartsDep,
    caller: Reader,
    allow_decrease: AllowDecrease = False,
) -> RejudgeAnswer:
    """How far it is, and what it does to each account's score.

    Whoever published a problem of one's own reads the rejudge that this began, without accounts.
    """
    identifier = read(REJUDGE, rejudge_id)
    with joined.database.read() as connection:
        found = select_rejudge(connection, identifier)
        owner_id = select_problem(connection, found.problem_id).owner_id
    if not may_read_rejudge(caller, found.actor_id, owner_id):
        raise NotFound("rejudge-not-found")
    return _answer(
        joined.database,
        identifier,
        allow_decrease=allow_decrease,
        names_accounts=Scope.ADMIN_OPS in caller.scopes,
    )


@router.post(
    "/{rejudge_id}/apply",
    summary="Apply a rejudge",
    responses=answers({**REJUDGE_EXAMPLE, "state": "applied"}, 200, 401, 403, 404, 409, 422),
    openapi_extra=asks({"allow_decrease": False}),
)
def apply_rejudge(
    rejudge_id: str, joined: PartsDep, caller: Admin, body: ApplyRejudgeRequest = _AS_IT_IS
) -> RejudgeAnswer:
    """Let the new judgements count, in one step; by default none that makes a score fall.

    The body may be missing.
    """
    identifier = read(REJUDGE, rejudge_id)
    apply_preview(joined.database, caller, identifier, allow_decrease=body.allow_decrease)
    return _answer(joined.database, identifier)


@router.post(
    "/{rejudge_id}/cancel",
    summary="Cancel a rejudge",
    responses=answers(
        {**REJUDGE_EXAMPLE, "state": "cancelled", "summary": None}, 200, 401, 403, 404, 409
    ),
)
def cancel_rejudge(rejudge_id: str, joined: PartsDep, caller: Admin) -> RejudgeAnswer:
    """Leave everything as it was; what waits is not judged any more."""
    identifier = read(REJUDGE, rejudge_id)
    cancel_preview(joined.database, caller, identifier)
    return _answer(joined.database, identifier)


def _answer(
    database: Database,
    rejudge_id: str,
    *,
    allow_decrease: bool = False,
    names_accounts: bool = True,
) -> RejudgeAnswer:
    with database.read() as connection:
        found = select_rejudge(connection, rejudge_id)
        summary = found.summary
        if found.state == PREVIEW:
            effects = preview_effects(connection, found, allow_decrease=allow_decrease)
            summary = summarize(effects)
        if summary and not names_accounts:
            summary = {**summary, "accounts": []}
        return rejudge_answer(found, count_items(connection, found.id), summary)
