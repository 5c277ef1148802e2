"""One-time links, found by their secret's hash."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection, select

from judge.db.tables import one_time_link
from judge.domain.access import Role

Purpose = Literal["first_admin", "invitation", "reset"]


@dataclass(frozen=True)
class Link:
    """A link without its secret.

    ``account_id``: whose password it sets. Without one it makes an account of the ``role``, which
    joins the class, if there is one.
    """

    secret_hash: str
    purpose: Purpose
    account_id: str | None
    role: Role
    class_id: str | None
    created_by: str | None
    expires_at: datetime
    used_at: datetime | None


def find_link(connection: Connection, secret_hash: str) -> Link | None:
    """The link, used or not."""
    row = connection.execute(
        select(one_time_link).where(one_time_link.c.secret_hash == secret_hash)
    ).one_or_none()
    if row is None:
        return None
    return Link(
        secret_hash=row.secret_hash,
        purpose=row.purpose,
        account_id=row.account_id,
        role=Role(row.role),
        class_id=row.class_id,
        created_by=row.created_by,
        expires_at=row.expires_at,
        used_at=row.used_at,
    )
