"""The audit log and notices: rows that other actions write inside their own transaction."""

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, insert, update

from judge.db.inserts import insert_if_absent
from judge.db.tables import audit_log, notice
from judge.db.types import new_id, now
from judge.domain.access import Caller

REJUDGE_NOTICE = "rejudge"


def add_audit(
    connection: Connection,
    actor: Caller | None,
    action: str,
    target: str,
    before: Mapping[str, object],
    after: Mapping[str, object],
) -> None:
    """Write down who did what; without an actor it was whoever runs the judge."""
    connection.execute(
        insert(audit_log).values(
            id=new_id(),
            at=now(),
            actor_id=None if actor is None else actor.account_id,
            action=action,
            target=target,
            before=dict(before),
            after=dict(after),
            token_id=None if actor is None else actor.token_id,
            ip_prefix=None if actor is None else actor.ip_prefix or None,
        )
    )


def add_notices(connection: Connection, account_ids: Collection[str], kind: str, ref: str) -> None:
    """Tell each of these accounts once."""
    rows = [
        {"id": new_id(), "account_id": account_id, "kind": kind, "ref": ref, "at": now()}
        for account_id in account_ids
    ]
    if rows:
        connection.execute(insert(notice), rows)


def raise_notice(connection: Connection, account_id: str, kind: str, ref: str) -> None:
    """Tell an account; of the same thing once more, the one notice about it is unread again."""
    row = {"id": new_id(), "account_id": account_id, "kind": kind, "ref": ref, "at": now()}
    if insert_if_absent(connection, notice, row):
        return
    connection.execute(
        update(notice)
        .where(notice.c.account_id == account_id, notice.c.kind == kind, notice.c.ref == ref)
        .values(at=row["at"], read_at=None)
    )
