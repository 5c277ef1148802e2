"""Problems and revisions as staff sees them."""

from typing import Any, Literal

from pydantic import Field

from judge.actions.publish import Published
from judge.actions.retire import MAX_POSITION
from judge.api.ids import REJUDGE, REVISION, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel
from judge.api.schemas.choices import ProblemState, ProblemVisibility, VerifyState
from judge.api.schemas.notices import NoticeAnswer, visibility_notices
from judge.db.queries.problems import Problem, Revision
from judge.domain.scoring import MAX_POINTS


class ProblemStateAnswer(AnswerModel):
    """What belongs to the problem and not to one of its revisions.

    ``owner`` is the handle of who made it; None if it came with the judge.
    """

    slug: str
    state: ProblemState
    visibility: ProblemVisibility
    points: int
    position: int
    revision: str | None
    owner: str | None


class ProblemPatch(RequestModel):
    """What is to be changed; what is missing or null stays as it is."""

    points: int | None = Field(default=None, ge=1, le=MAX_POINTS)
    position: int | None = Field(default=None, ge=0, le=MAX_POSITION)
    state: Literal["published", "retired"] | None = None


class StoredRevisionAnswer(AnswerModel):
    """One stored revision; ``verify_state`` is pending, proved or failed.

    Two revisions with the same ``tests_hash`` judge alike.
    """

    id: str
    number: int
    tests_hash: str
    content_hash: str
    verify_state: VerifyState
    is_published: bool
    author: str | None
    created_at: Moment


class RevisionList(AnswerModel):
    """All revisions of a problem, the newest first."""

    items: list[StoredRevisionAnswer]


class PublishRequest(RequestModel):
    """What becomes of earlier scores if the tests changed; a rejudge lowers none unless allowed."""

    scores: Literal["keep", "rejudge_best", "rejudge_all"] | None = None
    allow_decrease: bool = False


class StartedRejudgeAnswer(AnswerModel):
    """A rejudge that began, and how many submissions it judges anew."""

    id: str
    submissions: int


class PublishedAnswer(AnswerModel):
    """What a publication came to; ``is_new`` is false if just this was published already."""

    problem: str
    revision: str
    number: int
    is_new: bool
    rejudge: StartedRejudgeAnswer | None
    notices: list[NoticeAnswer]


def problem_state_answer(problem: Problem, owner: str | None) -> ProblemStateAnswer:
    """A problem's own facts."""
    return ProblemStateAnswer(
        slug=problem.slug,
        state=problem.state,
        visibility=problem.visibility,
        points=problem.points,
        position=problem.position,
        revision=None if problem.revision_id is None else show(REVISION, problem.revision_id),
        owner=owner,
    )


def stored_revision_answer(
    revision: Revision, problem: Problem, author: str | None
) -> StoredRevisionAnswer:
    """One stored revision; ``author`` is a handle."""
    return StoredRevisionAnswer(
        id=show(REVISION, revision.id),
        number=revision.number,
        tests_hash=revision.tests_hash,
        content_hash=revision.content_hash,
        verify_state=revision.verify_state,
        is_published=revision.id == problem.revision_id,
        author=author,
        created_at=revision.created_at,
    )


def published_answer(published: Published, slug: str, locale: str) -> PublishedAnswer:
    """What a publication came to."""
    started = published.rejudge
    return PublishedAnswer(
        problem=slug,
        revision=show(REVISION, published.revision_id),
        number=published.number,
        is_new=published.is_new,
        rejudge=None
        if started is None
        else StartedRejudgeAnswer(
            id=show(REJUDGE, started.rejudge_id), submissions=started.submissions
        ),
        notices=visibility_notices(published.wished, published.visibility, locale),
    )


STATE_EXAMPLE: dict[str, Any] = {
    "slug": "sample_token",
    "state": "published",
    "visibility": "public",
    "points": 100,
    "position": 1,
    "revision": "rev_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "owner": None,
}
REVISION_EXAMPLE: dict[str, Any] = {
    "id": "rev_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "number": 2,
    "tests_hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "content_hash": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
    "verify_state": "proved",
    "is_published": True,
    "author": "ada",
    "created_at": "2026-09-01T02:03:04.000005Z",
}
PUBLISHED_EXAMPLE: dict[str, Any] = {
    "problem": "sample_token",
    "revision": "rev_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "number": 2,
    "is_new": True,
    "rejudge": {"id": "rej_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f", "submissions": 31},
    "notices": [
        {
            "code": "visible-as-draft",
            "message": "judge.yaml says visibility: draft, so a published revision is shown to …",
        }
    ],
}
