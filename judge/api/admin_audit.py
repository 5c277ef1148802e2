"""The audit log: who changed tests, points, scores and accounts. Admins only."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from judge.api.deps import Parts, PartsDep, require_any
from judge.api.moments import QueryMoment, read_query_moment
from judge.api.pages import PageQuery, link_next, read_cursor, read_moment, write_cursor
from judge.api.schemas.audit import AUDIT_EXAMPLE, AuditPage, audit_answer, read_target
from judge.api.schemas.base import answers
from judge.db.queries.accounts import find_account
from judge.db.queries.audit import AuditFilter, list_audit
from judge.domain.access import Caller, Scope
from judge.errors import NotFound

router = APIRouter(prefix="/admin", tags=["admin"])
Admin = Annotated[Caller, Depends(require_any(Scope.ADMIN_ACCOUNTS, Scope.ADMIN_OPS))]


def _filter(
    joined: PartsDep,
    _caller: Admin,
    actor: Annotated[str | None, Query(max_length=64, description="A handle.")] = None,
    action: Annotated[
        str | None, Query(max_length=32, description="Such as account.change.")
    ] = None,
    target: Annotated[
        str | None,
        Query(
            max_length=96,
            description="Such as problem:sample_token, or the id of an account, class or token.",
        ),
    ] = None,
    since: Annotated[QueryMoment | None, Query(description="Not before this time.")] = None,
) -> AuditFilter:
    moment = None if since is None else read_query_moment("since", since)
    return AuditFilter(
        _actor_id(joined, actor), action, None if target is None else read_target(target), moment
    )


@router.get(
    "/audit",
    summary="Read the audit log",
    responses=answers({"items": [AUDIT_EXAMPLE], "next": None}, 200, 401, 403, 404, 422),
)
def list_audit_entries(
    request: Request,
    response: Response,
    joined: PartsDep,
    wanted: Annotated[AuditFilter, Depends(_filter)],
    page: PageQuery,
) -> AuditPage:
    """What staff did, the newest first. Entries are never changed."""
    key = read_cursor(page.cursor, (str, str))
    before = None if key is None else (read_moment(str(key[0])), str(key[1]))
    with joined.database.read() as connection:
        found = list_audit(connection, wanted, before, page.limit + 1)
    shown = found[: page.limit]
    more = write_cursor(shown[-1].at.isoformat(), shown[-1].id) if len(found) > page.limit else None
    return AuditPage(
        items=[audit_answer(one) for one in shown], next=link_next(request, response, more)
    )


def _actor_id(joined: Parts, handle: str | None) -> str | None:
    if handle is None:
        return None
    with joined.database.read() as connection:
        found = find_account(connection, handle)
    if found is None:
        raise NotFound("account-not-found")
    return found.id
