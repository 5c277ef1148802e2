"""What a list of people does to a class, row by row.

Pure: the caller fetched who is in the class and which accounts there are. A row names an account by
its handle, or by the external id that a member has already; nobody who is not on the list is
touched.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from judge.domain.states import MEMBER_ROLES
from judge.errors import Flaw, flaw

MAX_EXTERNAL_ID = 128
ROLES = tuple(sorted(MEMBER_ROLES))


@dataclass(frozen=True)
class RosterRow:
    """One row; ``number`` counts from 1. An empty role leaves what is there, or is a learner."""

    number: int
    handle: str = ""
    external_id: str = ""
    role: str = ""


@dataclass(frozen=True)
class Known:
    """An account that a row may name; ``role`` and so on are its place in the class, or empty."""

    account_id: str
    handle: str
    is_staff: bool
    role: str = ""
    external_id: str = ""
    is_invited: bool = False

    @property
    def is_member(self) -> bool:
        """Whether it is in the class, or invited."""
        return bool(self.role)


class Effect(StrEnum):
    """What a row does."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True)
class Step:
    """What one good row does: the account gets this role and external id."""

    number: int
    account_id: str
    handle: str
    role: str
    external_id: str
    effect: Effect
    becomes_active: bool


@dataclass(frozen=True)
class Plan:
    """What the good rows do, and what is wrong with the others, by their numbers."""

    steps: tuple[Step, ...]
    errors: Mapping[int, Flaw]


def plan_roster(rows: Sequence[RosterRow], people: Mapping[str, Known], *, activates: bool) -> Plan:
    """Decide about every row.

    Args:
        rows: the list.
        people: all accounts that the class has or a row names, by the handle in lower case.
        activates: whether the list makes members; else it only invites.
    """
    by_external_id = {one.external_id: one for one in people.values() if one.external_id}
    errors: dict[int, Flaw] = {}
    steps: list[Step] = []
    for row in rows:
        found = _find(row, people, by_external_id)
        wrong = _flaw_of(row, found)
        if wrong is not None:
            errors[row.number] = wrong
        elif found is not None:
            steps.append(_step(row, found, activates))
    return _without_clashes(steps, errors, people)


def _find(
    row: RosterRow, people: Mapping[str, Known], by_external_id: Mapping[str, Known]
) -> Known | None:
    if row.handle:
        return people.get(row.handle.lower())
    return by_external_id.get(row.external_id)


def _flaw_of(row: RosterRow, found: Known | None) -> Flaw | None:
    number = row.number
    if not row.handle and not row.external_id:
        return flaw(_at(row, "handle"), "roster-empty", row=number)
    if len(row.external_id) > MAX_EXTERNAL_ID or not row.external_id.isprintable():
        return flaw(_at(row, "external_id"), "external-id", row=number, most=MAX_EXTERNAL_ID)
    if row.role not in ("", *ROLES):
        return flaw(_at(row, "role"), "choice", row=number, choices=ROLES)
    if found is None and row.handle:
        return flaw(_at(row, "handle"), "roster-handle", row=number)
    if found is None:
        return flaw(_at(row, "external_id"), "roster-external-id", row=number)
    if row.role == "teacher" and not found.is_staff:
        return flaw(_at(row, "role"), "roster-not-staff", row=number)
    if found.role == "teacher" and row.role == "learner":
        return flaw(_at(row, "role"), "roster-teaches", row=number)
    return None


def _step(row: RosterRow, found: Known, activates: bool) -> Step:
    role = row.role or found.role or "learner"
    external_id = row.external_id or found.external_id
    becomes_active = activates and (found.is_invited or not found.is_member)
    if not found.is_member:
        effect = Effect.ADDED
    else:
        is_same = (role, external_id) == (found.role, found.external_id) and not becomes_active
        effect = Effect.UNCHANGED if is_same else Effect.CHANGED
    return Step(
        number=row.number,
        account_id=found.account_id,
        handle=found.handle,
        role=role,
        external_id=external_id,
        effect=effect,
        becomes_active=becomes_active,
    )


def _without_clashes(
    steps: Sequence[Step], errors: dict[int, Flaw], people: Mapping[str, Known]
) -> Plan:
    """Nobody twice, and no external id for two people, whoever of them is not on the list.

    Dropping a row leaves its account with the id that it had, which may then clash with another.
    """
    seen: set[str] = set()
    kept: list[Step] = []
    for step in steps:
        if step.account_id in seen:
            errors[step.number] = flaw(_at(step, "handle"), "roster-twice", row=step.number)
        else:
            seen.add(step.account_id)
            kept.append(step)
    while True:
        held = {one.account_id: one.external_id for one in people.values() if one.is_member}
        held |= {step.account_id: step.external_id for step in kept}
        shared = {key for key, count in Counter(held.values()).items() if key and count > 1}
        had = {one.account_id: one.external_id for one in people.values()}
        clashing = [
            step
            for step in kept
            if step.external_id in shared and had.get(step.account_id) != step.external_id
        ]
        if not clashing:
            return Plan(tuple(kept), dict(sorted(errors.items())))
        for step in clashing:
            errors[step.number] = flaw(
                _at(step, "external_id"), "roster-external-id-taken", row=step.number
            )
            kept.remove(step)


def _at(row: RosterRow | Step, field: str) -> str:
    """The pointer to a row's field."""
    return f"/members/{row.number - 1}/{field}"
