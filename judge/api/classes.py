"""Classes: making, changing, joining and leaving them.

What decides who reads one's work (joining, agreeing to an invitation, leaving) asks for the scope
submissions:write: a token that only reads must not open it to anybody.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request, Response

from judge.actions.change_class import ClassChange, change_class
from judge.actions.create_class import NewClass, create_class
from judge.actions.create_class import renew_join_code as renew_code
from judge.actions.join_class import accept_invitation
from judge.actions.join_class import join_class as join_by_code
from judge.actions.join_class import leave_class as leave_membership
from judge.api.deps import Parts, PartsDep, require
from judge.api.errors import HttpProblem
from judge.api.etags import check_if_match, etag_of, not_changed
from judge.api.ids import CLASS, read, show
from judge.api.once import Once, OnceRoute
from judge.api.pages import PageQuery, link_next, read_cursor, read_moment, write_cursor
from judge.api.schemas.base import answers, asks, sending
from judge.api.schemas.classes import (
    CLASS_EXAMPLE,
    JOIN_CODE_EXAMPLE,
    ClassAnswer,
    ClassPage,
    ClassPatch,
    ClassRequest,
    JoinClassRequest,
    JoinCodeAnswer,
    NewClassAnswer,
    class_answer,
)
from judge.db.queries.school_classes import (
    SchoolClass,
    select_class,
    select_taught_class,
)
from judge.db.queries.school_classes import (
    list_classes as query_classes,
)
from judge.domain.access import Caller, Scope
from judge.errors import Forbidden

router = APIRouter(tags=["classes"], route_class=OnceRoute)
Reader = Annotated[Caller, Depends(require(Scope.CLASS_READ))]
Writer = Annotated[Caller, Depends(require(Scope.CLASS_WRITE))]
Joiner = Annotated[Caller, Depends(require(Scope.SUBMISSIONS_WRITE))]
_LEARNER_EXAMPLE = {**CLASS_EXAMPLE, "role": "learner", "members": None}


@router.get(
    "/classes",
    summary="List classes",
    responses=answers({"items": [CLASS_EXAMPLE], "next": None}, 200, 401, 403, 422),
)
def list_classes(
    request: Request,
    response: Response,
    joined: PartsDep,
    caller: Reader,
    page: PageQuery,
    everybodys: Annotated[
        bool, Query(alias="all", description="Every class of the judge; admins only.")
    ] = False,
) -> ClassPage:
    """Classes that the caller teaches, has joined or is invited to, the newest first."""
    if everybodys and not caller.role.reads_all_work:
        raise Forbidden("admin-only")
    key = read_cursor(page.cursor, (str, str))
    after = None if key is None else (read_moment(str(key[0])), str(key[1]))
    with joined.database.read() as connection:
        found = query_classes(connection, caller, everybodys, after, page.limit + 1)
    shown = found[: page.limit]
    more = None
    if len(found) > page.limit:
        more = write_cursor(shown[-1].created_at.isoformat(), shown[-1].id)
    return ClassPage(
        items=[class_answer(one, caller) for one in shown],
        next=link_next(request, response, more),
    )


@router.post(
    "/classes",
    status_code=201,
    summary="Make a class",
    responses=sending(
        answers(
            {**CLASS_EXAMPLE, "members": 1, "join_code": JOIN_CODE_EXAMPLE}, 201, 401, 403, 409, 422
        ),
        "Location",
        "ETag",
    ),
    openapi_extra=asks({"name": "Decoding 2026", "locale": "vi", "time_zone": "Asia/Ho_Chi_Minh"}),
)
def add_class(
    body: ClassRequest, response: Response, joined: PartsDep, caller: Writer, _once: Once
) -> NewClassAnswer:
    """Make a class that the caller teaches; the join code is in this answer and nowhere else."""
    created = create_class(
        joined.database, caller, NewClass(body.name, body.locale, body.time_zone)
    )
    teacher = caller.teaching(created.class_id)
    with joined.database.read() as connection:
        found = select_class(connection, created.class_id, teacher)
    response.headers["Location"] = f"/api/v1/classes/{show(CLASS, found.id)}"
    response.headers["ETag"] = _etag(found)
    answer = class_answer(found, teacher)
    return NewClassAnswer(**dict(answer), join_code=created.join_code)


@router.post(
    "/classes/join",
    summary="Join a class",
    responses=answers(_LEARNER_EXAMPLE, 200, 401, 403, 409, 410, 422),
    openapi_extra=asks({"code": JOIN_CODE_EXAMPLE}),
)
def join_class(body: JoinClassRequest, joined: PartsDep, caller: Joiner) -> ClassAnswer:
    """Become a member with the code of a class. Its teachers then read the member's work on it."""
    return _own(joined, caller, join_by_code(joined.database, caller, body.code))


@router.api_route(
    "/classes/join", methods=["DELETE", "GET", "OPTIONS", "PATCH", "PUT"], include_in_schema=False
)
def refuse_method() -> None:
    """Without this the address would be taken for that of a class called join."""
    raise HttpProblem(405, "method-not-allowed", headers={"Allow": "POST"})


@router.get(
    "/classes/{class_id}",
    summary="Read a class",
    responses=answers(CLASS_EXAMPLE, 200, 401, 403, 404),
)
def show_class(class_id: str, response: Response, joined: PartsDep, caller: Reader) -> ClassAnswer:
    """The class, for its members and who is invited; the ETag is what a change must name."""
    with joined.database.read() as connection:
        found = select_class(connection, read(CLASS, class_id), caller)
    response.headers["ETag"] = _etag(found)
    return class_answer(found, caller)


@router.patch(
    "/classes/{class_id}",
    summary="Change a class",
    responses=answers(CLASS_EXAMPLE, 200, 401, 403, 404, 412, 422, 428),
    openapi_extra=asks({"name": "Decoding 2026, autumn", "archived": False}),
)
def patch_class(
    class_id: str,
    body: ClassPatch,
    response: Response,
    joined: PartsDep,
    caller: Writer,
    if_match: Annotated[str | None, Header(description="The ETag that was read.")] = None,
) -> ClassAnswer:
    """Change name, locale or time zone, or archive the class: nobody can join it then."""
    with joined.database.read() as connection:
        found = select_taught_class(connection, read(CLASS, class_id), caller)
    check_if_match(if_match, _etag(found))
    change = ClassChange(body.name, body.locale, body.time_zone, body.archived)
    with not_changed("class-changed"):
        changed = change_class(joined.database, caller, found, change)
    response.headers["ETag"] = _etag(changed)
    return class_answer(changed, caller)


@router.post(
    "/classes/{class_id}/join-code",
    summary="Make a new join code",
    responses=answers({"join_code": JOIN_CODE_EXAMPLE}, 200, 401, 403, 404, 409),
)
def renew_join_code(class_id: str, joined: PartsDep, caller: Writer) -> JoinCodeAnswer:
    """A new code in the place of the one before, which is dead from now on (410)."""
    code = renew_code(joined.database, caller, read(CLASS, class_id))
    return JoinCodeAnswer(join_code=code)


@router.post(
    "/classes/{class_id}/accept",
    summary="Agree to be in a class",
    responses=answers(_LEARNER_EXAMPLE, 200, 401, 403, 404, 409),
)
def accept_class_invitation(class_id: str, joined: PartsDep, caller: Joiner) -> ClassAnswer:
    """Become a member where a teacher's list invited the caller."""
    identifier = read(CLASS, class_id)
    accept_invitation(joined.database, caller, identifier)
    return _own(joined, caller, identifier)


@router.post(
    "/classes/{class_id}/leave",
    status_code=204,
    summary="Leave a class",
    responses=answers(None, 204, 401, 403, 404, 409),
)
def leave_class(class_id: str, joined: PartsDep, caller: Joiner) -> None:
    """Leave a class or decline its invitation; 409 ``last-teacher`` for the only one there is."""
    leave_membership(joined.database, caller, read(CLASS, class_id))


def _own(joined: Parts, caller: Caller, class_id: str) -> ClassAnswer:
    """A class that the caller has just joined, which its ties do not tell yet."""
    with joined.database.read() as connection:
        found = select_class(connection, class_id, caller)
    return class_answer(found, caller)


def _etag(found: SchoolClass) -> str:
    return etag_of(f"{found.id} {found.updated_at.isoformat()}")
