"""Problems, their immutable revisions, texts, test groups and test cases."""

from sqlalchemy import (
    JSON,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from judge.db.tables.metadata import id_column, metadata, one_of, refers_to, time_column
from judge.db.types import id_type
from judge.domain.states import PROBLEM_STATES, PROBLEM_VISIBILITIES, VERIFY_STATES

# points are the problem's, not the revision's: the first publication sets them.
problem = Table(
    "problem",
    metadata,
    id_column(),
    Column("slug", String(64), nullable=False, unique=True),
    Column("state", String(16), nullable=False),
    Column("visibility", String(16), nullable=False),
    # Tables refer to each other in a circle here: the constraint is added after both exist.
    Column("published_revision_id", id_type(), ForeignKey("revision.id", use_alter=True)),
    Column("points", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    time_column("created_at"),
    one_of("state", PROBLEM_STATES),
    one_of("visibility", PROBLEM_VISIBILITIES),
)

problem_topic = Table(
    "problem_topic",
    metadata,
    refers_to("problem", key=True),
    Column("topic", String(64), primary_key=True),
    Column("position", Integer, nullable=False),
)

# requires_slug may name a concept that has no problem yet, so it is no foreign key.
problem_edge = Table(
    "problem_edge",
    metadata,
    refers_to("problem", key=True),
    Column("requires_slug", String(64), primary_key=True),
    Column("position", Integer, nullable=False),
)

# I, but for verify_state and verify_report. package_blob is the canonical zip of the package, so
# a worker needs nothing but the database. signature, limits, checker, reveal and constants are
# what the API needs; grading reads the package.
revision = Table(
    "revision",
    metadata,
    id_column(),
    refers_to("problem"),
    Column("number", Integer, nullable=False),
    Column("tests_hash", String(64), nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("signature", JSON, nullable=False),
    Column("limits", JSON, nullable=False),
    Column("checker", JSON, nullable=False),
    Column("reveal", JSON, nullable=False),
    Column("languages", JSON, nullable=False),
    Column("constants", JSON, nullable=False),
    Column("package_blob", LargeBinary, nullable=False),
    refers_to("account", name="author_id", nullable=True),
    Column("note", Text, nullable=False),
    time_column("created_at"),
    Column("verify_state", String(16), nullable=False),
    Column("verify_report", JSON),
    UniqueConstraint("problem_id", "number"),
    UniqueConstraint("problem_id", "content_hash"),
    one_of("verify_state", VERIFY_STATES),
)

# I. hints is a list of Markdown texts from gentle to concrete.
statement = Table(
    "statement",
    metadata,
    refers_to("revision", key=True),
    Column("locale", String(8), primary_key=True),
    Column("title", Text, nullable=False),
    Column("body_md", Text, nullable=False),
    Column("parameter_docs", JSON, nullable=False),
    Column("hints", JSON, nullable=False),
    Column("solution_md", Text, nullable=False),
)

# I. Cases of one group score together: max_score is given only if all of them pass.
test_group = Table(
    "test_group",
    metadata,
    refers_to("revision", key=True),
    Column("name", String(128), primary_key=True),
    Column("ordinal", Integer, nullable=False),
    Column("title", JSON, nullable=False),
    Column("max_score", Integer, nullable=False),
    Column("require_pass", JSON, nullable=False),
)

# I. path is the case's place below data/ in the package; the blobs are UTF-8 JSON.
test_case = Table(
    "test_case",
    metadata,
    id_column(),
    refers_to("revision"),
    Column("ordinal", Integer, nullable=False),
    Column("path", String(256), nullable=False),
    Column("group_name", String(128), nullable=False),
    Column("title", JSON, nullable=False),
    Column("visibility", String(16), nullable=False),
    Column("args_blob", LargeBinary, nullable=False),
    Column("expected_blob", LargeBinary, nullable=False),
    Column("hint", JSON, nullable=False),
    UniqueConstraint("revision_id", "ordinal"),
    UniqueConstraint("revision_id", "path"),
    ForeignKeyConstraint(
        ["revision_id", "group_name"], ["test_group.revision_id", "test_group.name"]
    ),
    one_of("visibility", ("sample", "reveal_on_fail", "hidden")),
)

Index(None, problem.c.position, problem.c.slug)
