"""Classes."""

from typing import Annotated

from pydantic import Field

from judge.api.ids import CLASS, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.api.schemas.choices import LocaleId, LocaleName, MemberRole, MemberState
from judge.db.queries.school_classes import SchoolClass
from judge.domain.access import Caller

ClassName = Annotated[Text, Field(min_length=1, max_length=128)]
ZoneName = Annotated[Text, Field(max_length=64)]


class ClassRequest(RequestModel):
    """A new class; ``time_zone`` is that of its due times."""

    name: ClassName
    locale: LocaleName = "en"
    time_zone: ZoneName = "UTC"


class ClassPatch(RequestModel):
    """What of a class is to be changed; a field that is missing or null stays as it is."""

    name: ClassName | None = None
    locale: LocaleName | None = None
    time_zone: ZoneName | None = None
    archived: bool | None = None


class JoinClassRequest(RequestModel):
    """The code that a teacher gave out; spaces, hyphens and capitals do not matter."""

    code: Annotated[Text, Field(max_length=64)]


class JoinCodeAnswer(AnswerModel):
    """A join code; it is shown in this answer and nowhere else."""

    join_code: str


class ClassAnswer(AnswerModel):
    """A class as the caller finds it.

    ``role`` (teacher, learner) and ``state`` (active, invited) are the caller's own place in it,
    null without one. ``members`` counts active ones; it is null for who does not teach the class.
    """

    id: str
    name: str
    role: MemberRole | None
    state: MemberState | None
    locale: LocaleId
    time_zone: str
    archived: bool
    members: int | None
    created_at: Moment
    updated_at: Moment


class NewClassAnswer(ClassAnswer):
    """A class that was just made, with the code that is shown this once."""

    join_code: str


class ClassPage(AnswerModel):
    """A page of classes, the newest first."""

    items: list[ClassAnswer]
    next: str | None


def class_answer(found: SchoolClass, viewer: Caller) -> ClassAnswer:
    """A class as a viewer may see it."""
    return ClassAnswer(
        id=show(CLASS, found.id),
        name=found.name,
        role=found.role,
        state=found.state,
        locale=found.locale,
        time_zone=found.time_zone,
        archived=found.archived_at is not None,
        members=found.members if viewer.teaches(found.id) else None,
        created_at=found.created_at,
        updated_at=found.updated_at,
    )


JOIN_CODE_EXAMPLE = "h7kq-2mwe-p9xd"
CLASS_EXAMPLE = {
    "id": "cls_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "name": "Decoding 2026",
    "role": "teacher",
    "state": "active",
    "locale": "vi",
    "time_zone": "Asia/Ho_Chi_Minh",
    "archived": False,
    "members": 25,
    "created_at": "2026-09-01T02:03:04.000005Z",
    "updated_at": "2026-09-01T02:03:04.000005Z",
}
