"""What staff did, and what accounts are told."""

from sqlalchemy import JSON, Column, Index, String, Table, UniqueConstraint

from judge.db.tables.metadata import id_column, metadata, refers_to, time_column
from judge.db.types import id_type

# I. Who changed tests, points, scores, accounts. Without an actor it was done on the judge's own
# machine. token_id refers to no row: tokens may go, the log stays.
audit_log = Table(
    "audit_log",
    metadata,
    id_column(),
    time_column("at"),
    refers_to("account", name="actor_id", nullable=True),
    Column("action", String(32), nullable=False),
    Column("target", String(96), nullable=False),
    Column("before", JSON, nullable=False),
    Column("after", JSON, nullable=False),
    Column("token_id", id_type()),
    Column("ip_prefix", String(64)),
    Index(None, "at"),
)

# One message to one account; ref is the id of what it is about.
notice = Table(
    "notice",
    metadata,
    id_column(),
    refers_to("account"),
    Column("kind", String(32), nullable=False),
    Column("ref", String(96), nullable=False),
    time_column("at"),
    time_column("read_at", nullable=True),
    UniqueConstraint("account_id", "kind", "ref"),
    Index(None, "account_id", "at"),
)
