"""The queue's rows, the events that readers follow, and what the workers report."""

from sqlalchemy import JSON, Column, Index, Integer, String, Table, Text, text

from judge.db.tables.metadata import id_column, metadata, one_of, refers_to, time_column
from judge.db.types import id_type, serial_type

# The committed row is the truth. ref_id is the judgement's id for kind 'submission'. attempt is
# the fencing number: it grows with every claim, and only the claim that holds the present number
# may finish. losses counts crashes and expired leases, never a drain.
job = Table(
    "job",
    metadata,
    id_column(),
    Column("kind", String(16), nullable=False),
    Column("ref_id", id_type(), nullable=False),
    refers_to("account", nullable=True),
    Column("lane", String(16), nullable=False),
    Column("priority", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    time_column("created_at"),
    time_column("run_after"),
    Column("attempt", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    # No foreign key: a worker's row may be gone while its jobs wait to be reclaimed.
    Column("claimed_by", id_type()),
    time_column("claimed_at", nullable=True),
    time_column("lease_until", nullable=True),
    time_column("heartbeat_at", nullable=True),
    time_column("finished_at", nullable=True),
    Index(
        "uq_job_open",
        "kind",
        "ref_id",
        unique=True,
        sqlite_where=text("state IN ('queued', 'claimed')"),
        postgresql_where=text("state IN ('queued', 'claimed')"),
    ),
    Index(None, "lane", "state", "priority", "run_after"),
    Index(None, "state", "lease_until"),
    Index(None, "account_id", "state"),
    Index(None, "account_id", "claimed_at"),
    one_of("kind", ("submission", "run", "verify", "rejudge_item", "export", "erase")),
    one_of("state", ("queued", "claimed", "done", "parked")),
)

# A. What a reader of a submission may replay, in order of id.
event = Table(
    "event",
    metadata,
    Column("id", serial_type(), primary_key=True, autoincrement=True),
    refers_to("submission"),
    Column("kind", String(32), nullable=False),
    time_column("at"),
    Column("data", JSON, nullable=False),
    Index(None, "submission_id", "id"),
)

# What /readyz and /languages show, since the web side may not probe. languages maps a language to
# its versions, missing one that the machine could judge to the command that would install it;
# layers and self_test are the sandbox's own words; fix is what would bring the machine to tier A.
worker = Table(
    "worker",
    metadata,
    id_column(),
    Column("host", Text, nullable=False),
    Column("process_id", Integer, nullable=False),
    Column("languages", JSON, nullable=False),
    Column("tier", String(16), nullable=False),
    Column("layers", JSON, nullable=False),
    Column("self_test", String(16), nullable=False),
    Column("self_test_report", JSON, nullable=False),
    time_column("started_at"),
    time_column("heartbeat_at"),
    time_column("draining_at", nullable=True),
    # With defaults, because a worker of an earlier release may still write its row.
    Column("missing", JSON, nullable=False, server_default=text("'{}'")),
    Column("fix", Text, nullable=False, server_default=text("''")),
    one_of("self_test", ("pending", "passed", "failed")),
)
