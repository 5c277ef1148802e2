"""The audit log, for who may read it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, tuple_

from judge.db.tables import account, audit_log


@dataclass(frozen=True)
class AuditEntry:
    """Who did what; without an actor it was done on the judge's own machine."""

    id: str
    at: datetime
    actor_id: str | None
    actor: str | None
    token_id: str | None
    ip_prefix: str | None
    action: str
    target: str
    before: Mapping[str, object]
    after: Mapping[str, object]


@dataclass(frozen=True)
class AuditFilter:
    """Which entries a list shows."""

    actor_id: str | None = None
    action: str | None = None
    target: str | None = None
    since: datetime | None = None


def list_audit(
    connection: Connection, wanted: AuditFilter, before: tuple[datetime, str] | None, limit: int
) -> tuple[AuditEntry, ...]:
    """Entries, the newest first; ``before`` is time and id of the one that was shown last."""
    query = (
        select(audit_log, account.c.handle)
        .outerjoin(account, account.c.id == audit_log.c.actor_id)
        .order_by(audit_log.c.at.desc(), audit_log.c.id.desc())
        .limit(limit)
    )
    if before is not None:
        query = query.where(tuple_(audit_log.c.at, audit_log.c.id) < tuple_(*before))
    if wanted.actor_id is not None:
        query = query.where(audit_log.c.actor_id == wanted.actor_id)
    if wanted.action is not None:
        query = query.where(audit_log.c.action == wanted.action)
    if wanted.target is not None:
        query = query.where(audit_log.c.target == wanted.target)
    if wanted.since is not None:
        query = query.where(audit_log.c.at >= wanted.since)
    return tuple(
        AuditEntry(
            id=row.id,
            at=row.at,
            actor_id=row.actor_id,
            actor=row.handle,
            token_id=row.token_id,
            ip_prefix=row.ip_prefix,
            action=row.action,
            target=row.target,
            before=row.before,
            after=row.after,
        )
        for row in connection.execute(query)
    )
