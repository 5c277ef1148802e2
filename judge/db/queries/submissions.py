"""Submissions with their current judgement and results.

Whoever shows a case to people asks judge.domain.access.visible_cases first.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    case,
    exists,
    func,
    literal,
    select,
    true,
    tuple_,
)

from judge.db.queries.classes import ACTIVE, LEARNER, has_opened
from judge.db.queries.problems import stored_case
from judge.db.tables import (
    account,
    assignment,
    event,
    job,
    judgement,
    membership,
    problem,
    rejudge_item,
    revision,
    submission,
)
from judge.db.tables import test_case as case_table
from judge.db.tables import test_result as result_table
from judge.db.types import now
from judge.domain.access import StoredCase, StoredResult
from judge.domain.problem import Visibility
from judge.domain.scoring import Score
from judge.domain.verdicts import Reason, Verdict
from judge.errors import NotFound

FINAL_STATES = ("judged", "cancelled")


@dataclass(frozen=True)
class CurrentJudgement:
    """The judgement that counts, or one before it; ``verdict`` is None until it is judged.

    ``decision`` is what a rejudge decided about it, None for a judgement of no rejudge.
    """

    id: str
    revision_id: str
    revision_number: int
    is_current: bool
    decision: str | None
    seq: int
    cause: str
    state: str
    tests_done: int
    tests_planned: int
    tests_passed: int
    verdict: Verdict | None
    reason: Reason
    score: Score | None
    cpu_ms: int | None
    memory_kb: int | None
    compile_ok: bool | None
    compile_log: str
    toolchain: dict[str, str]
    started_at: datetime | None
    finished_at: datetime | None

    @property
    def is_final(self) -> bool:
        """Whether waiting any longer would change nothing."""
        return self.state in FINAL_STATES


@dataclass(frozen=True)
class Event:
    """Something that happened to a submission; ``id`` grows with time."""

    id: int
    kind: str
    at: datetime
    data: dict[str, str | int | None]


@dataclass(frozen=True)
class Submission:
    """One submission as stored, without its source."""

    id: str
    account_id: str
    handle: str
    slug: str
    points: int
    problem_id: str
    revision_id: str
    revision_number: int
    language: str
    source_hash: str
    created_at: datetime
    judgement: CurrentJudgement


def select_submission(
    connection: Connection, submission_id: str, seq: int | None = None
) -> Submission:
    """One submission with its current judgement, or with the one that has this number.

    Raises:
        NotFound: there is no such submission or judgement.
    """
    query = _submissions() if seq is None else _submissions(_ANY.c.seq == seq)
    row = connection.execute(query.where(submission.c.id == submission_id)).one_or_none()
    if row is None:
        raise NotFound("submission-not-found" if seq is None else "judgement-not-found")
    return _submission(row)


def list_judgements(connection: Connection, submission_id: str) -> tuple[CurrentJudgement, ...]:
    """All judgements of a submission, the first one first."""
    query = _submissions(true()).where(submission.c.id == submission_id).order_by(_ANY.c.seq)
    return tuple(map(_judgement, connection.execute(query)))


def find_source(connection: Connection, submission_id: str) -> str | None:
    """A submission's source; None if it was erased or there is no such submission."""
    source: str | None = connection.scalar(
        select(submission.c.source).where(submission.c.id == submission_id)
    )
    return source


def is_final(connection: Connection, submission_id: str) -> bool:
    """Whether the current judgement has come to its end."""
    state = connection.scalar(
        select(judgement.c.state).where(
            judgement.c.submission_id == submission_id, judgement.c.is_current
        )
    )
    return state in FINAL_STATES


@dataclass(frozen=True)
class SubmissionFilter:
    """Which submissions a list shows; None asks for all.

    Attributes:
        account_id: only this account's.
        slug: only on this problem.
        class_ids: only those of learners of one of these classes, on the problems of that class.
        verdict: only those whose present judgement says so.
        since: only those that were handed in at this time or later.
    """

    account_id: str | None = None
    slug: str | None = None
    class_ids: frozenset[str] | None = None
    verdict: str | None = None
    since: datetime | None = None


def list_events(connection: Connection, submission_id: str, after: int) -> tuple[Event, ...]:
    """What happened to a submission behind the event with the id ``after``, in order."""
    query = (
        select(event.c.id, event.c.kind, event.c.at, event.c.data)
        .where(event.c.submission_id == submission_id, event.c.id > after)
        .order_by(event.c.id)
    )
    return tuple(Event(row.id, row.kind, row.at, row.data) for row in connection.execute(query))


def list_submissions(
    connection: Connection,
    wanted: SubmissionFilter,
    after: tuple[datetime, str] | None,
    limit: int,
) -> tuple[Submission, ...]:
    """Submissions, newest first.

    Args:
        connection: where to read.
        wanted: which of them.
        after: the (created_at, id) behind which to begin.
        limit: at most so many.
    """
    query = _submissions().order_by(submission.c.created_at.desc(), submission.c.id.desc())
    if wanted.account_id is not None:
        query = query.where(submission.c.account_id == wanted.account_id)
    if wanted.slug is not None:
        query = query.where(problem.c.slug == wanted.slug)
    if wanted.class_ids is not None:
        query = query.where(is_work_of(wanted.class_ids))
    if wanted.verdict is not None:
        query = query.where(_ANY.c.verdict == wanted.verdict)
    if wanted.since is not None:
        query = query.where(submission.c.created_at >= wanted.since)
    if after is not None:
        query = query.where(tuple_(submission.c.created_at, submission.c.id) < after)
    return tuple(map(_submission, connection.execute(query.limit(limit))))


def is_work_of(class_ids: Collection[str]) -> ColumnElement[bool]:
    """Whether a submission was made by a learner of one of the classes on what it was given.

    The same rule for a list as judge.db.queries.classes.is_taught for one submission; a test holds
    the two together.
    """
    return exists().where(
        membership.c.class_id.in_(class_ids),
        membership.c.account_id == submission.c.account_id,
        membership.c.role == LEARNER,
        membership.c.state == ACTIVE,
        assignment.c.class_id == membership.c.class_id,
        assignment.c.problem_id == submission.c.problem_id,
        has_opened(now()),
    )


def list_case_results(
    connection: Connection, judgement_id: str, opened: Collection[str] | None
) -> tuple[tuple[StoredCase, StoredResult], ...]:
    """Every case of a judgement with its result, in grading order.

    ``opened`` are the paths of hidden cases whose data the viewer may read, None for staff, who may
    read all. The data of the others is not read: it can have megabytes, and what is not read cannot
    leak. So it is with what a checker noted, which is for staff alone.
    """
    is_open: ColumnElement[bool] = true()
    if opened is not None:
        is_sample = case_table.c.visibility == Visibility.SAMPLE.value
        is_open = is_sample | case_table.c.path.in_(opened)
    hidden_columns = (case_table.c.args_blob, case_table.c.expected_blob)
    shown = [column for column in case_table.c if column not in set(hidden_columns)]
    data = [case((is_open, column)).label(column.name) for column in hidden_columns]
    noted = literal("").label("note") if opened is not None else result_table.c.note
    results = [
        noted if column.name == "note" else column
        for column in result_table.c
        if not column.primary_key
    ]
    rows = connection.execute(
        select(*shown, *data, *results)
        .join(result_table, result_table.c.test_case_id == case_table.c.id)
        .where(result_table.c.judgement_id == judgement_id)
        .order_by(case_table.c.ordinal)
    )
    return tuple((stored_case(row), _stored_result(row)) for row in rows)


def find_queue_position(
    connection: Connection, ref_id: str, kind: str = "submission"
) -> int | None:
    """How many jobs of the lane come before this one, plus one; None if it is not queued.

    An estimate: fairness between accounts may change the order.
    """
    mine = connection.execute(
        select(job.c.lane, job.c.priority, job.c.created_at, job.c.id).where(
            job.c.kind == kind, job.c.ref_id == ref_id, job.c.state == "queued"
        )
    ).one_or_none()
    if mine is None:
        return None
    older = tuple_(job.c.created_at, job.c.id) < (mine.created_at, mine.id)
    before = connection.scalar(
        select(func.count()).where(
            job.c.lane == mine.lane,
            job.c.state == "queued",
            (job.c.priority > mine.priority) | ((job.c.priority == mine.priority) & older),
        )
    )
    return 1 + (before or 0)


_ANY = judgement.alias("any")
_JUDGED_ON = revision.alias("judged_on")


def _submissions(which: ColumnElement[bool] = _ANY.c.is_current) -> Select[Any]:
    """Submissions with those of their judgements that ``which`` chooses."""
    return (
        select(
            *(column for column in submission.c if column.name != "source"),
            account.c.handle,
            problem.c.slug,
            problem.c.points,
            revision.c.number.label("revision_number"),
            *(column.label(f"judgement_{column.name}") for column in _ANY.c),
            _JUDGED_ON.c.number.label("judged_on_number"),
            rejudge_item.c.decision,
        )
        .join(account, account.c.id == submission.c.account_id)
        .join(problem, problem.c.id == submission.c.problem_id)
        .join(revision, revision.c.id == submission.c.revision_id)
        .join(_ANY, (_ANY.c.submission_id == submission.c.id) & which)
        .join(_JUDGED_ON, _JUDGED_ON.c.id == _ANY.c.revision_id)
        .outerjoin(rejudge_item, rejudge_item.c.judgement_id == _ANY.c.id)
    )


def _submission(row: Any) -> Submission:
    return Submission(
        id=row.id,
        account_id=row.account_id,
        handle=row.handle,
        slug=row.slug,
        points=row.points,
        problem_id=row.problem_id,
        revision_id=row.revision_id,
        revision_number=row.revision_number,
        language=row.language,
        source_hash=row.source_hash,
        created_at=row.created_at,
        judgement=_judgement(row),
    )


def _judgement(row: Any) -> CurrentJudgement:
    has_score = row.judgement_score_num is not None
    return CurrentJudgement(
        id=row.judgement_id,
        revision_id=row.judgement_revision_id,
        revision_number=row.judged_on_number,
        is_current=row.judgement_is_current,
        decision=row.decision,
        seq=row.judgement_seq,
        cause=row.judgement_cause,
        state=row.judgement_state,
        tests_done=row.judgement_tests_done,
        tests_planned=row.judgement_tests_planned,
        tests_passed=row.judgement_tests_passed,
        verdict=None if row.judgement_verdict is None else Verdict(row.judgement_verdict),
        reason=Reason(row.judgement_reason),
        score=Score(row.judgement_score_num, row.judgement_score_den) if has_score else None,
        cpu_ms=row.judgement_cpu_ms,
        memory_kb=row.judgement_memory_kb,
        compile_ok=row.judgement_compile_ok,
        compile_log=row.judgement_compile_log,
        toolchain=row.judgement_toolchain,
        started_at=row.judgement_started_at,
        finished_at=row.judgement_finished_at,
    )


def _stored_result(row: Any) -> StoredResult:
    return StoredResult(
        verdict=Verdict(row.verdict),
        reason=Reason(row.reason),
        message=row.message,
        error_class=row.error_class,
        error_line=row.error_line,
        cpu_ms=row.cpu_ms,
        wall_ms=row.wall_ms,
        memory_kb=row.memory_kb,
        returned=None if row.got_blob is None else row.got_blob.decode(),
        stdout=row.stdout_head,
        stderr=row.stderr_head,
        note=row.note,
    )
