"""Threads of feedback and their messages, as far as a caller may see them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    exists,
    false,
    func,
    or_,
    select,
    true,
    tuple_,
)

from judge.db.queries.classes import ACTIVE, LEARNER, has_opened
from judge.db.tables import (
    account,
    assignment,
    feedback,
    feedback_message,
    membership,
    problem,
    revision,
)
from judge.db.types import now
from judge.domain.access import Caller, Role, may_handle_feedback, may_read_feedback
from judge.domain.feedback import FeedbackKind, FeedbackState
from judge.errors import NotFound

EXCERPT_CHARS = 160


@dataclass(frozen=True)
class Thread:
    """One thread; ``is_handled`` says that the caller it was read for is staff here.

    ``account_id`` and ``handle`` are None once its author was erased; ``language`` is empty where
    none was named. ``excerpt`` is the beginning of the first message.
    """

    id: str
    account_id: str | None
    handle: str | None
    problem_id: str
    slug: str
    revision_id: str
    revision_number: int
    submission_id: str | None
    language: str
    locale: str
    kind: FeedbackKind
    state: FeedbackState
    assignee_id: str | None
    assignee: str | None
    duplicate_of: str | None
    created_at: datetime
    updated_at: datetime
    excerpt: str
    is_handled: bool


@dataclass(frozen=True)
class Message:
    """One message; an internal one is for staff alone."""

    id: str
    handle: str | None
    body: str
    is_internal: bool
    by_staff: bool
    at: datetime


@dataclass(frozen=True)
class Wanted:
    """Which threads a list shows; None selects nothing away."""

    state: str | None = None
    slug: str | None = None


def select_thread(connection: Connection, caller: Caller, thread_id: str) -> Thread:
    """The thread with this id.

    Raises:
        NotFound: there is none, or the caller may not know of it.
    """
    row = connection.execute(_threads(caller).where(feedback.c.id == thread_id)).one_or_none()
    if row is None or not may_read_feedback(
        caller, row.account_id, row.owner_id, is_taught=row.is_taught
    ):
        raise NotFound("feedback-not-found")
    return _thread(row, caller)


def lock_thread(connection: Connection, caller: Caller, thread_id: str) -> Thread:
    """The thread as it is now; nobody else writes into it before the transaction ends.

    Raises:
        NotFound: there is none, or the caller may not know of it.
    """
    connection.execute(select(feedback.c.id).where(feedback.c.id == thread_id).with_for_update())
    return select_thread(connection, caller, thread_id)


def list_threads(
    connection: Connection,
    caller: Caller,
    wanted: Wanted,
    after: tuple[datetime, str] | None,
    limit: int,
) -> tuple[Thread, ...]:
    """The threads that exist for a caller, newest first, those behind ``after`` first."""
    query = (
        _threads(caller)
        .where(_is_readable(caller), _fits(wanted))
        .order_by(feedback.c.created_at.desc(), feedback.c.id.desc())
        .limit(limit)
    )
    if after is not None:
        query = query.where(tuple_(feedback.c.created_at, feedback.c.id) < after)
    return tuple(_thread(row, caller) for row in connection.execute(query))


def count_threads(connection: Connection, caller: Caller, wanted: Wanted) -> dict[str, int]:
    """How many threads of each state exist for a caller; a state without any is 0."""
    query = (
        _join(select(feedback.c.status, func.count().label("total")))
        .where(_is_readable(caller), _fits(wanted))
        .group_by(feedback.c.status)
    )
    counted = {row.status: row.total for row in connection.execute(query)}
    return {state.value: counted.get(state.value, 0) for state in FeedbackState}


def list_messages(
    connection: Connection, thread_id: str, *, with_internal: bool
) -> tuple[Message, ...]:
    """The messages of a thread, oldest first; staff's notes only if they are asked for."""
    query = (
        select(*feedback_message.c, account.c.handle)
        .outerjoin(account, account.c.id == feedback_message.c.author_id)
        .where(feedback_message.c.feedback_id == thread_id)
        .order_by(feedback_message.c.id)
    )
    if not with_internal:
        query = query.where(feedback_message.c.is_internal.is_(False))
    return tuple(
        Message(row.id, row.handle, row.body, row.is_internal, row.by_staff, row.at)
        for row in connection.execute(query)
    )


def count_messages(connection: Connection, thread_id: str, *, by_staff: bool) -> int:
    """How many messages one side has written into a thread, notes included."""
    query = select(func.count()).where(
        feedback_message.c.feedback_id == thread_id, feedback_message.c.by_staff.is_(by_staff)
    )
    return connection.scalar(query) or 0


def list_recent_threads(
    connection: Connection, account_id: str, since: datetime, limit: int
) -> tuple[datetime, ...]:
    """When an account opened its latest threads, newest first."""
    query = (
        select(feedback.c.created_at)
        .where(feedback.c.account_id == account_id, feedback.c.created_at > since)
        .order_by(feedback.c.created_at.desc())
        .limit(limit)
    )
    return tuple(connection.scalars(query))


_FIRST = revision.alias("first")
_AUTHOR = account.alias("author")
_ASSIGNEE = account.alias("assignee")


def _threads(caller: Caller) -> Select[Any]:
    excerpt = (
        select(func.substr(feedback_message.c.body, 1, EXCERPT_CHARS))
        .where(feedback_message.c.feedback_id == feedback.c.id)
        .order_by(feedback_message.c.id)
        .limit(1)
        .scalar_subquery()
    )
    return _join(
        select(
            *feedback.c,
            problem.c.slug,
            revision.c.number.label("revision_number"),
            _FIRST.c.author_id.label("owner_id"),
            _AUTHOR.c.handle,
            _ASSIGNEE.c.handle.label("assignee"),
            excerpt.label("excerpt"),
            _is_taught(caller).label("is_taught"),
        )
    )


def _join(query: Select[Any]) -> Select[Any]:
    is_first = (_FIRST.c.problem_id == feedback.c.problem_id) & (_FIRST.c.number == 1)
    return (
        query.select_from(feedback)
        .join(problem, problem.c.id == feedback.c.problem_id)
        .join(revision, revision.c.id == feedback.c.revision_id)
        .join(_FIRST, is_first)
        .outerjoin(_AUTHOR, _AUTHOR.c.id == feedback.c.account_id)
        .outerjoin(_ASSIGNEE, _ASSIGNEE.c.id == feedback.c.assignee_id)
    )


def _is_taught(caller: Caller) -> ColumnElement[bool]:
    """judge.db.queries.classes.is_taught for each row."""
    if not caller.ties.taught:
        return false()
    return exists().where(
        membership.c.account_id == feedback.c.account_id,
        membership.c.role == LEARNER,
        membership.c.state == ACTIVE,
        membership.c.class_id.in_(caller.ties.taught),
        assignment.c.class_id == membership.c.class_id,
        assignment.c.problem_id == feedback.c.problem_id,
        has_opened(now()),
    )


def _is_readable(caller: Caller) -> ColumnElement[bool]:
    """judge.domain.access.may_read_feedback in SQL; a test holds the two together."""
    if caller.role is Role.ADMIN:
        return true()
    is_own = feedback.c.account_id == caller.account_id
    if caller.role is not Role.TEACHER:
        return is_own
    return or_(is_own, _FIRST.c.author_id == caller.account_id, _is_taught(caller))


def _fits(wanted: Wanted) -> ColumnElement[bool]:
    fits: ColumnElement[bool] = true()
    if wanted.state is not None:
        fits = fits & (feedback.c.status == wanted.state)
    if wanted.slug is not None:
        fits = fits & (problem.c.slug == wanted.slug)
    return fits


def _thread(row: Any, caller: Caller) -> Thread:
    return Thread(
        id=row.id,
        account_id=row.account_id,
        handle=row.handle,
        problem_id=row.problem_id,
        slug=row.slug,
        revision_id=row.revision_id,
        revision_number=row.revision_number,
        submission_id=row.submission_id,
        language=row.language,
        locale=row.locale,
        kind=FeedbackKind(row.kind),
        state=FeedbackState(row.status),
        assignee_id=row.assignee_id,
        assignee=row.assignee,
        duplicate_of=row.duplicate_of,
        created_at=row.created_at,
        updated_at=row.updated_at,
        excerpt=row.excerpt or "",
        is_handled=may_handle_feedback(caller, row.owner_id, is_taught=row.is_taught),
    )
