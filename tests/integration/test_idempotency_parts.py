"""A request for several things: each is named in its own transaction, and found after a crash."""

from dataclasses import replace
from datetime import timedelta

import pytest
from queue_rows import add_account
from sqlalchemy import select, update

from judge.actions.idempotency import (
    Asked,
    Begun,
    KeptAnswer,
    KeyClaim,
    begin,
    find_parts,
    finish,
    give_back,
    keep_ref,
)
from judge.db.engine import Database
from judge.db.tables import idempotency_record
from judge.errors import Conflict, Invalid


@pytest.fixture
def asked(database: Database) -> Asked:
    return Asked(add_account(database, "ada"), "POST /submissions:batch", "key", "0" * 64)


def claimed(database: Database, asked: Asked) -> KeyClaim:
    begun = begin(database, asked)
    assert isinstance(begun, Begun)
    assert begun.ref is None
    return begun.claim


def make(database: Database, claim: KeyClaim, part: int, ref: str) -> None:
    with database.write() as connection:
        keep_ref(connection, claim.for_part(part), ref)


def age(database: Database, **much: float) -> None:
    with database.write() as connection:
        row = connection.execute(
            select(idempotency_record).order_by(idempotency_record.c.route)
        ).first()
        assert row is not None
        connection.execute(
            update(idempotency_record).values(
                created_at=row.created_at - timedelta(**much),
                expires_at=row.expires_at - timedelta(**much),
            )
        )


def test_what_was_made_of_several_things_is_found_by_place(
    database: Database, asked: Asked
) -> None:
    claim = claimed(database, asked)
    assert find_parts(database, claim) == {}
    make(database, claim, 0, "a")
    make(database, claim, 12, "b")
    assert find_parts(database, claim) == {0: "a", 12: "b"}
    assert find_parts(database, None) == {}


def test_after_a_crash_the_rest_is_made_by_whoever_takes_over(
    database: Database, asked: Asked
) -> None:
    dead = claimed(database, asked)
    make(database, dead, 0, "a")
    with pytest.raises(Conflict, match="idempotency-in-flight"):
        begin(database, asked)
    age(database, seconds=121)
    claim = claimed(database, asked)
    assert find_parts(database, claim) == {0: "a"}
    # The dead one was not dead: it makes nothing any more, and nothing is made twice.
    with pytest.raises(Conflict, match="idempotency-in-flight"):
        make(database, dead, 1, "b")
    with pytest.raises(Conflict, match="idempotency-in-flight"):
        make(database, claim, 0, "c")
    make(database, claim, 1, "b")
    assert find_parts(database, claim) == {0: "a", 1: "b"}
    finish(database, claim, KeptAnswer(207, {}, b"[]"))
    assert begin(database, asked) == KeptAnswer(207, {}, b"[]")


def test_a_key_that_was_given_back_still_knows_what_was_made(
    database: Database, asked: Asked
) -> None:
    claim = claimed(database, asked)
    make(database, claim, 0, "a")
    give_back(database, claim)
    with pytest.raises(Invalid, match="idempotency-mismatch"):
        begin(database, replace(asked, digest="1" * 64))
    assert find_parts(database, claimed(database, asked)) == {0: "a"}


def test_a_key_that_was_given_back_with_nothing_made_is_free(
    database: Database, asked: Asked
) -> None:
    give_back(database, claimed(database, asked))
    claimed(database, replace(asked, digest="1" * 64))


def test_after_a_day_nothing_is_known(database: Database, asked: Asked) -> None:
    make(database, claimed(database, asked), 0, "a")
    age(database, hours=24)
    assert find_parts(database, claimed(database, asked)) == {}
