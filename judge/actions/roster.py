"""Bringing a class into agreement with a list of people.

A list can name anybody, so whom a teacher adds is only invited until it joins by itself; whom an
admin adds is a member at once (judge.domain.access.state_of_new_member).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection, bindparam, insert, update

from judge.actions.audit import add_audit
from judge.actions.class_rules import INVITATION_NOTICE, MAX_MEMBERS
from judge.actions.score_turn import next_score_moment, take_score_turn
from judge.db.engine import Database
from judge.db.inserts import insert_if_absent
from judge.db.queries.classes import ACTIVE, INVITED
from judge.db.queries.members import list_members, map_people
from judge.db.queries.school_classes import lock_class, select_taught_class
from judge.db.tables import membership, notice
from judge.db.types import new_id, now
from judge.domain.access import Caller, state_of_new_member
from judge.domain.roster import Effect, Known, Plan, RosterRow, Step, plan_roster
from judge.errors import Conflict


def preview_roster(
    database: Database, teacher: Caller, class_id: str, rows: Sequence[RosterRow]
) -> Plan:
    """What a list would do to a class; nothing is written.

    Raises:
        NotFound: there is no such class, or the caller does not teach it.
        Conflict: ``class-archived``; ``class-full``.
    """
    with database.read() as connection:
        return _plan(connection, teacher, class_id, rows)


def apply_roster(
    database: Database,
    teacher: Caller,
    class_id: str,
    rows: Sequence[RosterRow],
    *,
    apply_valid: bool,
) -> Plan:
    """Do what a list says. Where a row is wrong nothing is done, unless ``apply_valid`` skips it.

    Raises:
        NotFound: there is no such class, or the caller does not teach it.
        Conflict: ``class-archived``; ``class-full``.
    """
    with database.write() as connection:
        lock_class(connection, class_id)
        plan = _plan(connection, teacher, class_id, rows)
        if plan.errors and not apply_valid:
            return plan
        _add(connection, class_id, plan)
        _activate(connection, class_id, plan)
        _change(connection, class_id, plan)
        counts = {effect.value: 0 for effect in Effect}
        for step in plan.steps:
            counts[step.effect.value] += 1
        if any(step.effect is not Effect.UNCHANGED for step in plan.steps):
            add_audit(connection, teacher, "class.roster", f"class:{class_id}", {}, counts)
    return plan


def _plan(
    connection: Connection, teacher: Caller, class_id: str, rows: Sequence[RosterRow]
) -> Plan:
    found = select_taught_class(connection, class_id, teacher)
    if found.archived_at is not None:
        raise Conflict("class-archived")
    people = _people(connection, class_id, rows)
    activates = state_of_new_member(teacher) == ACTIVE
    plan = plan_roster(rows, people, activates=activates)
    added = sum(step.effect is Effect.ADDED for step in plan.steps)
    if added and sum(one.is_member for one in people.values()) + added > MAX_MEMBERS:
        raise Conflict("class-full", most=MAX_MEMBERS)
    return plan


def _people(
    connection: Connection, class_id: str, rows: Sequence[RosterRow]
) -> Mapping[str, Known]:
    members = list_members(connection, class_id, None, None)
    handles = {row.handle for row in rows if row.handle} | {one.handle for one in members}
    people = {
        one.handle.lower(): Known(
            account_id=one.account_id,
            handle=one.handle,
            is_staff=False,
            role=one.role,
            external_id=one.external_id or "",
            is_invited=one.state != ACTIVE,
        )
        # Members that cannot sign in now keep their external ids.
        for one in members
    }
    for key, person in map_people(connection, handles).items():
        found = people.get(key, Known(person.account_id, person.handle, False))
        people[key] = replace(found, is_staff=person.role.is_staff)
    return people


def _add(connection: Connection, class_id: str, plan: Plan) -> None:
    added = [step for step in plan.steps if step.effect is Effect.ADDED]
    if not added:
        return
    moment = now()
    connection.execute(
        insert(membership),
        [
            {
                "class_id": class_id,
                "account_id": step.account_id,
                "role": step.role,
                "state": INVITED,
                # Set with the others': ids may change hands within one list.
                "external_id": None,
                "created_at": moment,
            }
            for step in added
        ],
    )
    for step in added:
        if not step.becomes_active:
            _tell(connection, step, class_id)


def _activate(connection: Connection, class_id: str, plan: Plan) -> None:
    ids = [step.account_id for step in plan.steps if step.becomes_active]
    if not ids:
        return
    take_score_turn(connection)
    here = (membership.c.class_id == class_id) & membership.c.account_id.in_(ids)
    joined_at = next_score_moment(connection)
    connection.execute(update(membership).where(here).values(state=ACTIVE, joined_at=joined_at))


def _tell(connection: Connection, step: Step, class_id: str) -> None:
    row = {"id": new_id(), "account_id": step.account_id, "kind": INVITATION_NOTICE}
    insert_if_absent(connection, notice, {**row, "ref": class_id, "at": now()})


def _change(connection: Connection, class_id: str, plan: Plan) -> None:
    steps = [step for step in plan.steps if step.effect is not Effect.UNCHANGED]
    if not steps:
        return
    here = update(membership).where(
        membership.c.class_id == class_id, membership.c.account_id == bindparam("account")
    )
    accounts = [{"account": step.account_id} for step in steps]
    connection.execute(here.values(external_id=None), accounts)
    connection.execute(
        here.values(external_id=bindparam("external"), role=bindparam("becomes")),
        [
            {
                "account": step.account_id,
                "external": step.external_id or None,
                "becomes": step.role,
            }
            for step in steps
        ],
    )
