"""Rejudging by hand: nothing changes before it is applied, and scores do not fall unasked."""

from datetime import timedelta

import pytest
from db_world import hand_in, publish_builder
from queue_rows import age_leases
from rejudge_world import NEW_TESTS, Room
from sqlalchemy import delete, update
from sqlalchemy.exc import DBAPIError

from judge.actions.rejudge import cancel_rejudge, start_rejudge
from judge.actions.rejudge_apply import apply_rejudge, preview_effects, summarize
from judge.actions.score_check import find_differences
from judge.db.engine import Database
from judge.db.queries.rejudges import count_items, select_rejudge
from judge.db.queries.scores import find_best_score
from judge.db.tables import (
    audit_log,
    event,
    job,
    judgement,
    notice,
    rejudge,
    rejudge_item,
    submission,
)
from judge.db.types import now
from judge.domain.access import Role
from judge.domain.rejudging import Selector
from judge.domain.verdicts import Verdict
from judge.errors import Conflict, Forbidden, NotFound
from judge.queue.jobs import REJUDGE, claim


@pytest.fixture
def room(database: Database) -> Room:
    return Room(database)


def summary_of(room: Room, rejudge_id: str, allow_decrease: bool = False) -> dict[str, object]:
    with room.database.read() as connection:
        found = select_rejudge(connection, rejudge_id)
        effects = preview_effects(connection, found, allow_decrease=allow_decrease)
    return summarize(effects)


def counts(summary: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in summary.items() if name != "accounts" and value}


def test_a_preview_changes_nothing_that_a_learner_sees(room: Room) -> None:
    room.submit("ada", 60)
    events = room.rows(event)
    started = room.start()
    room.judge_anew([100])
    assert room.scores() == {"ada": 60}
    assert room.current() == [(1, "submit", 60)]
    assert room.rows(event) == events
    assert room.rows(notice) == []
    assert counts(summary_of(room, started.rejudge_id)) == {"up": 1}


def test_its_jobs_come_last_and_on_the_account_of_who_asked(room: Room) -> None:
    admin = room.admin()
    room.submit("ada", 60)
    room.start(admin)
    (waiting,) = [row for row in room.rows(job) if row["kind"] == "rejudge_item"]
    assert (waiting["priority"], waiting["account_id"]) == (REJUDGE, admin.account_id)
    late = hand_in(room.database, room.learner("bob"))
    assert room.judge_next(40) == late.submission_id


def test_a_preview_counts_accounts_by_change(room: Room) -> None:
    for handle, earned in (("ada", 60), ("bob", 60), ("cat", 60), ("dan", 60), ("eve", None)):
        room.submit(handle, earned)
    started = room.start()
    room.judge_anew([100, 40, 60, None, 0])
    allowed = summary_of(room, started.rejudge_id, allow_decrease=True)
    assert counts(allowed) == {"up": 2, "down": 1, "same": 2, "failed": 1}
    unasked = summary_of(room, started.rejudge_id)
    assert counts(unasked) == {"up": 2, "same": 3, "kept": 1, "failed": 1}
    kept = [one["handle"] for one in unasked["accounts"] if one["kept"]]
    assert kept == ["bob"]


def test_applying_flips_what_does_not_fall_and_keeps_the_history(room: Room) -> None:
    for handle, earned in (("ada", 60), ("bob", 60)):
        room.submit(handle, earned)
    started = room.start()
    room.judge_anew([100, 40])
    apply_rejudge(room.database, None, started.rejudge_id)
    assert room.scores() == {"ada": 100, "bob": 60}
    assert sorted(room.current()) == [(1, "submit", 60), (2, "rejudge", 100)]
    assert len(room.rows(judgement)) == 4
    assert sorted(row["decision"] for row in room.rows(rejudge_item)) == ["kept", "taken"]
    assert find_differences(room.database) == ()


def test_scores_fall_if_that_is_allowed(room: Room) -> None:
    room.submit("ada", 60)
    started = room.start()
    room.judge_anew([40])
    apply_rejudge(room.database, None, started.rejudge_id, allow_decrease=True)
    assert room.scores() == {"ada": 40}
    last = max(room.rows(audit_log), key=lambda row: row["id"])
    assert last["after"] == {
        "up": 0,
        "down": 1,
        "same": 0,
        "verdict_only": 0,
        "kept": 0,
        "failed": 0,
        "allow_decrease": True,
    }


def test_a_fault_of_the_judge_never_changes_a_score(room: Room) -> None:
    room.submit("ada", 60)
    started = room.start()
    room.judge_anew([None])
    with room.database.read() as connection:
        assert count_items(connection, started.rejudge_id).failed == 1
    apply_rejudge(room.database, None, started.rejudge_id, allow_decrease=True)
    assert room.scores() == {"ada": 60}
    assert [row["decision"] for row in room.rows(rejudge_item)] == ["failed"]


def test_an_acceptance_keeps_the_time_of_its_submission(room: Room) -> None:
    room.submit("ada", 60)
    (handed_in,) = room.rows(submission)
    started = room.start()
    room.judge_anew([100])
    apply_rejudge(room.database, None, started.rejudge_id)
    with room.database.read() as connection:
        account_id = room.learner("ada").account_id
        best = find_best_score(connection, account_id, room.problem_id)
    assert best.first_accepted_at == handed_in["created_at"]


def test_who_is_affected_gets_one_notice(room: Room) -> None:
    for handle in ("ada", "bob"):
        room.submit(handle, 60)
        room.submit(handle, 40)
    started = room.start()
    room.judge_anew([100, 100, 60, 40])
    apply_rejudge(room.database, None, started.rejudge_id)
    notices = room.rows(notice)
    assert room.handles([row["account_id"] for row in notices]) == {"ada"}
    assert [(row["kind"], row["ref"]) for row in notices] == [("rejudge", started.rejudge_id)]


def test_a_submission_that_arrives_meanwhile_is_judged_as_ever(room: Room) -> None:
    room.submit("ada", 40)
    started = room.start()
    room.submit("ada", 60)
    assert room.scores() == {"ada": 60}
    room.judge_anew([40])
    apply_rejudge(room.database, None, started.rejudge_id)
    assert room.scores() == {"ada": 60}


def test_a_second_rejudge_of_a_problem_is_refused_while_one_is_open(room: Room) -> None:
    room.submit("ada", 40)
    first = room.start()
    with pytest.raises(Conflict) as refused:
        room.start()
    assert refused.value.code == "rejudge-open"
    cancel_rejudge(room.database, None, first.rejudge_id)
    assert room.start().submissions == 1


def test_it_is_applied_only_when_everything_is_judged(room: Room) -> None:
    room.submit("ada", 40)
    started = room.start()
    with pytest.raises(Conflict) as refused:
        apply_rejudge(room.database, None, started.rejudge_id)
    assert (refused.value.code, refused.value.details) == ("rejudge-unfinished", {"pending": 1})


@pytest.mark.parametrize("ending", ["applied", "cancelled"])
def test_it_comes_to_one_end(room: Room, ending: str) -> None:
    room.submit("ada", 40)
    started = room.start()
    room.judge_anew([60])
    end = apply_rejudge if ending == "applied" else cancel_rejudge
    end(room.database, None, started.rejudge_id)
    for again in (apply_rejudge, cancel_rejudge):
        with pytest.raises(Conflict) as refused:
            again(room.database, None, started.rejudge_id)
        assert (refused.value.code, refused.value.details) == (
            "rejudge-closed",
            {"state": ending},
        )


def test_cancelling_leaves_rows_that_are_marked_and_judges_no_more(room: Room) -> None:
    for _ in range(3):
        room.submit("ada", 40)
    started = room.start()
    room.judge_anew([100])
    held = claim(room.database, ["python"], "test-worker", 60)
    cancel_rejudge(room.database, None, started.rejudge_id)
    states = sorted(row["state"] for row in room.rows(judgement) if row["cause"] == "rejudge")
    assert states == ["cancelled", "cancelled", "judged"]
    assert {row["decision"] for row in room.rows(rejudge_item)} == {"dropped"}
    assert room.scores() == {"ada": 40}
    assert held is not None
    assert claim(room.database, ["python"], "test-worker", 60) is None


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ({}, 4),
        ({"verdict": Verdict.ACCEPTED}, 1),
        ({"verdict": Verdict.INTERNAL_ERROR}, 1),
        ({"handle": "BOB"}, 2),
        ({"language": "python"}, 4),
        ({"revision": 1}, 3),
        ({"revision": 2}, 1),
        ({"best_only": True}, 2),
        ({"since": now() + timedelta(days=1)}, 0),
        ({"since": now() - timedelta(days=1)}, 4),
        ({"language": "java"}, 0),
        ({"revision": 7}, 0),
    ],
)
def test_what_can_be_selected(room: Room, selector: dict[str, object], expected: int) -> None:
    room.submit("ada", 100)
    room.submit("bob", None)
    room.submit("ada", 40)
    publish_builder(room.database, NEW_TESTS, "keep")
    room.submit("bob", 40)
    if expected == 0:
        with pytest.raises(Conflict) as refused:
            room.start(**selector)
        assert refused.value.code == "rejudge-empty"
    else:
        assert room.start(**selector).submissions == expected


def test_what_was_erased_cannot_be_judged_anew(room: Room) -> None:
    room.submit("ada", 40)
    with room.database.write() as connection:
        connection.execute(update(submission).values(source=None, erased_at=now()))
    with pytest.raises(Conflict) as refused:
        room.start()
    assert refused.value.code == "rejudge-empty"


def test_what_is_not_there_is_not_found(room: Room) -> None:
    with pytest.raises(NotFound):
        start_rejudge(room.database, None, "nothing", Selector())
    with pytest.raises(NotFound):
        room.start(handle="nobody")
    with pytest.raises(NotFound):
        apply_rejudge(room.database, None, "0" * 32)


@pytest.mark.parametrize("role", [Role.LEARNER, Role.TEACHER])
def test_only_admins_rejudge(room: Room, role: Role) -> None:
    room.submit("ada", 40)
    somebody = room.admin("somebody", role)
    started = room.start()
    for action in (
        lambda: room.start(somebody),
        lambda: apply_rejudge(room.database, somebody, started.rejudge_id),
        lambda: cancel_rejudge(room.database, somebody, started.rejudge_id),
    ):
        with pytest.raises(Forbidden):
            action()


def test_a_second_rejudge_goes_on_from_the_first(room: Room) -> None:
    room.submit("ada", 40)
    for earned in (60, 100):
        started = room.start()
        room.judge_anew([earned])
        apply_rejudge(room.database, None, started.rejudge_id)
    assert room.current() == [(3, "rejudge", 100)]
    assert len(room.rows(rejudge)) == 2


def test_the_audit_log_takes_new_rows_only(room: Room) -> None:
    admin = room.admin()
    room.submit("ada", 40)
    started = room.start(admin)
    cancel_rejudge(room.database, admin, started.rejudge_id)
    written = sorted(room.rows(audit_log), key=lambda row: row["id"])
    assert [(row["action"], row["actor_id"]) for row in written[-2:]] == [
        ("rejudge.start", admin.account_id),
        ("rejudge.cancel", admin.account_id),
    ]
    for statement in (update(audit_log).values(action="x"), delete(audit_log)):
        with pytest.raises(DBAPIError, match="immutable"), room.database.write() as connection:
            connection.execute(statement)


def test_a_lost_worker_costs_nobody_a_score(room: Room) -> None:
    room.submit("ada", 40)
    started = room.start()
    for _ in range(2):
        assert claim(room.database, ["python"], "test-worker", 60) is not None
        age_leases(room.database)
    room.judge_anew([60])
    apply_rejudge(room.database, None, started.rejudge_id)
    assert room.scores() == {"ada": 60}
