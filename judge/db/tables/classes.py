"""Classes, who is in them, and what they are given to solve."""

from sqlalchemy import Column, Index, Integer, String, Table, Text, UniqueConstraint, text

from judge.db.tables.metadata import id_column, metadata, one_of, refers_to, time_column
from judge.domain.states import MEMBER_ROLES, MEMBER_STATES

# Only the SHA-256 of the join code is kept: whoever lost it makes a new one. time_zone is that of
# the due times. retain_until: until when an erased account's rows stay in the gradebook.
school_class = Table(
    "school_class",
    metadata,
    id_column(),
    Column("name", String(128), nullable=False),
    Column("locale", String(8), nullable=False),
    Column("time_zone", String(64), nullable=False),
    Column("join_code_hash", String(64), unique=True),
    refers_to("account", name="created_by", nullable=True),
    time_column("created_at"),
    time_column("updated_at"),
    time_column("archived_at", nullable=True),
)

# An invited account is no member yet: a roster can name anybody, and a member's work is read by the
# class's teachers. external_id is the class's own name for a person, as in a school's lists.
membership = Table(
    "membership",
    metadata,
    refers_to("school_class", name="class_id", key=True),
    refers_to("account", key=True),
    Column("role", String(16), nullable=False),
    Column("state", String(16), nullable=False),
    Column("external_id", String(128)),
    time_column("created_at"),
    time_column("joined_at", nullable=True),
    UniqueConstraint("class_id", "external_id"),
    Index(None, "account_id", "role"),
    one_of("role", MEMBER_ROLES),
    one_of("state", MEMBER_STATES),
)

# late_percent: how much of the points a submission after due_at is worth; 0: it does not count.
assignment = Table(
    "assignment",
    metadata,
    id_column(),
    refers_to("school_class", name="class_id"),
    refers_to("problem"),
    Column("title", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("weight", Integer, nullable=False, server_default=text("1")),
    time_column("opens_at", nullable=True),
    time_column("due_at", nullable=True),
    Column("late_percent", Integer, nullable=False),
    time_column("created_at"),
    time_column("updated_at"),
    UniqueConstraint("class_id", "problem_id"),
    Index(None, "problem_id"),
)
