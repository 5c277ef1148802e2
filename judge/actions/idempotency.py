"""Requests that act once: the record of an Idempotency-Key, from its claim to its answer.

Whoever inserts the record acts; everybody else with the same key gets its answer, or waits for it.
What a request makes is named in the record by the transaction that makes it (``keep_ref``): if the
process ends before it answers, the next request with the key finds what was made. A request for
several things (a batch) makes each in a transaction of its own, with a record of its own beside the
request's: ``claim.for_part(place)`` goes down to the action, ``find_parts`` tells what is there.

A record that nobody finished and that names nothing can be taken over after TAKE_OVER_S. Its
earlier holder may still be at work, so everything that is written later names the moment of the
claim: ``keep_ref`` of a claim that was taken over refuses, and its transaction makes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, or_, select, update

from judge.db.engine import Database
from judge.db.inserts import insert_if_absent
from judge.db.tables import idempotency_record
from judge.db.types import now
from judge.errors import Conflict, Invalid, flaw

KEPT_H = 24
TAKE_OVER_S = 120
RETRY_AFTER_S = 2
_COLUMNS = idempotency_record.c


@dataclass(frozen=True)
class Asked:
    """A request with a key: ``digest`` is the SHA-256 of everything that it asks for, in hex."""

    account_id: str
    route: str
    key: str
    digest: str


@dataclass(frozen=True)
class KeyClaim:
    """The right to act for a key, since a moment; ``part`` is which one of several things."""

    account_id: str
    route: str
    key: str
    began_at: datetime
    part: int | None = None

    def for_part(self, part: int) -> "KeyClaim":
        """The right to make one of the things that the request asks for, by its place."""
        return replace(self, part=part)


@dataclass(frozen=True)
class Begun:
    """Nobody has answered yet. ``ref`` names what an earlier request made, if it came so far."""

    claim: KeyClaim
    ref: str | None = None


@dataclass(frozen=True)
class KeptAnswer:
    """The first answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def begin(database: Database, asked: Asked) -> Begun | KeptAnswer:
    """Claim a key, or find what came of it.

    Raises:
        Invalid: ``idempotency-mismatch``, the key belongs to another request.
        Conflict: ``idempotency-in-flight``, the first request has not made anything yet.
    """
    moment = now()
    claim = KeyClaim(asked.account_id, asked.route, asked.key, moment)
    with database.write() as connection:
        if insert_if_absent(connection, idempotency_record, _fresh(asked, moment)):
            return Begun(claim)
        found = connection.execute(
            select(idempotency_record).where(_is_of(asked)).with_for_update()
        ).one_or_none()
        if found is None:
            # Its holder gave it back between the two statements.
            raise _in_flight()
        if found.expires_at <= moment:
            connection.execute(delete(idempotency_record).where(_is_of_any_part(asked)))
            connection.execute(insert(idempotency_record).values(_fresh(asked, moment)))
            return Begun(claim)
        if found.body_hash != asked.digest:
            raise Invalid(
                "idempotency-mismatch", flaw("/header/Idempotency-Key", "idempotency-key")
            )
        if found.status is not None:
            return KeptAnswer(found.status, found.headers, found.body or b"")
        if found.ref is not None:
            return Begun(
                KeyClaim(asked.account_id, asked.route, asked.key, found.created_at), found.ref
            )
        if moment - found.created_at < timedelta(seconds=TAKE_OVER_S):
            raise _in_flight()
        connection.execute(
            update(idempotency_record).where(_is_of(asked)).values(_times_from(moment))
        )
        return Begun(claim)


def keep_ref(connection: Connection, claim: KeyClaim | None, ref: str) -> None:
    """Name what a request makes, in the transaction that makes it; without a claim do nothing.

    Args:
        connection: the transaction.
        claim: what ``begin`` gave.
        ref: the identifier of what was made, at most 64 characters.

    Raises:
        Conflict: ``idempotency-in-flight``, the claim was taken over.
    """
    if claim is None:
        return
    if claim.part is not None:
        _keep_part(connection, claim, ref)
        return
    kept = connection.execute(
        update(idempotency_record)
        .where(_is_held(claim), _COLUMNS.status.is_(None), _COLUMNS.ref.is_(None))
        .values(ref=ref)
    )
    if kept.rowcount != 1:
        raise _in_flight()


def find_parts(database: Database, claim: KeyClaim | None) -> Mapping[int, str]:
    """What earlier requests with this key made of several things, by place; nothing without one."""
    if claim is None:
        return {}
    with database.read() as connection:
        return _list_parts(connection, claim)


def finish(database: Database, claim: KeyClaim, answer: KeptAnswer) -> None:
    """Keep the answer, unless there is one already."""
    with database.write() as connection:
        connection.execute(
            update(idempotency_record)
            .where(_is_held(claim), _COLUMNS.status.is_(None))
            .values(status=answer.status, headers=dict(answer.headers), body=answer.body)
        )


def give_back(database: Database, claim: KeyClaim) -> None:
    """Let the client try again with the same key; what names something stays.

    Where some of several things were made the record stays too, for the same request alone to take
    over at once.
    """
    is_unfinished = and_(_is_held(claim), _COLUMNS.status.is_(None), _COLUMNS.ref.is_(None))
    with database.write() as connection:
        if not _list_parts(connection, claim):
            connection.execute(delete(idempotency_record).where(is_unfinished))
            return
        before = claim.began_at - timedelta(seconds=TAKE_OVER_S)
        connection.execute(
            update(idempotency_record).where(is_unfinished).values(created_at=before)
        )


def _list_parts(connection: Connection, claim: KeyClaim) -> Mapping[int, str]:
    prefix = _part_route(claim.route, "")
    found = connection.execute(
        select(_COLUMNS.route, _COLUMNS.ref).where(
            _COLUMNS.account_id == claim.account_id,
            _COLUMNS.key == claim.key,
            _COLUMNS.route.startswith(prefix, autoescape=True),
            _COLUMNS.expires_at > now(),
        )
    ).all()
    return {int(row.route.removeprefix(prefix)): row.ref for row in found}


def _keep_part(connection: Connection, claim: KeyClaim, ref: str) -> None:
    """A record of its own for each thing, written only while the request's own is held."""
    held = connection.execute(
        select(_COLUMNS.body_hash)
        .where(_is_held(claim), _COLUMNS.status.is_(None))
        .with_for_update()
    ).one_or_none()
    if held is None:
        raise _in_flight()
    asked = Asked(
        claim.account_id, _part_route(claim.route, str(claim.part)), claim.key, held.body_hash
    )
    values = {**_fresh(asked, claim.began_at), "ref": ref}
    if not insert_if_absent(connection, idempotency_record, values):
        raise _in_flight()


def _part_route(route: str, part: str) -> str:
    return f"{route}#{part}"


def _fresh(asked: Asked, moment: datetime) -> dict[str, object]:
    return {
        "account_id": asked.account_id,
        "route": asked.route,
        "key": asked.key,
        "body_hash": asked.digest,
        "headers": {},
        **_times_from(moment),
    }


def _times_from(moment: datetime) -> dict[str, object]:
    return {"created_at": moment, "expires_at": moment + timedelta(hours=KEPT_H)}


def _is_of(named: Asked | KeyClaim) -> ColumnElement[bool]:
    return and_(
        _COLUMNS.account_id == named.account_id,
        _COLUMNS.route == named.route,
        _COLUMNS.key == named.key,
    )


def _is_of_any_part(asked: Asked) -> ColumnElement[bool]:
    part = _COLUMNS.route.startswith(_part_route(asked.route, ""), autoescape=True)
    return and_(
        _COLUMNS.account_id == asked.account_id,
        _COLUMNS.key == asked.key,
        or_(_COLUMNS.route == asked.route, part),
    )


def _is_held(claim: KeyClaim) -> ColumnElement[bool]:
    return and_(_is_of(claim), _COLUMNS.created_at == claim.began_at)


def _in_flight() -> Conflict:
    return Conflict("idempotency-in-flight", seconds=RETRY_AFTER_S)
