"""The housekeeper: what is over is deleted, and one chore that fails stops no other."""

import logging
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from db_world import publish_builder
from erasure_world import CANARY, add_person, leave_traces
from queue_rows import add_account
from sqlalchemy import func, select, update

from judge.actions import clear_leftovers, export_data
from judge.actions.clear_leftovers import LEFTOVERS, clear
from judge.actions.export_data import request_export
from judge.db.engine import Database
from judge.db.tables import data_export, idempotency_record, one_time_link, run, session
from judge.db.types import now
from judge.queue.wakeup import Bell
from judge.worker.housekeeper import Housekeeper, run_round

WEEKS = timedelta(days=40)


@pytest.fixture
def filled(database: Database) -> Database:
    """One row of everything that a request leaves behind."""
    publish_builder(database)
    leave_traces(database, add_person(database))
    return database


def count(database: Database, table: Any) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(table)) or 0


def move(database: Database, table: Any, by: timedelta, *columns: str) -> None:
    moment = now() + by
    with database.write() as connection:
        connection.execute(update(table).values(dict.fromkeys(columns, moment)))


@pytest.mark.parametrize(
    ("what", "table"),
    [
        ("runs", run),
        ("answers", idempotency_record),
        ("sessions", session),
        ("links", one_time_link),
        ("exports", data_export),
    ],
)
def test_what_is_over_is_deleted_and_nothing_else(filled: Database, what: str, table: Any) -> None:
    move(filled, table, timedelta(hours=1), "expires_at")
    assert clear(filled, what) == 0
    assert count(filled, table) == 1
    move(filled, table, -WEEKS, "expires_at", "created_at")
    assert clear(filled, what) == 1
    assert clear(filled, what) == 0
    assert count(filled, table) == 0


def test_every_leftover_was_tried() -> None:
    assert set(LEFTOVERS) == {"runs", "answers", "sessions", "links", "exports"}


def test_a_dead_link_says_so_for_a_month(filled: Database) -> None:
    move(filled, one_time_link, timedelta(hours=1), "expires_at")
    move(filled, one_time_link, -timedelta(days=29), "used_at")
    assert clear(filled, "links") == 0
    move(filled, one_time_link, -timedelta(days=31), "used_at")
    assert clear(filled, "links") == 1


def test_an_expired_export_counts_towards_its_day(filled: Database) -> None:
    move(filled, data_export, -timedelta(hours=1), "expires_at")
    assert clear(filled, "exports") == 0


def test_it_deletes_in_portions(filled: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clear_leftovers, "PORTION", 1)
    monkeypatch.setattr(clear_leftovers, "MOST_PORTIONS", 1)
    with filled.write() as connection:
        row = dict(connection.execute(select(session)).one()._mapping)
        connection.execute(session.insert().values({**row, "id_hash": "another"}))
    move(filled, session, -WEEKS, "expires_at")
    assert [clear(filled, "sessions") for _ in range(3)] == [1, 1, 0]


def test_a_chore_that_fails_stops_no_other_and_is_logged_without_data(
    sqlite_database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Database) -> int:
        raise RuntimeError(CANARY)

    with caplog.at_level(logging.DEBUG):
        done = run_round(sqlite_database, {"first": fail, "second": lambda _: 3})
    assert done == {"first": None, "second": 3}
    assert "chore 'first' failed: RuntimeError" in caplog.text
    assert CANARY not in caplog.text


def test_a_round_says_how_much_it_did_and_nothing_of_whom(
    filled: Database, caplog: pytest.LogCaptureFixture
) -> None:
    move(filled, run, -WEEKS, "expires_at")
    with caplog.at_level(logging.DEBUG, logger="judge"):
        done = run_round(filled)
    assert done["runs deleted"] == 1
    assert None not in done.values()
    assert "'runs deleted': 1" in caplog.text
    assert CANARY not in caplog.text


def test_an_export_that_cannot_be_made_holds_up_no_other(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, fine = (add_account(database, handle) for handle in ("broken", "fine"))
    build = export_data.build_archive

    def fail(database: Database, account_id: str, *rest: Any) -> bytes:
        if account_id == broken:
            raise RuntimeError("in the middle")
        return build(database, account_id, *rest)

    monkeypatch.setattr(export_data, "build_archive", fail)
    for account_id in (broken, fine):
        request_export(database, account_id)
    assert run_round(database)["exports made"] is None
    assert run_round(database)["exports made"] == 0
    with database.read() as connection:
        rows = connection.execute(select(data_export.c.account_id, data_export.c.state))
        assert dict(map(tuple, rows)) == {broken: "failed", fine: "ready"}


def test_the_thread_makes_an_export_when_the_bell_rings(
    sqlite_database: Database, tmp_path: Path
) -> None:
    publish_builder(sqlite_database)
    person = add_person(sqlite_database)
    bell = Bell(tmp_path / "bell")
    keeper = Housekeeper(sqlite_database, bell, every_s=3600)
    keeper.start()
    try:
        request_export(sqlite_database, person.account_id)
        wait = threading.Event()
        for _ in range(600):
            bell.ring("lane:export")
            with sqlite_database.read() as connection:
                if connection.scalar(select(data_export.c.state)) == "ready":
                    break
            wait.wait(0.05)
        with sqlite_database.read() as connection:
            assert connection.scalar(select(data_export.c.state)) == "ready"
    finally:
        keeper.stop()
