"""Feedback on problems: a short thread between a learner and staff."""

from sqlalchemy import Boolean, Column, Index, String, Table, Text

from judge.db.tables.metadata import id_column, metadata, one_of, refers_to, time_column
from judge.db.types import id_type

# account_id is NULL once its author was erased; revision and language are what the author had
# before the eyes.
feedback = Table(
    "feedback",
    metadata,
    id_column(),
    refers_to("account", nullable=True),
    refers_to("problem"),
    refers_to("revision"),
    refers_to("submission", nullable=True),
    Column("language", String(16), nullable=False),
    Column("locale", String(8), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    refers_to("account", name="assignee_id", nullable=True),
    Column("duplicate_of", id_type()),
    time_column("created_at"),
    time_column("updated_at"),
    Index(None, "account_id", "created_at"),
    Index(None, "status", "created_at", "id"),
    Index(None, "problem_id", "created_at"),
    one_of("kind", ("statement", "test", "translation", "idea")),
    one_of("status", ("new", "open", "fixed", "declined", "duplicate")),
)

# A. is_internal: staff's own note, never shown to the learner. by_staff outlives author_id, which
# is NULL once its author was erased.
feedback_message = Table(
    "feedback_message",
    metadata,
    id_column(),
    refers_to("feedback"),
    refers_to("account", name="author_id", nullable=True),
    Column("body", Text, nullable=False),
    Column("is_internal", Boolean, nullable=False),
    Column("by_staff", Boolean, nullable=False),
    time_column("at"),
    Index(None, "feedback_id", "id"),
)
