"""Classes, drafts, runs, feedback, and what the REST API needs to remember."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables, and a row of best_score for everybody who has submitted."""
    _classes()
    _workspace()
    _requests()
    _feedback()
    op.add_column("account", sa.Column("erase_after", sa.DateTime(timezone=True), nullable=True))
    op.add_column("audit_log", sa.Column("token_id", sa.String(length=32), nullable=True))
    op.add_column("audit_log", sa.Column("ip_prefix", sa.String(length=64), nullable=True))
    op.create_index(op.f("ix_account_erase_after"), "account", ["erase_after"], unique=False)
    _scores()


def _classes() -> None:
    """Classes, who is in them, and what they are given to solve."""
    op.create_table(
        "school_class",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("locale", sa.String(length=8), nullable=False),
        sa.Column("time_zone", sa.String(length=64), nullable=False),
        sa.Column("join_code_hash", sa.String(length=64), nullable=True),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["created_by"], ["account.id"], name=op.f("fk_school_class_created_by")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_school_class")),
        sa.UniqueConstraint("join_code_hash", name=op.f("uq_school_class_join_code_hash")),
    )
    op.create_table(
        "membership",
        sa.Column("class_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("external_id", sa.String(length=128), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("role IN ('teacher', 'learner')", name=op.f("ck_membership_role")),
        sa.CheckConstraint("state IN ('invited', 'active')", name=op.f("ck_membership_state")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_membership_account_id")
        ),
        sa.ForeignKeyConstraint(
            ["class_id"], ["school_class.id"], name=op.f("fk_membership_class_id")
        ),
        sa.PrimaryKeyConstraint("class_id", "account_id", name=op.f("pk_membership")),
        sa.UniqueConstraint(
            "class_id", "external_id", name=op.f("uq_membership_class_id_external_id")
        ),
    )
    op.create_index(
        op.f("ix_membership_account_id_role"), "membership", ["account_id", "role"], unique=False
    )
    op.create_table(
        "assignment",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("class_id", sa.String(length=32), nullable=False),
        sa.Column("problem_id", sa.String(length=32), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("weight", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("opens_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("late_percent", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["class_id"], ["school_class.id"], name=op.f("fk_assignment_class_id")
        ),
        sa.ForeignKeyConstraint(
            ["problem_id"], ["problem.id"], name=op.f("fk_assignment_problem_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
        sa.UniqueConstraint(
            "class_id", "problem_id", name=op.f("uq_assignment_class_id_problem_id")
        ),
    )
    op.create_index(op.f("ix_assignment_problem_id"), "assignment", ["problem_id"], unique=False)


def _workspace() -> None:
    """Drafts, and runs that count for nothing."""
    op.create_table(
        "draft",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("problem_id", sa.String(length=32), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("base_revision_id", sa.String(length=32), nullable=True),
        sa.Column("etag", sa.String(length=32), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_draft_account_id")),
        sa.ForeignKeyConstraint(["problem_id"], ["problem.id"], name=op.f("fk_draft_problem_id")),
        sa.PrimaryKeyConstraint("account_id", "problem_id", "language", name=op.f("pk_draft")),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("problem_id", sa.String(length=32), nullable=False),
        sa.Column("revision_id", sa.String(length=32), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("inputs", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("results", sa.JSON(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'judged', 'failed')", name=op.f("ck_run_state")
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_run_account_id")),
        sa.ForeignKeyConstraint(["problem_id"], ["problem.id"], name=op.f("fk_run_problem_id")),
        sa.ForeignKeyConstraint(["revision_id"], ["revision.id"], name=op.f("fk_run_revision_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    op.create_index(
        op.f("ix_run_account_id_created_at"), "run", ["account_id", "created_at"], unique=False
    )
    op.create_index(op.f("ix_run_expires_at"), "run", ["expires_at"], unique=False)


def _requests() -> None:
    """Answers that may be repeated, links that work once, exports."""
    op.create_table(
        "idempotency_record",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("route", sa.String(length=160), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("body_hash", sa.String(length=64), nullable=False),
        sa.Column("ref", sa.String(length=64), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("headers", sa.JSON(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_idempotency_record_account_id")
        ),
        sa.PrimaryKeyConstraint("account_id", "route", "key", name=op.f("pk_idempotency_record")),
    )
    op.create_index(
        op.f("ix_idempotency_record_expires_at"), "idempotency_record", ["expires_at"], unique=False
    )
    op.create_table(
        "one_time_link",
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("class_id", sa.String(length=32), nullable=True),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "purpose IN ('first_admin', 'invitation', 'reset')",
            name=op.f("ck_one_time_link_purpose"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_one_time_link_account_id")
        ),
        sa.ForeignKeyConstraint(
            ["class_id"], ["school_class.id"], name=op.f("fk_one_time_link_class_id")
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["account.id"], name=op.f("fk_one_time_link_created_by")
        ),
        sa.PrimaryKeyConstraint("secret_hash", name=op.f("pk_one_time_link")),
    )
    op.create_index(
        op.f("ix_one_time_link_account_id"), "one_time_link", ["account_id"], unique=False
    )
    op.create_table(
        "data_export",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("archive", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state IN ('queued', 'ready', 'failed')", name=op.f("ck_data_export_state")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_data_export_account_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_export")),
    )
    op.create_index(
        op.f("ix_data_export_account_id_created_at"),
        "data_export",
        ["account_id", "created_at"],
        unique=False,
    )
    op.create_index(op.f("ix_data_export_expires_at"), "data_export", ["expires_at"], unique=False)


def _feedback() -> None:
    """Threads about problems."""
    op.create_table(
        "feedback",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("problem_id", sa.String(length=32), nullable=False),
        sa.Column("revision_id", sa.String(length=32), nullable=False),
        sa.Column("submission_id", sa.String(length=32), nullable=True),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("locale", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("assignee_id", sa.String(length=32), nullable=True),
        sa.Column("duplicate_of", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('statement', 'test', 'translation', 'idea')", name=op.f("ck_feedback_kind")
        ),
        sa.CheckConstraint(
            "status IN ('new', 'open', 'fixed', 'declined', 'duplicate')",
            name=op.f("ck_feedback_status"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_feedback_account_id")
        ),
        sa.ForeignKeyConstraint(
            ["assignee_id"], ["account.id"], name=op.f("fk_feedback_assignee_id")
        ),
        sa.ForeignKeyConstraint(
            ["problem_id"], ["problem.id"], name=op.f("fk_feedback_problem_id")
        ),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revision.id"], name=op.f("fk_feedback_revision_id")
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_feedback_submission_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feedback")),
    )
    op.create_index(
        op.f("ix_feedback_account_id_created_at"),
        "feedback",
        ["account_id", "created_at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_feedback_problem_id_created_at"),
        "feedback",
        ["problem_id", "created_at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_feedback_status_created_at_id"),
        "feedback",
        ["status", "created_at", "id"],
        unique=False,
    )
    op.create_table(
        "feedback_message",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("feedback_id", sa.String(length=32), nullable=False),
        sa.Column("author_id", sa.String(length=32), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("is_internal", sa.Boolean(), nullable=False),
        sa.Column("by_staff", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"], ["account.id"], name=op.f("fk_feedback_message_author_id")
        ),
        sa.ForeignKeyConstraint(
            ["feedback_id"], ["feedback.id"], name=op.f("fk_feedback_message_feedback_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feedback_message")),
    )
    op.create_index(
        op.f("ix_feedback_message_feedback_id_id"),
        "feedback_message",
        ["feedback_id", "id"],
        unique=False,
    )


def _scores() -> None:
    """A pair of account and problem has a row from its first submission on, scored or not."""
    with op.batch_alter_table("best_score") as batch:
        batch.alter_column("score_num", existing_type=sa.Integer(), nullable=True)
        batch.alter_column("score_den", existing_type=sa.Integer(), nullable=True)
        batch.alter_column("judgement_id", existing_type=sa.String(length=32), nullable=True)
        batch.add_column(sa.Column("revision_id", sa.String(length=32), nullable=True))
        batch.create_foreign_key(
            op.f("fk_best_score_revision_id"), "revision", ["revision_id"], ["id"]
        )
    op.execute(
        "UPDATE best_score SET revision_id = (SELECT judgement.revision_id FROM judgement "
        "WHERE judgement.id = best_score.judgement_id)"
    )
    op.create_index(op.f("ix_best_score_problem_id"), "best_score", ["problem_id"])
    op.create_index(op.f("ix_submission_created_at_id"), "submission", ["created_at", "id"])
    op.create_index(
        op.f("ix_best_score_updated_at_account_id_problem_id"),
        "best_score",
        ["updated_at", "account_id", "problem_id"],
    )
    op.execute(
        "INSERT INTO best_score "
        "(account_id, problem_id, submissions, after_solution, updated_at) "
        "SELECT account_id, problem_id, 0, false, max(created_at) FROM submission "
        "WHERE NOT EXISTS (SELECT 1 FROM best_score "
        "WHERE best_score.account_id = submission.account_id "
        "AND best_score.problem_id = submission.problem_id) "
        "GROUP BY account_id, problem_id"
    )
