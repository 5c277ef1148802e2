"""Members of classes, and the lists that bring them in."""

from typing import Annotated, Any

from pydantic import Field, model_validator

from judge.actions.class_rules import MAX_MEMBERS
from judge.api.ids import ACCOUNT, show
from judge.api.roster_csv import read_roster
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.api.schemas.choices import MemberRole, MemberState, RosterEffect
from judge.api.schemas.row_errors import RowErrorAnswer, row_error_answer
from judge.db.queries.classes import INVITED
from judge.db.queries.members import Member
from judge.domain.roster import Effect, Plan, RosterRow
from judge.errors import Invalid, flaw


class RosterEntry(RequestModel):
    """One person, by handle or by the external id that a member has already."""

    handle: Annotated[Text, Field(max_length=32)] = ""
    external_id: Annotated[Text, Field(max_length=256)] = ""
    role: Annotated[Text, Field(max_length=16)] = ""


class RosterRequest(RequestModel):
    """A list of people, as JSON or as CSV with the columns external_id, handle and role."""

    members: Annotated[list[RosterEntry], Field(max_length=MAX_MEMBERS)]

    @model_validator(mode="before")
    @classmethod
    def _from_csv(cls, data: Any) -> Any:
        """A body that is not called JSON comes here as bytes."""
        if not isinstance(data, bytes):
            return data
        rows = read_roster(data)
        if len(rows) > MAX_MEMBERS:
            raise Invalid("roster-unreadable", flaw("", "roster-too-long", most=MAX_MEMBERS))
        # Whatever is wrong with a row's texts is said with the row's number, not here.
        entries = [
            RosterEntry.model_construct(
                handle=row.handle, external_id=row.external_id, role=row.role
            )
            for row in rows
        ]
        return {"members": entries}

    def rows(self) -> tuple[RosterRow, ...]:
        """The list as the domain takes it."""
        return tuple(
            RosterRow(number, one.handle, one.external_id.strip(), one.role)
            for number, one in enumerate(self.members, 1)
        )


class MemberAnswer(AnswerModel):
    """One account in a class. Who is only invited is known by the handle that the list named."""

    account: str
    handle: str
    display_name: str | None
    role: MemberRole
    state: MemberState
    external_id: str | None
    joined_at: Moment | None


class MemberPage(AnswerModel):
    """A page of members, by handle."""

    items: list[MemberAnswer]
    next: str | None


class RosterRowAnswer(AnswerModel):
    """What a good row does: added, changed, unchanged. ``row`` counts from 1, without a header."""

    row: int
    account: str
    handle: str
    external_id: str | None
    role: MemberRole
    effect: RosterEffect


class RosterAnswer(AnswerModel):
    """What a list does, or did. ``applied`` is false for a dry run."""

    applied: bool
    added: int
    changed: int
    unchanged: int
    rows: list[RosterRowAnswer]
    errors: list[RowErrorAnswer]


def member_answer(member: Member) -> MemberAnswer:
    """One member."""
    return MemberAnswer(
        account=show(ACCOUNT, member.account_id),
        handle=member.handle,
        display_name=None if member.state == INVITED else member.display_name,
        role=member.role,
        state=member.state,
        external_id=member.external_id,
        joined_at=member.joined_at,
    )


def roster_answer(plan: Plan, locale: str, *, applied: bool) -> RosterAnswer:
    """What a list does to a class."""
    counts = {effect: sum(step.effect is effect for step in plan.steps) for effect in Effect}
    return RosterAnswer(
        applied=applied,
        added=counts[Effect.ADDED],
        changed=counts[Effect.CHANGED],
        unchanged=counts[Effect.UNCHANGED],
        rows=[
            RosterRowAnswer(
                row=step.number,
                account=show(ACCOUNT, step.account_id),
                handle=step.handle,
                external_id=step.external_id or None,
                role=step.role,
                effect=step.effect.value,
            )
            for step in plan.steps
        ],
        errors=[row_error_answer(number, one, locale) for number, one in plan.errors.items()],
    )


MEMBER_EXAMPLE = {
    "account": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "handle": "ada",
    "display_name": "Ada",
    "role": "learner",
    "state": "active",
    "external_id": "20260017",
    "joined_at": "2026-09-01T02:03:04.000005Z",
}
ROSTER_EXAMPLE = {
    "applied": True,
    "added": 1,
    "changed": 0,
    "unchanged": 0,
    "rows": [
        {
            "row": 1,
            "account": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
            "handle": "ada",
            "external_id": "20260017",
            "role": "learner",
            "effect": "added",
        }
    ],
    "errors": [],
}
