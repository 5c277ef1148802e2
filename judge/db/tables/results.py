"""What learners handed in and what came of it."""

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from judge.db.tables.metadata import id_column, metadata, one_of, refers_to, time_column
from judge.domain.states import JUDGEMENT_CAUSES, JUDGEMENT_STATES

MAX_GOT_BYTES = 8 * 1024

# I. The only change a trigger lets through is erasure: source to NULL together with erased_at.
submission = Table(
    "submission",
    metadata,
    id_column(),
    refers_to("account"),
    refers_to("problem"),
    refers_to("revision"),
    Column("language", String(16), nullable=False),
    Column("source", Text),
    Column("source_hash", String(64), nullable=False),
    time_column("created_at"),
    Column("local_date", Date, nullable=False),
    Column("via", String(8), nullable=False),
    time_column("erased_at", nullable=True),
    Index(None, "account_id", "problem_id", "created_at"),
    Index(None, "account_id", "created_at", "id"),
    Index(None, "created_at", "id"),
    one_of("via", ("web", "api", "lms")),
)

# A. One grading of a submission; a rejudge adds a row. While it runs, tests_done of tests_planned
# and state move; once state is judged only is_current may flip.
judgement = Table(
    "judgement",
    metadata,
    id_column(),
    refers_to("submission"),
    refers_to("revision"),
    Column("seq", Integer, nullable=False),
    Column("cause", String(16), nullable=False),
    Column("state", String(16), nullable=False),
    Column("tests_done", Integer, nullable=False),
    Column("tests_planned", Integer, nullable=False),
    Column("tests_passed", Integer, nullable=False),
    Column("verdict", String(32)),
    Column("reason", String(32), nullable=False),
    Column("score_num", Integer),
    Column("score_den", Integer),
    Column("cpu_ms", Integer),
    Column("memory_kb", Integer),
    Column("compile_ok", Boolean),
    Column("compile_log", Text, nullable=False),
    Column("toolchain", JSON, nullable=False),
    time_column("created_at"),
    time_column("started_at", nullable=True),
    time_column("finished_at", nullable=True),
    Column("is_current", Boolean, nullable=False),
    UniqueConstraint("submission_id", "seq"),
    Index(
        "uq_judgement_current",
        "submission_id",
        unique=True,
        sqlite_where=text("is_current"),
        postgresql_where=text("is_current"),
    ),
    one_of("cause", JUDGEMENT_CAUSES),
    one_of("state", JUDGEMENT_STATES),
)

# A. Stored in full; judge.domain.access decides at read time who sees what of it.
test_result = Table(
    "test_result",
    metadata,
    refers_to("judgement", key=True),
    refers_to("test_case", key=True),
    Column("verdict", String(32), nullable=False),
    Column("reason", String(32), nullable=False),
    Column("message", Text, nullable=False),
    Column("error_class", String(64), nullable=False),
    Column("error_line", Integer, nullable=False),
    Column("cpu_ms", Integer, nullable=False),
    Column("wall_ms", Integer, nullable=False),
    Column("memory_kb", Integer, nullable=False),
    Column("got_blob", LargeBinary),
    Column("stdout_head", Text, nullable=False),
    Column("stderr_head", Text, nullable=False),
    Column("note", Text, nullable=False, server_default=text("''")),
)

# Derived: always rebuilt as a whole from the current judgements, never added to. One row for each
# account and problem with a submission; score, judgement and its revision are NULL while none of
# them counts. The revision stands here so that bulk reads need not look judgements up.
best_score = Table(
    "best_score",
    metadata,
    refers_to("account", key=True),
    refers_to("problem", key=True),
    Column("score_num", Integer),
    Column("score_den", Integer),
    refers_to("judgement", nullable=True),
    Column("submissions", Integer, nullable=False),
    time_column("first_accepted_at", nullable=True),
    Column("after_solution", Boolean, nullable=False),
    time_column("updated_at"),
    refers_to("revision", nullable=True),
    Index(None, "updated_at", "account_id", "problem_id"),
    Index(None, "problem_id"),
)

# A. Hint ladder, solution opening and reveal budget in one table; ref is the hint's
# number, the revealed case's ordinal, or ''.
unlock = Table(
    "unlock",
    metadata,
    refers_to("account", key=True),
    refers_to("problem", key=True),
    Column("kind", String(16), primary_key=True),
    Column("ref", String(64), primary_key=True),
    refers_to("revision", key=True),
    time_column("created_at"),
    one_of("kind", ("hint", "solution", "reveal")),
)
