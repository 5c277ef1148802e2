"""What staff does with stored problems: look, publish, retire, restore, download.

Who may is decided by judge.domain.access: admins everything, teachers what is their own. What one
may not see does not exist.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Response

from judge.actions.publish import ScorePolicy, Scores
from judge.actions.publish import publish_revision as publish_stored
from judge.actions.retire import ProblemChange, change_problem
from judge.api.deps import PartsDep, ReadLocale, require
from judge.api.etags import check_if_match, etag_of, not_changed
from judge.api.ids import REVISION, read
from judge.api.schemas.admin_problems import (
    PUBLISHED_EXAMPLE,
    REVISION_EXAMPLE,
    STATE_EXAMPLE,
    ProblemPatch,
    ProblemStateAnswer,
    PublishedAnswer,
    PublishRequest,
    RevisionList,
    problem_state_answer,
    published_answer,
    stored_revision_answer,
)
from judge.api.schemas.base import answers, asks
from judge.db.engine import Database
from judge.db.queries.accounts import map_handles
from judge.db.queries.judging import select_package
from judge.db.queries.problems import (
    Problem,
    list_revisions,
    select_managed_problem,
    select_problem,
    select_revision,
    select_staff_problem,
)
from judge.domain.access import Caller, Scope
from judge.errors import NotFound

router = APIRouter(tags=["admin"])
Staff = Annotated[Caller, Depends(require(Scope.ADMIN_PROBLEMS))]
_AS_IT_IS = PublishRequest()


@router.get(
    "/admin/problems/{slug}",
    summary="Read a problem's state",
    responses=answers(STATE_EXAMPLE, 200, 401, 403, 404),
)
def show_problem_state(
    slug: str, response: Response, joined: PartsDep, caller: Staff
) -> ProblemStateAnswer:
    """State, visibility, points, position and owner; the ETag is what a change must name."""
    with joined.database.read() as connection:
        found = select_staff_problem(connection, slug, caller)
    response.headers["ETag"] = _etag(found)
    return _state(joined.database, found)


@router.patch(
    "/admin/problems/{slug}",
    summary="Change a problem's points, position or state",
    responses=answers(STATE_EXAMPLE, 200, 401, 403, 404, 409, 412, 422, 428),
    openapi_extra=asks({"points": 100, "position": 1, "state": "retired"}),
)
def change_problem_state(
    slug: str,
    body: ProblemPatch,
    response: Response,
    joined: PartsDep,
    caller: Staff,
    if_match: Annotated[str | None, Header(description="The ETag that was read.")] = None,
) -> ProblemStateAnswer:
    """Retire with the state ``retired``, restore with ``published``; nothing is judged anew.

    A retired problem is 410 for learners; what they handed in stays theirs to read.
    """
    with joined.database.read() as connection:
        found = select_managed_problem(connection, slug, caller)
    check_if_match(if_match, _etag(found))
    change = ProblemChange(body.points, body.position, body.state)
    with not_changed("problem-changed"):
        changed = change_problem(joined.database, caller, slug, change, found)
    response.headers["ETag"] = _etag(changed)
    return _state(joined.database, changed)


@router.get(
    "/problems/{slug}/revisions",
    summary="List a problem's revisions",
    responses=answers({"items": [REVISION_EXAMPLE]}, 200, 401, 403, 404),
)
def list_problem_revisions(slug: str, joined: PartsDep, caller: Staff) -> RevisionList:
    """Every stored revision, the newest first."""
    with joined.database.read() as connection:
        problem = select_staff_problem(connection, slug, caller)
        found = list_revisions(connection, problem.id)
        handles = map_handles(connection, {one.author_id for one in found if one.author_id})
    return RevisionList(
        items=[
            stored_revision_answer(one, problem, handles.get(one.author_id or "")) for one in found
        ]
    )


@router.get(
    "/admin/revisions/{revision_id}/package",
    summary="Download a revision's package",
    response_class=Response,
    responses={
        200: {"content": {"application/zip": {"example": "PK (a zip archive)"}}},
        **{key: value for key, value in answers(None, 200, 401, 403, 404).items() if key != 200},
    },
)
def download_package(revision_id: str, joined: PartsDep, caller: Staff) -> Response:
    """The canonical zip, with hidden test cases and solutions."""
    identifier = read(REVISION, revision_id)
    problem, number = _staff_revision(joined.database, identifier, caller)
    with joined.database.read() as connection:
        blob = select_package(connection, identifier)
    name = f"{problem.slug}-{number}.zip"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "private, no-store",
    }
    return Response(blob, headers=headers, media_type="application/zip")


@router.post(
    "/admin/revisions/{revision_id}/publish",
    summary="Publish a revision",
    responses=answers(PUBLISHED_EXAMPLE, 200, 401, 403, 404, 409, 422, 503),
    openapi_extra=asks({"scores": "rejudge_best", "allow_decrease": False}),
)
def publish_revision(
    revision_id: str,
    joined: PartsDep,
    caller: Staff,
    locale: ReadLocale,
    body: PublishRequest = _AS_IT_IS,
) -> PublishedAnswer:
    """Let the problem point to a revision that was proved, also to one from before.

    If its tests are others than those published now, ``scores`` must say what becomes of earlier
    scores. Teachers publish their own problems, to their own classes. Without a body it is as with
    an empty object. ``notices`` say where fewer people see the problem than judge.yaml wishes.
    """
    identifier = read(REVISION, revision_id)
    problem, _ = _staff_revision(joined.database, identifier, caller)
    policy = None if body.scores is None else ScorePolicy(body.scores)
    scores = Scores(policy, body.allow_decrease)
    published = publish_stored(joined.database, identifier, scores, caller, joined.intake.content)
    for lane in () if published.rejudge is None else published.rejudge.lanes:
        joined.bell.ring(f"lane:{lane}")
    return published_answer(published, problem.slug, locale)


def _staff_revision(database: Database, revision_id: str, caller: Caller) -> tuple[Problem, int]:
    """The problem of a revision, if the caller may see it, and the revision's number."""
    with database.read() as connection:
        revision = select_revision(connection, revision_id)
        slug = select_problem(connection, revision.problem_id).slug
        try:
            problem = select_staff_problem(connection, slug, caller)
        except NotFound:
            raise NotFound("revision-not-found") from None
    return problem, revision.number


def _state(database: Database, problem: Problem) -> ProblemStateAnswer:
    owner = problem.owner_id
    with database.read() as connection:
        handles = map_handles(connection, set() if owner is None else {owner})
    return problem_state_answer(problem, handles.get(owner or ""))


def _etag(problem: Problem) -> str:
    return etag_of(repr(problem))
