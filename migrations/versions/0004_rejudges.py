"""Rejudges, the audit log and notices."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

FROZEN = "audit_log"


def upgrade() -> None:
    """Create the tables; the audit log takes new rows only."""
    _rejudges()
    _records()
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for change, name in (("UPDATE", f"{FROZEN}_frozen"), ("DELETE", f"{FROZEN}_kept")):
        _refuse(is_sqlite, change, name)


def _refuse(is_sqlite: bool, change: str, name: str) -> None:
    """Make the database refuse a change of the audit log."""
    message = f"{FROZEN} is immutable"
    if is_sqlite:
        op.execute(
            f"CREATE TRIGGER {name} BEFORE {change} ON {FROZEN} FOR EACH ROW "
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )
        return
    op.execute(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{message}'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {name} BEFORE {change} ON {FROZEN} FOR EACH ROW EXECUTE FUNCTION {name}()"
    )


def _rejudges() -> None:
    """What is judged anew, and the new judgements."""
    op.create_table(
        "rejudge",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("problem_id", sa.String(length=32), nullable=False),
        sa.Column("revision_id", sa.String(length=32), nullable=False),
        sa.Column("selector", sa.JSON(), nullable=False),
        sa.Column("applies_itself", sa.Boolean(), nullable=False),
        sa.Column("allow_decrease", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=True),
        sa.Column("actor_id", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('preview', 'applied', 'cancelled')", name=op.f("ck_rejudge_state")
        ),
        sa.ForeignKeyConstraint(["actor_id"], ["account.id"], name=op.f("fk_rejudge_actor_id")),
        sa.ForeignKeyConstraint(["problem_id"], ["problem.id"], name=op.f("fk_rejudge_problem_id")),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revision.id"], name=op.f("fk_rejudge_revision_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rejudge")),
    )
    op.create_index(op.f("ix_rejudge_created_at_id"), "rejudge", ["created_at", "id"])
    op.create_index(
        "uq_rejudge_open",
        "rejudge",
        ["problem_id"],
        unique=True,
        sqlite_where=sa.text("state = 'preview'"),
        postgresql_where=sa.text("state = 'preview'"),
    )
    op.create_table(
        "rejudge_item",
        sa.Column("rejudge_id", sa.String(length=32), nullable=False),
        sa.Column("judgement_id", sa.String(length=32), nullable=False),
        sa.Column("decision", sa.String(length=16), nullable=False),
        sa.CheckConstraint(
            "decision IN ('open', 'taken', 'kept', 'failed', 'dropped')",
            name=op.f("ck_rejudge_item_decision"),
        ),
        sa.ForeignKeyConstraint(
            ["judgement_id"], ["judgement.id"], name=op.f("fk_rejudge_item_judgement_id")
        ),
        sa.ForeignKeyConstraint(
            ["rejudge_id"], ["rejudge.id"], name=op.f("fk_rejudge_item_rejudge_id")
        ),
        sa.PrimaryKeyConstraint("rejudge_id", "judgement_id", name=op.f("pk_rejudge_item")),
        sa.UniqueConstraint("judgement_id", name=op.f("uq_rejudge_item_judgement_id")),
    )


def _records() -> None:
    """What staff did, and what accounts are told."""
    op.create_table(
        "audit_log",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor_id", sa.String(length=32), nullable=True),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("target", sa.String(length=96), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["actor_id"], ["account.id"], name=op.f("fk_audit_log_actor_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
    )
    op.create_index(op.f("ix_audit_log_at"), "audit_log", ["at"])
    op.create_table(
        "notice",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("ref", sa.String(length=96), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_notice_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
        sa.UniqueConstraint(
            "account_id", "kind", "ref", name=op.f("uq_notice_account_id_kind_ref")
        ),
    )
    op.create_index(op.f("ix_notice_account_id_at"), "notice", ["account_id", "at"])
