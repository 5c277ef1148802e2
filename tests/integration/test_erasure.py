"""Erasing an account: who it was is gone from every table, what it reached stays true."""

import sqlite3
import threading
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from db_world import hand_in, judgement, publish_builder, take
from erasure_world import (
    CANARY,
    COOKIE,
    HANDLE,
    PASSWORD,
    add_person,
    admin,
    canaries,
    leave_traces,
)
from queue_rows import add_account
from sqlalchemy import func, insert, select, update

from judge.actions import blank_submissions, erase_account
from judge.actions.blank_submissions import blank_erased
from judge.actions.erase_account import cancel_erasure, erase_due, request_erasure
from judge.actions.record import record
from judge.actions.rejudge import start_rejudge
from judge.actions.score_check import find_differences
from judge.db.engine import Database
from judge.db.queries.accounts import find_account
from judge.db.tables import (
    account,
    audit_log,
    best_score,
    draft,
    feedback,
    feedback_message,
    job,
    problem,
    rejudge,
    session,
    submission,
)
from judge.db.tables import judgement as judgement_table
from judge.db.tables import test_result as result_table
from judge.db.types import now
from judge.domain.access import Caller, Role
from judge.domain.rejudging import Selector
from judge.errors import Conflict, Unauthenticated


@pytest.fixture
def person(database: Database) -> Caller:
    publish_builder(database)
    return add_person(database)


def ask(database: Database, caller: Caller) -> None:
    request_erasure(database, caller, PASSWORD, COOKIE)


def end_grace(database: Database, caller: Caller) -> None:
    """As if the days of grace had passed."""
    with database.write() as connection:
        connection.execute(
            update(account)
            .where(account.c.id == caller.account_id)
            .values(erase_after=now() - timedelta(seconds=1))
        )


def row(database: Database, caller: Caller) -> Any:
    with database.read() as connection:
        return connection.execute(select(account).where(account.c.id == caller.account_id)).one()


def test_no_table_holds_a_byte_of_who_it_was_or_wrote(database: Database, person: Caller) -> None:
    leave_traces(database, person)
    before = canaries(database)
    assert {"account.handle", "submission.source", "test_result.got_blob"} <= set(before)
    assert {"rejudge.summary", "judgement.toolchain", "run.results"} <= set(before)
    ask(database, person)
    end_grace(database, person)
    assert erase_due(database) == 1
    assert blank_erased(database) == 2
    assert canaries(database) == []
    found = row(database, person)
    assert (found.state, found.email, found.prefs) == ("erased", None, {})
    assert found.handle == f"erased:{person.account_id[-24:]}"


def test_the_file_of_sqlite_holds_none_either(sqlite_database: Database) -> None:
    publish_builder(sqlite_database)
    person = add_person(sqlite_database)
    leave_traces(sqlite_database, person)
    end_grace(sqlite_database, person)
    erase_due(sqlite_database)
    blank_erased(sqlite_database)
    path = str(sqlite_database.url.database)
    sqlite_database.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert CANARY.encode() not in Path(path).read_bytes()


def test_what_was_reached_stays_without_a_name(database: Database, person: Caller) -> None:
    submission_id = leave_traces(database, person)
    end_grace(database, person)
    erase_due(database)
    blank_erased(database)
    with database.read() as connection:
        kept = connection.execute(select(submission).where(submission.c.id == submission_id)).one()
        best = connection.execute(select(best_score)).one()
        audited = set(connection.scalars(select(audit_log.c.target)))
    assert (kept.source, len(kept.source_hash)) == (None, 64)
    assert kept.erased_at is not None
    assert (best.score_num, best.first_accepted_at) == (100, kept.created_at)
    assert f"account:{person.account_id}" in audited
    assert find_differences(database) == ()


def test_feedback_stays_without_its_author(database: Database, person: Caller) -> None:
    leave_traces(database, person)
    end_grace(database, person)
    erase_due(database)
    with database.read() as connection:
        thread = connection.execute(select(feedback)).one()
        message = connection.execute(select(feedback_message)).one()
    assert (thread.account_id, thread.submission_id) == (None, None)
    assert (message.author_id, message.body, message.by_staff) == (None, "kept", False)


def test_the_handle_is_free_again(database: Database, person: Caller) -> None:
    end_grace(database, person)
    erase_due(database)
    again = add_account(database, HANDLE)
    with database.read() as connection:
        found = find_account(connection, HANDLE)
    assert found is not None
    assert found.id == again


def test_nothing_happens_before_the_grace_has_ended(database: Database, person: Caller) -> None:
    leave_traces(database, person)
    ask(database, person)
    first = row(database, person).erase_after
    assert timedelta(days=13) < first - now() <= timedelta(days=14)
    ask(database, person)
    assert row(database, person).erase_after == first
    assert erase_due(database) == 0
    assert row(database, person).handle == HANDLE
    cancel_erasure(database, person)
    cancel_erasure(database, person)
    assert row(database, person).erase_after is None


def test_asking_ends_tokens_and_other_sessions(database: Database, person: Caller) -> None:
    leave_traces(database, person)
    with database.write() as connection:
        kept = dict(connection.execute(select(session)).one()._mapping)
        connection.execute(insert(session).values({**kept, "id_hash": "another"}))
    ask(database, person)
    with database.read() as connection:
        assert list(connection.scalars(select(session.c.id_hash))) == [kept["id_hash"]]


def test_a_wrong_password_erases_nobody(database: Database, person: Caller) -> None:
    leave_traces(database, person)
    with pytest.raises(Unauthenticated, match="wrong-password"):
        request_erasure(database, person, "another password", COOKIE)
    assert row(database, person).erase_after is None


def test_the_last_admin_stays(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erase_account, "check_password", lambda *_: True)
    first = admin(database, "first")
    with pytest.raises(Conflict, match="last-admin"):
        ask(database, first)
    second = admin(database, "second")
    ask(database, first)
    with pytest.raises(Conflict, match="last-admin"):
        ask(database, second)
    with database.write() as connection:
        change = update(account).where(account.c.id == second.account_id)
        connection.execute(change.values(role="learner"))
    end_grace(database, first)
    assert erase_due(database) == 0
    assert row(database, first).state == "active"
    admin(database, "third")
    assert erase_due(database) == 1


def test_two_admins_at_once_do_not_both_go(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erase_account, "check_password", lambda *_: True)
    admins = [admin(database, "first"), admin(database, "second")]
    barrier, refused = threading.Barrier(2), []

    def go(caller: Caller) -> None:
        barrier.wait()
        try:
            ask(database, caller)
        except Conflict as error:
            refused.append(error.code)

    threads = [threading.Thread(target=go, args=(one,)) for one in admins]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert refused == ["last-admin"]


def test_what_waits_to_be_judged_is_ended_and_its_worker_writes_nothing(
    database: Database, person: Caller
) -> None:
    hand_in(database, person, f"{CANARY} = 1\n")
    held = take(database)
    hand_in(database, person, f"{CANARY} = 2\n")
    end_grace(database, person)
    erase_due(database)
    blank_erased(database)
    assert record(database, held, judgement(100)) is False
    assert canaries(database) == []
    with database.read() as connection:
        assert set(connection.scalars(select(judgement_table.c.state))) == {"cancelled"}
        assert set(connection.scalars(select(job.c.state))) == {"done"}
        assert connection.scalar(select(func.count()).select_from(result_table)) == 0


def test_a_rejudge_that_waited_for_the_account_goes_on_without_it(
    database: Database, person: Caller
) -> None:
    hand_in(database, person)
    record(database, take(database), judgement(40))
    start_rejudge(database, None, "count_large", Selector())
    with database.write() as connection:
        connection.execute(update(rejudge).values(applies_itself=True))
    end_grace(database, person)
    erase_due(database)
    blank_erased(database)
    with database.read() as connection:
        assert connection.scalar(select(rejudge.c.state)) == "applied"
        assert connection.scalar(select(best_score.c.score_num)) == 40


@pytest.mark.parametrize("broken", ["forget", "add_audit"])
def test_an_erasure_that_breaks_in_the_middle_did_nothing_and_is_done_again(
    database: Database, person: Caller, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    leave_traces(database, person)
    end_grace(database, person)
    before = canaries(database)

    def fail(*_: object) -> None:
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patch:
        patch.setattr(erase_account, broken, fail)
        with pytest.raises(RuntimeError):
            erase_due(database)
    assert canaries(database) == before
    assert erase_due(database) == 1


def test_blanking_that_breaks_in_the_middle_goes_on_later(
    database: Database, person: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blank_submissions, "BATCH", 1)
    leave_traces(database, person)
    end_grace(database, person)
    erase_due(database)
    assert blank_erased(database, steps=1) == 1
    assert "submission.source" in canaries(database)

    def fail(*_: object) -> None:
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patch:
        patch.setattr(blank_submissions, "_blank", fail)
        with pytest.raises(RuntimeError):
            blank_erased(database)
    assert blank_erased(database) == 1
    assert canaries(database) == []


def test_what_a_late_request_writes_is_taken_too(database: Database, person: Caller) -> None:
    end_grace(database, person)
    erase_due(database)
    hand_in(database, person, f"{CANARY} = 1\n")
    with database.write() as connection:
        connection.execute(
            insert(draft).values(
                account_id=person.account_id,
                problem_id=connection.scalar(select(problem.c.id)),
                language="python",
                source=CANARY,
                etag="x",
                updated_at=now(),
            )
        )
    assert blank_erased(database) == 1
    assert canaries(database) == []
    assert row(database, person).erase_after is not None
    with database.write() as connection:
        connection.execute(update(account).values(erased_at=now() - timedelta(hours=1)))
    blank_erased(database)
    assert row(database, person).erase_after is None


def test_several_housekeepers_erase_each_account_once(database: Database) -> None:
    publish_builder(database)
    people = [Caller(add_account(database, f"leaver{n}"), "", Role.LEARNER) for n in range(4)]
    for one in people:
        end_grace(database, one)
    barrier, erased = threading.Barrier(3), []

    def keep() -> None:
        barrier.wait()
        erased.append(erase_due(database))

    threads = [threading.Thread(target=keep) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sum(erased) == 4
    with database.read() as connection:
        query = select(func.count()).where(audit_log.c.action == "account.erase")
        assert connection.scalar(query) == 4
