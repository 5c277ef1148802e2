"""The first tables, and the triggers that keep published and handed-in rows as they are."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Tables whose rows never change after insert, with the columns that a trigger guards. A revision
# may learn the result of its verification; a submission's source may be erased (see below).
FROZEN = {
    "revision": (
        "id",
        "problem_id",
        "number",
        "tests_hash",
        "content_hash",
        "signature",
        "limits",
        "checker",
        "reveal",
        "languages",
        "constants",
        "package_blob",
        "author_id",
        "note",
        "created_at",
    ),
    "statement": (
        "revision_id",
        "locale",
        "title",
        "body_md",
        "parameter_docs",
        "hints",
        "solution_md",
    ),
    "test_group": ("revision_id", "name", "ordinal", "title", "max_score", "require_pass"),
    "test_case": (
        "id",
        "revision_id",
        "ordinal",
        "path",
        "group_name",
        "title",
        "visibility",
        "args_blob",
        "expected_blob",
        "hint",
    ),
    "submission": (
        "id",
        "account_id",
        "problem_id",
        "revision_id",
        "language",
        "source_hash",
        "created_at",
        "local_date",
        "via",
    ),
}
ERASURE = "submission_source"


def upgrade() -> None:
    """Create everything on an empty database."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    _accounts()
    _problems()
    _results()
    _queue()
    if not is_sqlite:
        # SQLite got this constraint inside CREATE TABLE: it does not need the other table yet.
        op.create_foreign_key(
            op.f("fk_problem_published_revision_id"),
            "problem",
            "revision",
            ["published_revision_id"],
            ["id"],
        )
    for table, columns in FROZEN.items():
        _refuse(is_sqlite, table, f"UPDATE OF {', '.join(columns)}", f"{table}_frozen")
        _refuse(is_sqlite, table, "DELETE", f"{table}_kept")
    _refuse(
        is_sqlite,
        "submission",
        "UPDATE OF source, erased_at",
        ERASURE,
        when="NEW.source IS NOT NULL OR NEW.erased_at IS NULL",
    )


def _refuse(is_sqlite: bool, table: str, change: str, name: str, when: str = "1 = 1") -> None:
    """Make the database refuse a change of a table whenever ``when`` holds."""
    message = f"{table} is immutable"
    if is_sqlite:
        op.execute(
            f"CREATE TRIGGER {name} BEFORE {change} ON {table} FOR EACH ROW WHEN {when} "
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )
        return
    op.execute(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{message}'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {name} BEFORE {change} ON {table} FOR EACH ROW WHEN ({when}) "
        f"EXECUTE FUNCTION {name}()"
    )


def _accounts() -> None:
    """People and how they prove who they are."""
    op.create_table(
        "account",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("handle", sa.String(length=32), nullable=False),
        sa.Column("handle_key", sa.String(length=32), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("email_key", sa.Text(), nullable=True),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("locale", sa.String(length=8), nullable=False),
        sa.Column("time_zone", sa.String(length=64), nullable=False),
        sa.Column("prefs", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("role IN ('learner', 'teacher', 'admin')", name=op.f("ck_account_role")),
        sa.CheckConstraint(
            "state IN ('active', 'disabled', 'erased')", name=op.f("ck_account_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("email_key", name=op.f("uq_account_email_key")),
        sa.UniqueConstraint("handle_key", name=op.f("uq_account_handle_key")),
    )
    op.create_table(
        "credential",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "kind IN ('password', 'oidc', 'passkey')", name=op.f("ck_credential_kind")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_credential_account_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credential")),
        sa.UniqueConstraint("kind", "subject", name=op.f("uq_credential_kind_subject")),
    )
    op.create_table(
        "session",
        sa.Column("id_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ip_prefix", sa.String(length=64), nullable=False),
        sa.Column("user_agent", sa.String(length=256), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_session_account_id")),
        sa.PrimaryKeyConstraint("id_hash", name=op.f("pk_session")),
    )
    op.create_index(op.f("ix_session_account_id"), "session", ["account_id"])
    op.create_table(
        "api_token",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("prefix", sa.String(length=8), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_api_token_account_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("prefix", name=op.f("uq_api_token_prefix")),
    )
    op.create_index(op.f("ix_api_token_account_id"), "api_token", ["account_id"])


def _problems() -> None:
    """Problems, revisions, texts and test cases."""
    op.create_table(
        "problem",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("visibility", sa.String(length=16), nullable=False),
        sa.Column("published_revision_id", sa.String(length=32), nullable=True),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state IN ('draft', 'published', 'retired')", name=op.f("ck_problem_state")
        ),
        sa.CheckConstraint(
            "visibility IN ('draft', 'staff', 'class', 'public')",
            name=op.f("ck_problem_visibility"),
        ),
        sa.ForeignKeyConstraint(
            ["published_revision_id"],
            ["revision.id"],
            name=op.f("fk_problem_published_revision_id"),
            use_alter=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_problem")),
        sa.UniqueConstraint("slug", name=op.f("uq_problem_slug")),
    )
    op.create_index(op.f("ix_problem_position_slug"), "problem", ["position", "slug"])
    op.create_table(
        "problem_topic",
        sa.Column("problem_id", sa.String(length=32), nullable=False),
        sa.Column("topic", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["problem_id"], ["problem.id"], name=op.f("fk_problem_topic_problem_id")
        ),
        sa.PrimaryKeyConstraint("problem_id", "topic", name=op.f("pk_problem_topic")),
    )
    op.create_table(
        "problem_edge",
        sa.Column("problem_id", sa.String(length=32), nullable=False),
        sa.Column("requires_slug", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["problem_id"], ["problem.id"], name=op.f("fk_problem_edge_problem_id")
        ),
        sa.PrimaryKeyConstraint("problem_id", "requires_slug", name=op.f("pk_problem_edge")),
    )
    op.create_table(
        "revision",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("problem_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("tests_hash", sa.String(length=64), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("signature", sa.JSON(), nullable=False),
        sa.Column("limits", sa.JSON(), nullable=False),
        sa.Column("checker", sa.JSON(), nullable=False),
        sa.Column("reveal", sa.JSON(), nullable=False),
        sa.Column("languages", sa.JSON(), nullable=False),
        sa.Column("constants", sa.JSON(), nullable=False),
        sa.Column("package_blob", sa.LargeBinary(), nullable=False),
        sa.Column("author_id", sa.String(length=32), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("verify_state", sa.String(length=16), nullable=False),
        sa.Column("verify_report", sa.JSON(), nullable=True),
        sa.CheckConstraint(
            "verify_state IN ('pending', 'proved', 'failed')", name=op.f("ck_revision_verify_state")
        ),
        sa.ForeignKeyConstraint(["author_id"], ["account.id"], name=op.f("fk_revision_author_id")),
        sa.ForeignKeyConstraint(
            ["problem_id"], ["problem.id"], name=op.f("fk_revision_problem_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_revision")),
        sa.UniqueConstraint(
            "problem_id", "content_hash", name=op.f("uq_revision_problem_id_content_hash")
        ),
        sa.UniqueConstraint("problem_id", "number", name=op.f("uq_revision_problem_id_number")),
    )
    op.create_table(
        "statement",
        sa.Column("revision_id", sa.String(length=32), nullable=False),
        sa.Column("locale", sa.String(length=8), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body_md", sa.Text(), nullable=False),
        sa.Column("parameter_docs", sa.JSON(), nullable=False),
        sa.Column("hints", sa.JSON(), nullable=False),
        sa.Column("solution_md", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revision.id"], name=op.f("fk_statement_revision_id")
        ),
        sa.PrimaryKeyConstraint("revision_id", "locale", name=op.f("pk_statement")),
    )
    op.create_table(
        "test_group",
        sa.Column("revision_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("title", sa.JSON(), nullable=False),
        sa.Column("max_score", sa.Integer(), nullable=False),
        sa.Column("require_pass", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revision.id"], name=op.f("fk_test_group_revision_id")
        ),
        sa.PrimaryKeyConstraint("revision_id", "name", name=op.f("pk_test_group")),
    )
    op.create_table(
        "test_case",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("revision_id", sa.String(length=32), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(length=256), nullable=False),
        sa.Column("group_name", sa.String(length=128), nullable=False),
        sa.Column("title", sa.JSON(), nullable=False),
        sa.Column("visibility", sa.String(length=16), nullable=False),
        sa.Column("args_blob", sa.LargeBinary(), nullable=False),
        sa.Column("expected_blob", sa.LargeBinary(), nullable=False),
        sa.Column("hint", sa.JSON(), nullable=False),
        sa.CheckConstraint(
            "visibility IN ('sample', 'reveal_on_fail', 'hidden')",
            name=op.f("ck_test_case_visibility"),
        ),
        sa.ForeignKeyConstraint(
            ["revision_id", "group_name"],
            ["test_group.revision_id", "test_group.name"],
            name=op.f("fk_test_case_revision_id_group_name"),
        ),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revision.id"], name=op.f("fk_test_case_revision_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_test_case")),
        sa.UniqueConstraint(
            "revision_id", "ordinal", name=op.f("uq_test_case_revision_id_ordinal")
        ),
        sa.UniqueConstraint("revision_id", "path", name=op.f("uq_test_case_revision_id_path")),
    )


def _results() -> None:
    """Submissions, judgements and what derives from them."""
    op.create_table(
        "submission",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("problem_id", sa.String(length=32), nullable=False),
        sa.Column("revision_id", sa.String(length=32), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("source_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("local_date", sa.Date(), nullable=False),
        sa.Column("via", sa.String(length=8), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("via IN ('web', 'api', 'lms')", name=op.f("ck_submission_via")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_submission_account_id")
        ),
        sa.ForeignKeyConstraint(
            ["problem_id"], ["problem.id"], name=op.f("fk_submission_problem_id")
        ),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revision.id"], name=op.f("fk_submission_revision_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
    )
    op.create_index(
        op.f("ix_submission_account_id_created_at_id"),
        "submission",
        ["account_id", "created_at", "id"],
    )
    op.create_index(
        op.f("ix_submission_account_id_problem_id_created_at"),
        "submission",
        ["account_id", "problem_id", "created_at"],
    )
    op.create_table(
        "judgement",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("submission_id", sa.String(length=32), nullable=False),
        sa.Column("revision_id", sa.String(length=32), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("tests_done", sa.Integer(), nullable=False),
        sa.Column("tests_planned", sa.Integer(), nullable=False),
        sa.Column("tests_passed", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(length=32), nullable=True),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("score_num", sa.Integer(), nullable=True),
        sa.Column("score_den", sa.Integer(), nullable=True),
        sa.Column("cpu_ms", sa.Integer(), nullable=True),
        sa.Column("memory_kb", sa.Integer(), nullable=True),
        sa.Column("compile_ok", sa.Boolean(), nullable=True),
        sa.Column("compile_log", sa.Text(), nullable=False),
        sa.Column("toolchain", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.CheckConstraint("cause IN ('submit', 'rejudge')", name=op.f("ck_judgement_cause")),
        sa.CheckConstraint(
            "state IN ('queued', 'claimed', 'compiling', 'running', 'judged', 'cancelled')",
            name=op.f("ck_judgement_state"),
        ),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revision.id"], name=op.f("fk_judgement_revision_id")
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_judgement_submission_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgement")),
        sa.UniqueConstraint("submission_id", "seq", name=op.f("uq_judgement_submission_id_seq")),
    )
    op.create_index(
        "uq_judgement_current",
        "judgement",
        ["submission_id"],
        unique=True,
        sqlite_where=sa.text("is_current"),
        postgresql_where=sa.text("is_current"),
    )
    op.create_table(
        "test_result",
        sa.Column("judgement_id", sa.String(length=32), nullable=False),
        sa.Column("test_case_id", sa.String(length=32), nullable=False),
        sa.Column("verdict", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("error_class", sa.String(length=64), nullable=False),
        sa.Column("error_line", sa.Integer(), nullable=False),
        sa.Column("cpu_ms", sa.Integer(), nullable=False),
        sa.Column("wall_ms", sa.Integer(), nullable=False),
        sa.Column("memory_kb", sa.Integer(), nullable=False),
        sa.Column("got_blob", sa.LargeBinary(), nullable=True),
        sa.Column("stdout_head", sa.Text(), nullable=False),
        sa.Column("stderr_head", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["judgement_id"], ["judgement.id"], name=op.f("fk_test_result_judgement_id")
        ),
        sa.ForeignKeyConstraint(
            ["test_case_id"], ["test_case.id"], name=op.f("fk_test_result_test_case_id")
        ),
        sa.PrimaryKeyConstraint("judgement_id", "test_case_id", name=op.f("pk_test_result")),
    )
    op.create_table(
        "best_score",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("problem_id", sa.String(length=32), nullable=False),
        sa.Column("score_num", sa.Integer(), nullable=False),
        sa.Column("score_den", sa.Integer(), nullable=False),
        sa.Column("judgement_id", sa.String(length=32), nullable=False),
        sa.Column("submissions", sa.Integer(), nullable=False),
        sa.Column("first_accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("after_solution", sa.Boolean(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_best_score_account_id")
        ),
        sa.ForeignKeyConstraint(
            ["judgement_id"], ["judgement.id"], name=op.f("fk_best_score_judgement_id")
        ),
        sa.ForeignKeyConstraint(
            ["problem_id"], ["problem.id"], name=op.f("fk_best_score_problem_id")
        ),
        sa.PrimaryKeyConstraint("account_id", "problem_id", name=op.f("pk_best_score")),
    )
    op.create_table(
        "unlock",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("problem_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("ref", sa.String(length=64), nullable=False),
        sa.Column("revision_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('hint', 'solution', 'reveal')", name=op.f("ck_unlock_kind")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_unlock_account_id")),
        sa.ForeignKeyConstraint(["problem_id"], ["problem.id"], name=op.f("fk_unlock_problem_id")),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revision.id"], name=op.f("fk_unlock_revision_id")
        ),
        sa.PrimaryKeyConstraint(
            "account_id", "problem_id", "kind", "ref", "revision_id", name=op.f("pk_unlock")
        ),
    )


def _queue() -> None:
    """Jobs, events and workers."""
    op.create_table(
        "job",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("ref_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("lane", sa.String(length=16), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("run_after", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("claimed_by", sa.String(length=32), nullable=True),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("heartbeat_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "kind IN ('submission', 'run', 'verify', 'rejudge_item', 'export', 'erase')",
            name=op.f("ck_job_kind"),
        ),
        sa.CheckConstraint(
            "state IN ('queued', 'claimed', 'done', 'parked')", name=op.f("ck_job_state")
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_job_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index(op.f("ix_job_account_id_claimed_at"), "job", ["account_id", "claimed_at"])
    op.create_index(op.f("ix_job_account_id_state"), "job", ["account_id", "state"])
    op.create_index(
        op.f("ix_job_lane_state_priority_run_after"),
        "job",
        ["lane", "state", "priority", "run_after"],
    )
    op.create_index(op.f("ix_job_state_lease_until"), "job", ["state", "lease_until"])
    op.create_index(
        "uq_job_open",
        "job",
        ["kind", "ref_id"],
        unique=True,
        sqlite_where=sa.text("state IN ('queued', 'claimed')"),
        postgresql_where=sa.text("state IN ('queued', 'claimed')"),
    )
    op.create_table(
        "event",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("submission_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_event_submission_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    op.create_index(op.f("ix_event_submission_id_id"), "event", ["submission_id", "id"])
    op.create_table(
        "worker",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("process_id", sa.Integer(), nullable=False),
        sa.Column("languages", sa.JSON(), nullable=False),
        sa.Column("tier", sa.String(length=16), nullable=False),
        sa.Column("layers", sa.JSON(), nullable=False),
        sa.Column("self_test", sa.String(length=16), nullable=False),
        sa.Column("self_test_report", sa.JSON(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("heartbeat_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("draining_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "self_test IN ('pending', 'passed', 'failed')", name=op.f("ck_worker_self_test")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker")),
    )
