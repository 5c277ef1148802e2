"""People and how they prove who they are."""

from sqlalchemy import JSON, Column, Index, String, Table, Text, UniqueConstraint

from judge.db.tables.metadata import id_column, metadata, one_of, refers_to, time_column

# handle_key and email_key are the lower-case forms: uniqueness without expression indexes.
account = Table(
    "account",
    metadata,
    id_column(),
    Column("handle", String(32), nullable=False),
    Column("handle_key", String(32), nullable=False, unique=True),
    Column("display_name", Text, nullable=False),
    Column("email", Text),
    Column("email_key", Text, unique=True),
    Column("role", String(16), nullable=False),
    Column("locale", String(8), nullable=False),
    Column("time_zone", String(64), nullable=False),
    Column("prefs", JSON, nullable=False),
    Column("state", String(16), nullable=False),
    time_column("created_at"),
    time_column("erased_at", nullable=True),
    # When the account will be erased, if its owner asked for that; an erased one keeps it until
    # nothing of it is left.
    time_column("erase_after", nullable=True),
    Index(None, "erase_after"),
    one_of("role", ("learner", "teacher", "admin")),
    one_of("state", ("active", "disabled", "erased")),
)

# Several logins per person; secrets stand apart from the profile.
credential = Table(
    "credential",
    metadata,
    id_column(),
    refers_to("account"),
    Column("kind", String(16), nullable=False),
    Column("subject", Text, nullable=False),
    Column("secret_hash", Text),
    time_column("created_at"),
    time_column("last_used_at", nullable=True),
    UniqueConstraint("kind", "subject"),
    one_of("kind", ("password", "oidc", "passkey")),
)

# A browser's login; only the SHA-256 of the cookie is stored.
session = Table(
    "session",
    metadata,
    Column("id_hash", String(64), primary_key=True),
    refers_to("account"),
    time_column("created_at"),
    time_column("seen_at"),
    time_column("expires_at"),
    Column("ip_prefix", String(64), nullable=False),
    Column("user_agent", String(256), nullable=False),
    Index(None, "account_id"),
)

# A program's login; the secret is shown once, only its SHA-256 is stored.
api_token = Table(
    "api_token",
    metadata,
    id_column(),
    refers_to("account"),
    Column("name", String(64), nullable=False),
    Column("prefix", String(8), nullable=False, unique=True),
    Column("secret_hash", String(64), nullable=False),
    Column("scopes", JSON, nullable=False),
    time_column("created_at"),
    time_column("expires_at", nullable=True),
    time_column("last_used_at", nullable=True),
    time_column("revoked_at", nullable=True),
    Index(None, "account_id"),
)
