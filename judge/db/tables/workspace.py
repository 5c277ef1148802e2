"""What learners work on before they submit: drafts, and runs that count for nothing."""

from sqlalchemy import JSON, Column, Index, String, Table, Text

from judge.db.tables.metadata import id_column, metadata, one_of, refers_to, time_column
from judge.db.types import id_type
from judge.domain.states import RUN_STATES

# etag changes with every save; a save names the one it began from.
draft = Table(
    "draft",
    metadata,
    refers_to("account", key=True),
    refers_to("problem", key=True),
    Column("language", String(16), primary_key=True),
    Column("source", Text, nullable=False),
    Column("base_revision_id", id_type()),
    Column("etag", String(32), nullable=False),
    time_column("updated_at"),
)

# Private, scoreless and short-lived; apart from submissions, so that nothing counts one by mistake.
# inputs: cases is "samples" or a list of the cases' arguments, reference says whether the reference
# is asked, too. results is written once.
run = Table(
    "run",
    metadata,
    id_column(),
    refers_to("account"),
    refers_to("problem"),
    refers_to("revision"),
    Column("language", String(16), nullable=False),
    Column("source", Text, nullable=False),
    Column("inputs", JSON, nullable=False),
    Column("state", String(16), nullable=False),
    Column("results", JSON),
    time_column("created_at"),
    time_column("finished_at", nullable=True),
    time_column("expires_at"),
    Index(None, "expires_at"),
    Index(None, "account_id", "created_at"),
    one_of("state", RUN_STATES),
)
