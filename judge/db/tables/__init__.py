"""All tables. Importing this package registers every table with ``metadata``.

What the letters mean in the modules: I = immutable after insert (a trigger of the migrations
refuses changes), A = append-only, written once.
"""

from judge.db.tables.accounts import account, api_token, credential, session
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
from judge.db.tables.results import best_score, judgement, submission, test_result, unlock

__all__ = [
    "account",
    "api_token",
    "audit_log",
    "best_score",
    "credential",
    "event",
    "job",
    "judgement",
    "metadata",
    "notice",
    "problem",
    "problem_edge",
    "problem_topic",
    "rejudge",
    "rejudge_item",
    "revision",
    "session",
    "statement",
    "submission",
    "test_case",
    "test_group",
    "test_result",
    "unlock",
    "worker",
]
