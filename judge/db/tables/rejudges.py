"""Rejudges: which submissions are judged anew, and what became of each."""

from sqlalchemy import JSON, Boolean, Column, Index, String, Table, UniqueConstraint, text

from judge.db.tables.metadata import id_column, metadata, one_of, refers_to, time_column
from judge.domain.states import REJUDGE_STATES

# revision_id is what the submissions are judged against. applies_itself: a publication made it.
# summary is written once, when it is applied. At most one of a problem is open.
rejudge = Table(
    "rejudge",
    metadata,
    id_column(),
    refers_to("problem"),
    refers_to("revision"),
    Column("selector", JSON, nullable=False),
    Column("applies_itself", Boolean, nullable=False),
    Column("allow_decrease", Boolean, nullable=False),
    Column("state", String(16), nullable=False),
    Column("summary", JSON),
    refers_to("account", name="actor_id", nullable=True),
    time_column("created_at"),
    time_column("closed_at", nullable=True),
    Index(
        "uq_rejudge_open",
        "problem_id",
        unique=True,
        sqlite_where=text("state = 'preview'"),
        postgresql_where=text("state = 'preview'"),
    ),
    Index(None, "created_at", "id"),
    one_of("state", REJUDGE_STATES),
)

# One new judgement of a rejudge. decision: open until the rejudge is closed; then taken, kept (the
# earlier judgement stays, because the score would have fallen), failed (the judge's own fault) or
# dropped (cancelled).
rejudge_item = Table(
    "rejudge_item",
    metadata,
    refers_to("rejudge", key=True),
    refers_to("judgement", key=True),
    Column("decision", String(16), nullable=False),
    UniqueConstraint("judgement_id"),
    one_of("decision", ("open", "taken", "kept", "failed", "dropped")),
)
