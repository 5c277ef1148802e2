"""Transactions: what commits, what rolls back, and who may write."""

import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest
from queue_rows import add_account
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.exc import DBAPIError, StatementError

from judge.db.engine import Database
from judge.db.tables import account, worker
from judge.db.types import new_id, now
from judge.errors import Misconfigured, StorageUnavailable


def count(database: Database) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(account)) or 0


def test_a_block_that_ends_commits(database: Database) -> None:
    add_account(database, "ada")
    assert count(database) == 1


def test_a_block_that_raises_changes_nothing(database: Database) -> None:
    add_account(database, "ada")
    with pytest.raises(ZeroDivisionError), database.write() as connection:
        _ = connection.execute(update(account).values(handle="bob")).rowcount / 0
    with database.read() as connection:
        assert connection.scalar(select(account.c.handle)) == "ada"


def test_reading_cannot_write(database: Database) -> None:
    add_account(database, "ada")
    with database.read() as connection, pytest.raises(DBAPIError):
        connection.execute(update(account).values(handle="bob"))
    with database.write() as connection:
        connection.execute(update(account).values(handle="eve"))


def test_writers_take_turns(database: Database) -> None:
    """A read-modify-write under a lock loses no update, however many do it at once."""
    account_id = add_account(database, "ada")

    def increment() -> None:
        for _ in range(10):
            with database.write() as connection:
                row = select(account.c.display_name).where(account.c.id == account_id)
                seen = connection.scalar(row.with_for_update())
                number = int(seen) if seen.isdigit() else 0
                connection.execute(update(account).values(display_name=str(number + 1)))

    threads = [threading.Thread(target=increment) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as connection:
        assert connection.scalar(select(account.c.display_name)) == "40"


def test_foreign_keys_hold(database: Database) -> None:
    with pytest.raises(DBAPIError), database.write() as connection:
        connection.execute(
            text(
                "INSERT INTO problem_topic (problem_id, topic, position) VALUES ('nobody', 'x', 0)"
            )
        )


def test_words_outside_their_set_are_refused(database: Database) -> None:
    add_account(database, "ada")
    with pytest.raises(DBAPIError), database.write() as connection:
        connection.execute(update(account).values(role="emperor"))


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2026, 1, 2, 3, 4, 5, 678901, UTC),
        datetime(2026, 7, 1, 0, 0, tzinfo=timezone(timedelta(hours=9))),
    ],
)
def test_times_come_back_to_the_microsecond_in_utc(database: Database, moment: datetime) -> None:
    with database.write() as connection:
        connection.execute(_worker(moment))
        stored = connection.scalar(select(worker.c.started_at))
        same = connection.scalar(
            select(func.count()).select_from(worker).where(worker.c.started_at == moment)
        )
    assert stored == moment
    assert stored.utcoffset() == timedelta(0)
    assert same == 1


def test_a_naive_time_is_refused(database: Database) -> None:
    with pytest.raises(StatementError, match="naive"), database.write() as connection:
        connection.execute(_worker(datetime(2026, 1, 1)))  # noqa: DTZ001


def test_other_databases_are_refused() -> None:
    with pytest.raises(Misconfigured, match="SQLite and PostgreSQL"):
        Database("mysql://somewhere/else")
    with pytest.raises(Misconfigured, match="file"):
        Database("sqlite://")


def test_a_database_that_is_gone_does_not_answer(database: Database) -> None:
    assert database.answers()
    assert not Database("postgresql://nobody@127.0.0.1:1/nothing").answers()


def test_ids_sort_by_their_time() -> None:
    ids = [new_id() for _ in range(200)]
    assert len(set(ids)) == 200
    assert all(len(one) == 32 and one[12] == "7" and one[16] in "89ab" for one in ids)
    assert [one[:15] for one in ids] == sorted(one[:15] for one in ids)


def _worker(moment: datetime):
    return insert(worker).values(
        id=new_id(),
        host="here",
        process_id=1,
        languages={},
        tier="A",
        layers=[],
        self_test="pending",
        self_test_report={},
        started_at=moment,
        heartbeat_at=now(),
    )


def test_storage_that_fails_is_told_from_a_statement_that_is_wrong(database: Database) -> None:
    with pytest.raises(DBAPIError), database.read() as connection:
        connection.execute(text("SELECT nothing FROM nowhere"))
    gone = Database("postgresql://nobody@127.0.0.1:1/nothing")
    for way_in in (gone.read, gone.write):
        with gone, pytest.raises(StorageUnavailable) as caught, way_in():
            pass
        assert "\n" not in str(caught.value)
        assert "SELECT" not in str(caught.value)


def test_a_small_write_tells_whether_writes_are_taken(database: Database) -> None:
    assert database.takes_writes()
    assert not Database("postgresql://nobody@127.0.0.1:1/nothing").takes_writes()
