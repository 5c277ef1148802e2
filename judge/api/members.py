"""Who is in a class, for those who teach it."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from judge.actions.join_class import remove_member
from judge.actions.roster import apply_roster, preview_roster
from judge.api.csv_text import csv_line
from judge.api.deps import PartsDep, ReadLocale, require
from judge.api.formats import CSV, JSON, Form, form_of
from judge.api.ids import ACCOUNT, CLASS, read
from judge.api.pages import PageQuery, link_next, read_cursor, write_cursor
from judge.api.roster_csv import COLUMNS
from judge.api.schemas.base import answers, asks
from judge.api.schemas.members import (
    MEMBER_EXAMPLE,
    ROSTER_EXAMPLE,
    MemberPage,
    RosterAnswer,
    RosterRequest,
    member_answer,
    roster_answer,
)
from judge.db.queries.members import Member, list_members
from judge.db.queries.school_classes import SchoolClass, select_taught_class
from judge.domain.access import Caller, Scope
from judge.errors import Invalid

router = APIRouter(tags=["classes"])
Reader = Annotated[Caller, Depends(require(Scope.CLASS_READ))]
Writer = Annotated[Caller, Depends(require(Scope.CLASS_WRITE))]
_LIST_EXAMPLES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            JSON: {"example": {"items": [MEMBER_EXAMPLE], "next": None}},
            CSV: {"example": ",".join(COLUMNS)},
        }
    }
}
_ROSTER = {"members": [{"handle": "ada", "external_id": "20260017", "role": "learner"}]}
_BODIES = asks(_ROSTER)
_BODIES["requestBody"]["content"][CSV] = {
    "schema": {"type": "string"},
    "example": "external_id,handle,role\r\n20260017,ada,learner\r\n",
}


@dataclass(frozen=True)
class _Mode:
    """What to do with a list."""

    dry_run: bool
    apply_valid: bool


def _mode(
    dry_run: Annotated[bool, Query(description="Only say what the list would do.")] = False,
    apply_valid: Annotated[bool, Query(description="Leave bad rows out, apply the rest.")] = False,
) -> _Mode:
    return _Mode(dry_run, apply_valid)


def _taught(class_id: str, joined: PartsDep, caller: Reader) -> SchoolClass:
    with joined.database.read() as connection:
        return select_taught_class(connection, read(CLASS, class_id), caller)


@router.get(
    "/classes/{class_id}/members",
    summary="List a class's members",
    response_model=MemberPage,
    responses={**answers(None, 200, 401, 403, 404, 406, 422), **_LIST_EXAMPLES},
)
def list_class_members(
    school_class: Annotated[SchoolClass, Depends(_taught)],
    request: Request,
    response: Response,
    joined: PartsDep,
    page: PageQuery,
    form: Annotated[Form, Depends(form_of(JSON, CSV))],
) -> Any:
    """Members and invited accounts by handle; JSON in pages, or all of them as CSV by Accept."""
    key = read_cursor(page.cursor, (str, str))
    after = None if key is None else (str(key[0]), str(key[1]))
    limit = page.limit + 1 if form.media_type == JSON else None
    with joined.database.read() as connection:
        found = list_members(connection, school_class.id, after, limit)
    if form.media_type == CSV:
        lines = [csv_line(COLUMNS), *map(_line, found)]
        return Response(form.prefix + "".join(lines), media_type=CSV)
    shown = found[: page.limit]
    more = None
    if len(found) > page.limit:
        more = write_cursor(shown[-1].handle.lower(), shown[-1].account_id)
    items = [member_answer(one) for one in shown]
    return MemberPage(items=items, next=link_next(request, response, more))


@router.put(
    "/classes/{class_id}/members",
    summary="Bring a class into agreement with a list",
    responses=answers(ROSTER_EXAMPLE, 200, 401, 403, 404, 409, 422),
    openapi_extra=_BODIES,
)
def put_class_members(
    class_id: str,
    body: RosterRequest,
    joined: PartsDep,
    caller: Writer,
    locale: ReadLocale,
    mode: Annotated[_Mode, Depends(_mode)],
) -> RosterAnswer:
    """Add and change members by handle or external id; who is not on the list is not touched.

    Whom a teacher adds is invited and becomes a member by joining; whom an admin adds is a member
    at once. If a row is wrong nothing is done (422 with every such row) without ``apply_valid``.
    """
    identifier, rows = read(CLASS, class_id), body.rows()
    if mode.dry_run:
        plan = preview_roster(joined.database, caller, identifier, rows)
        return roster_answer(plan, locale, applied=False)
    plan = apply_roster(joined.database, caller, identifier, rows, apply_valid=mode.apply_valid)
    if plan.errors and not mode.apply_valid:
        raise Invalid("roster-invalid", *plan.errors.values(), rows=list(plan.errors))
    return roster_answer(plan, locale, applied=True)


@router.delete(
    "/classes/{class_id}/members/{account_id}",
    status_code=204,
    summary="Take somebody out of a class",
    responses=answers(None, 204, 401, 403, 404, 409),
)
def delete_class_member(class_id: str, account_id: str, joined: PartsDep, caller: Writer) -> None:
    """Remove a member, or take an invitation back; submissions and scores stay the account's."""
    class_identifier, member = read(CLASS, class_id), read(ACCOUNT, account_id)
    remove_member(joined.database, caller, class_identifier, member)


def _line(member: Member) -> str:
    answer = member_answer(member).model_dump(mode="json")
    return csv_line([answer[column] for column in COLUMNS])
