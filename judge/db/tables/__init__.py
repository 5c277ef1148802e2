"""All tables. Importing this package registers every table with ``metadata``.

What the letters mean in the modules: I = immutable after insert (a trigger of the migrations
refuses changes), A = append-only, written once.
"""

from judge.db.tables.accounts import account, api_token, credential, session
from judge.db.tables.classes import assignment, membership, school_class
from judge.db.tables.feedback import feedback, feedback_message
from judge.db.tables.jobs import event, job, worker
from judge.db.tables.metadata import metadata
from judge.db.tables.problems import (
    problem,
    problem_edge,
    problem_topic,
    revision,
    statement,
    test_case,
    test_group,
)
from judge.db.tables.records import audit_log, notice
from judge.db.tables.rejudges import rejudge, rejudge_item
from judge.db.tables.requests import data_export, idempotency_record, one_time_link
from judge.db.tables.results import best_score, judgement, submission, test_result, unlock
from judge.db.tables.workspace import draft, run

__all__ = [
    "account",
    "api_token",
    "assignment",
    "audit_log",
    "best_score",
    "credential",
    "data_export",
    "draft",
    "event",
    "feedback",
    "feedback_message",
    "idempotency_record",
    "job",
    "judgement",
    "membership",
    "metadata",
    "notice",
    "one_time_link",
    "problem",
    "problem_edge",
    "problem_topic",
    "rejudge",
    "rejudge_item",
    "revision",
    "run",
    "school_class",
    "session",
    "statement",
    "submission",
    "test_case",
    "test_group",
    "test_result",
    "unlock",
    "worker",
]
