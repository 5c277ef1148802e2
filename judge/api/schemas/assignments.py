"""Assignments."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AwareDatetime, Field

from judge.actions.assign import MAX_POSITION, MAX_WEIGHT
from judge.actions.class_rules import to_moment
from judge.api.ids import ASSIGNMENT, CLASS, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.db.queries.assignments import Assignment, GivenAssignment
from judge.domain.gradebook import MAX_PERCENT, Terms
from judge.errors import Flaw, Invalid, flaw

Title = Annotated[Text, Field(max_length=200)]
Percent = Annotated[int, Field(ge=0, le=MAX_PERCENT)]
Weight = Annotated[int, Field(ge=0, le=MAX_WEIGHT)]
Position = Annotated[int, Field(ge=0, le=MAX_POSITION)]
# As 2026-09-08T23:59, without a zone: JSON Schema has no format for that.
LocalTime = Annotated[Text, Field(max_length=32)]


class _Times(RequestModel):
    """Each time with its zone, or as the wall clock of the class's time zone (``…_local``)."""

    opens_at: AwareDatetime | None = None
    opens_local: LocalTime | None = None
    due_at: AwareDatetime | None = None
    due_local: LocalTime | None = None

    def says(self, name: str) -> bool:
        """Whether the body says something about ``opens`` or ``due``."""
        return not self.model_fields_set.isdisjoint((f"{name}_at", f"{name}_local"))

    def moment(self, name: str, time_zone: str, flaws: list[Flaw]) -> datetime | None:
        """The time in UTC; adds to ``flaws`` what cannot be one."""
        aware: datetime | None = getattr(self, f"{name}_at")
        local: str | None = getattr(self, f"{name}_local")
        if local is None:
            if not _can_be_kept(aware):
                flaws.append(flaw(f"/{name}_at", "time"))
            return aware
        pointer = f"/{name}_local"
        if aware is not None:
            flaws.append(flaw(pointer, "one-time-only"))
            return None
        wall = _read_local(local)
        found = None if wall is None else to_moment(wall, time_zone)
        if found is None or not _can_be_kept(found):
            flaws.append(flaw(pointer, "local-time"))
        return found


class AssignmentRequest(_Times):
    """A problem for a class. ``late_percent``: what a submission after the due time is worth."""

    problem: Annotated[Text, Field(max_length=64)]
    title: Title = ""
    late_percent: Percent = 0
    weight: Weight = 1
    position: Position | None = None

    def terms(self, time_zone: str) -> Terms:
        """From when to when a submission counts.

        Raises:
            Invalid: a time that cannot be one, or is said twice.
        """
        flaws: list[Flaw] = []
        opens_at = self.moment("opens", time_zone, flaws)
        due_at = self.moment("due", time_zone, flaws)
        if flaws:
            raise Invalid("invalid-assignment", *flaws)
        return Terms(opens_at, due_at, self.late_percent)


class AssignmentPatch(_Times):
    """What is to be changed. A time that is null is taken away, one that is missing stays."""

    title: Title | None = None
    late_percent: Percent | None = None
    weight: Weight | None = None
    position: Position | None = None

    def terms(self, before: Terms, time_zone: str) -> Terms:
        """The terms after the change.

        Raises:
            Invalid: a time that cannot be one, or is said twice.
        """
        flaws: list[Flaw] = []
        opens_at, due_at = before.opens_at, before.due_at
        if self.says("opens"):
            opens_at = self.moment("opens", time_zone, flaws)
        if self.says("due"):
            due_at = self.moment("due", time_zone, flaws)
        if flaws:
            raise Invalid("invalid-assignment", *flaws)
        percent = before.late_percent if self.late_percent is None else self.late_percent
        return Terms(opens_at, due_at, percent)


class AssignmentAnswer(AnswerModel):
    """A problem that a class is given. ``due_local`` is the wall clock of the class's time zone."""

    id: str
    class_id: str
    problem: str
    title: str
    max_score: int
    opens_at: Moment | None
    due_at: Moment | None
    due_local: str | None
    time_zone: str
    late_percent: int
    weight: int
    position: int
    created_at: Moment
    updated_at: Moment


class AssignmentPage(AnswerModel):
    """A page of a class's assignments, by position."""

    items: list[AssignmentAnswer]
    next: str | None


class GivenAssignmentAnswer(AssignmentAnswer):
    """An assignment of one of the caller's own classes, with the caller's best score on it.

    ``score`` is that of the catalogue: what is late or too early counts in it as well.
    """

    class_name: str
    score: float | None
    submissions: int


class GivenAssignmentPage(AnswerModel):
    """A page of the caller's assignments, the next due first."""

    items: list[GivenAssignmentAnswer]
    next: str | None


def assignment_answer(one: Assignment, time_zone: str, local: datetime | None) -> AssignmentAnswer:
    """One assignment; ``local`` is its due time by the class's clock."""
    return AssignmentAnswer(**_fields(one, time_zone, local))


def given_answer(
    given: GivenAssignment, local: datetime | None, score: float | None, submissions: int
) -> GivenAssignmentAnswer:
    """One assignment as a learner finds it."""
    return GivenAssignmentAnswer(
        **_fields(given.assignment, given.time_zone, local),
        class_name=given.class_name,
        score=score,
        submissions=submissions,
    )


def _fields(one: Assignment, time_zone: str, local: datetime | None) -> dict[str, Any]:
    return {
        "id": show(ASSIGNMENT, one.id),
        "class_id": show(CLASS, one.class_id),
        "problem": one.slug,
        "title": one.title,
        "max_score": one.points,
        "opens_at": one.terms.opens_at,
        "due_at": one.terms.due_at,
        "due_local": None if local is None else local.replace(tzinfo=None).isoformat(),
        "time_zone": time_zone,
        "late_percent": one.terms.late_percent,
        "weight": one.weight,
        "position": one.position,
        "created_at": one.created_at,
        "updated_at": one.updated_at,
    }


def _read_local(text: str) -> datetime | None:
    """A time without a zone; None for anything else."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is None else None


def _can_be_kept(moment: datetime | None) -> bool:
    """Whether every time zone can show it."""
    return moment is None or 1 < moment.year < 9999


ASSIGNMENT_EXAMPLE = {
    "id": "asg_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "class_id": "cls_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "problem": "sample_token",
    "title": "Week 1",
    "max_score": 100,
    "opens_at": "2026-09-01T00:00:00.000000Z",
    "due_at": "2026-09-08T16:59:00.000000Z",
    "due_local": "2026-09-08T23:59:00",
    "time_zone": "Asia/Ho_Chi_Minh",
    "late_percent": 50,
    "weight": 1,
    "position": 1,
    "created_at": "2026-08-30T02:03:04.000005Z",
    "updated_at": "2026-08-30T02:03:04.000005Z",
}
GIVEN_EXAMPLE = {
    **ASSIGNMENT_EXAMPLE,
    "class_name": "Decoding 2026",
    "score": 60.0,
    "submissions": 2,
}
