"""What classes are given to solve, for their teachers and for their learners."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Request, Response

from judge.actions.assign import (
    AssignmentChange,
    NewAssignment,
    assign,
    change_assignment,
    unassign,
)
from judge.actions.time_zones import find_time_zone
from judge.api.deps import PartsDep, require
from judge.api.etags import check_if_match, etag_of, not_changed
from judge.api.ids import ASSIGNMENT, CLASS, read, show
from judge.api.once import Once, OnceRoute
from judge.api.pages import Page, PageQuery, link_next, read_cursor, write_cursor
from judge.api.schemas.assignments import (
    ASSIGNMENT_EXAMPLE,
    GIVEN_EXAMPLE,
    AssignmentAnswer,
    AssignmentPage,
    AssignmentPatch,
    AssignmentRequest,
    GivenAssignmentPage,
    assignment_answer,
    given_answer,
)
from judge.api.schemas.base import answers, asks, sending
from judge.db.queries.assignments import (
    Assignment,
    GivenAssignment,
    list_assignments,
    list_given,
    select_assignment,
)
from judge.db.queries.school_classes import SchoolClass, select_class, select_taught_class
from judge.db.queries.scores import map_best_scores
from judge.db.types import now
from judge.domain.access import Caller, Scope
from judge.domain.scoring import points
from judge.errors import NotFound

router = APIRouter(tags=["classes"], route_class=OnceRoute)
Reader = Annotated[Caller, Depends(require(Scope.CLASS_READ))]
Writer = Annotated[Caller, Depends(require(Scope.CLASS_WRITE))]
_LOCAL_EXAMPLE = {
    "problem": "sample_token",
    "title": "Week 1",
    "due_local": "2026-09-08T23:59:00",
    "late_percent": 50,
}


@dataclass(frozen=True)
class _Place:
    """Which assignment of which class."""

    class_id: str
    assignment_id: str


def _place(class_id: str, assignment_id: str) -> _Place:
    return _Place(read(CLASS, class_id), read(ASSIGNMENT, assignment_id))


PlaceDep = Annotated[_Place, Depends(_place)]


@router.get(
    "/me/assignments",
    summary="List my assignments",
    responses=answers({"items": [GIVEN_EXAMPLE], "next": None}, 200, 401, 403, 422),
)
def list_my_assignments(
    request: Request, response: Response, joined: PartsDep, caller: Reader, page: PageQuery
) -> GivenAssignmentPage:
    """What the caller's classes have opened until now, the next due first, the undue last."""
    with joined.database.read() as connection:
        given = list_given(connection, caller, now())
        best = map_best_scores(connection, caller.account_id)
    shown, more = _slice(given, page)
    items = []
    for one in shown:
        found = best.get(one.assignment.problem_id)
        score = None if found is None else points(found.score, one.assignment.points)
        count = 0 if found is None else found.submissions
        items.append(given_answer(one, _due_local(one.assignment, one.time_zone), score, count))
    return GivenAssignmentPage(items=items, next=link_next(request, response, more))


@router.get(
    "/classes/{class_id}/assignments",
    summary="List a class's assignments",
    responses=answers({"items": [ASSIGNMENT_EXAMPLE], "next": None}, 200, 401, 403, 404, 422),
)
def list_class_assignments(
    class_id: str,
    request: Request,
    response: Response,
    joined: PartsDep,
    caller: Reader,
    page: PageQuery,
) -> AssignmentPage:
    """All assignments by position, for who teaches the class; learners read /me/assignments."""
    key = read_cursor(page.cursor, (int, str))
    after = None if key is None else (int(key[0]), str(key[1]))
    with joined.database.read() as connection:
        school_class = select_taught_class(connection, read(CLASS, class_id), caller)
        found = list_assignments(connection, school_class.id, after, page.limit + 1)
    shown = found[: page.limit]
    more = None
    if len(found) > page.limit:
        more = write_cursor(shown[-1].position, shown[-1].id)
    return AssignmentPage(
        items=[_answer(one, school_class) for one in shown],
        next=link_next(request, response, more),
    )


@router.post(
    "/classes/{class_id}/assignments",
    status_code=201,
    summary="Give a class a problem",
    responses=sending(
        answers(ASSIGNMENT_EXAMPLE, 201, 401, 403, 404, 409, 422), "Location", "ETag"
    ),
    openapi_extra=asks(_LOCAL_EXAMPLE),
)
def add_assignment(
    class_id: str,
    body: AssignmentRequest,
    response: Response,
    joined: PartsDep,
    caller: Writer,
    _once: Once,
) -> AssignmentAnswer:
    """Give a class a problem; from then on its teachers read the members' work on it.

    Times are moments, or wall clock times of the class (``due_local``).
    """
    identifier = read(CLASS, class_id)
    with joined.database.read() as connection:
        school_class = select_taught_class(connection, identifier, caller)
    terms = body.terms(school_class.time_zone)
    new = NewAssignment(body.problem, terms, body.title, body.weight, body.position)
    assignment_id = assign(joined.database, caller, identifier, new)
    with joined.database.read() as connection:
        found = select_assignment(connection, identifier, assignment_id)
    response.headers["Location"] = (
        f"/api/v1/classes/{show(CLASS, identifier)}/assignments/{show(ASSIGNMENT, found.id)}"
    )
    response.headers["ETag"] = _etag(found)
    return _answer(found, school_class)


@router.get(
    "/classes/{class_id}/assignments/{assignment_id}",
    summary="Read an assignment",
    responses=answers(ASSIGNMENT_EXAMPLE, 200, 401, 403, 404),
)
def show_assignment(
    place: PlaceDep, response: Response, joined: PartsDep, caller: Reader
) -> AssignmentAnswer:
    """One assignment, for the class's members once it has opened; the ETag is for a change."""
    with joined.database.read() as connection:
        school_class = select_class(connection, place.class_id, caller)
        found = select_assignment(connection, place.class_id, place.assignment_id)
        if not caller.teaches(place.class_id):
            given = {one.assignment.id for one in list_given(connection, caller, now())}
            if found.id not in given:
                raise NotFound("assignment-not-found")
    response.headers["ETag"] = _etag(found)
    return _answer(found, school_class)


@router.patch(
    "/classes/{class_id}/assignments/{assignment_id}",
    summary="Change an assignment",
    responses=answers(ASSIGNMENT_EXAMPLE, 200, 401, 403, 404, 412, 422, 428),
    openapi_extra=asks({"due_local": "2026-09-15T23:59:00", "late_percent": 0}),
)
def patch_assignment(
    place: PlaceDep,
    body: AssignmentPatch,
    response: Response,
    joined: PartsDep,
    caller: Writer,
    if_match: Annotated[str | None, Header(description="The ETag that was read.")] = None,
) -> AssignmentAnswer:
    """Change title, times, late rule, weight or position; the gradebook follows at once."""
    with joined.database.read() as connection:
        school_class = select_taught_class(connection, place.class_id, caller)
        found = select_assignment(connection, place.class_id, place.assignment_id)
    check_if_match(if_match, _etag(found))
    change = AssignmentChange(
        terms=body.terms(found.terms, school_class.time_zone),
        title=found.title if body.title is None else body.title,
        weight=found.weight if body.weight is None else body.weight,
        position=found.position if body.position is None else body.position,
    )
    with not_changed("assignment-changed"):
        changed = change_assignment(joined.database, caller, found, change)
    response.headers["ETag"] = _etag(changed)
    return _answer(changed, school_class)


@router.delete(
    "/classes/{class_id}/assignments/{assignment_id}",
    status_code=204,
    summary="Take an assignment back",
    responses=answers(None, 204, 401, 403, 404),
)
def delete_assignment(place: PlaceDep, joined: PartsDep, caller: Writer) -> None:
    """Remove it from class and gradebook; what was handed in stays its owners'."""
    unassign(joined.database, caller, place.class_id, place.assignment_id)


def _slice(
    given: Sequence[GivenAssignment], page: Page
) -> tuple[Sequence[GivenAssignment], str | None]:
    """The page behind a cursor, and the next one's; a learner's classes give some dozens."""
    keys = [_key(one) for one in given]
    cursor = read_cursor(page.cursor, (str, str))
    start = sum(key <= cursor for key in keys) if cursor is not None else 0
    shown = given[start : start + page.limit]
    has_more = len(given) > start + page.limit
    return shown, write_cursor(*_key(shown[-1])) if has_more else None


def _key(one: GivenAssignment) -> tuple[str, str]:
    due_at = one.assignment.terms.due_at
    # Behind every time that can be kept.
    moment = "~" if due_at is None else due_at.isoformat(timespec="microseconds")
    return moment, one.assignment.id


def _answer(one: Assignment, school_class: SchoolClass) -> AssignmentAnswer:
    zone = school_class.time_zone
    return assignment_answer(one, zone, _due_local(one, zone))


def _due_local(one: Assignment, time_zone: str) -> datetime | None:
    due_at = one.terms.due_at
    return None if due_at is None else due_at.astimezone(find_time_zone(time_zone))


def _etag(found: Assignment) -> str:
    return etag_of(repr(found))
