"""What requests leave behind: answers that may be repeated, links that work once, exports."""

from sqlalchemy import JSON, Column, Index, Integer, LargeBinary, String, Table

from judge.db.tables.metadata import id_column, metadata, one_of, refers_to, time_column
from judge.domain.states import EXPORT_STATES

# The first answer to a request with an Idempotency-Key; status is NULL while it is in flight.
idempotency_record = Table(
    "idempotency_record",
    metadata,
    refers_to("account", key=True),
    Column("route", String(160), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("body_hash", String(64), nullable=False),
    # What the request made, written in the same transaction: a process may end before it answers.
    Column("ref", String(64)),
    Column("status", Integer),
    Column("headers", JSON, nullable=False),
    Column("body", LargeBinary),
    time_column("created_at"),
    time_column("expires_at"),
    Index(None, "expires_at"),
)

# Only the SHA-256 of a link's secret is kept. account_id: whose password it sets; without one it
# makes an account, of the role.
one_time_link = Table(
    "one_time_link",
    metadata,
    Column("secret_hash", String(64), primary_key=True),
    Column("purpose", String(16), nullable=False),
    refers_to("account", nullable=True),
    Column("role", String(16), nullable=False),
    refers_to("school_class", name="class_id", nullable=True),
    refers_to("account", name="created_by", nullable=True),
    time_column("created_at"),
    time_column("expires_at"),
    time_column("used_at", nullable=True),
    Index(None, "account_id"),
    one_of("purpose", ("first_admin", "invitation", "reset")),
)

# A zip of everything that an account left, for a few days.
data_export = Table(
    "data_export",
    metadata,
    id_column(),
    refers_to("account"),
    Column("state", String(16), nullable=False),
    Column("archive", LargeBinary),
    time_column("created_at"),
    time_column("expires_at"),
    Index(None, "account_id", "created_at"),
    Index(None, "expires_at"),
    one_of("state", EXPORT_STATES),
)
