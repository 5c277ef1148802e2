"""Sorting feedback: its status, who looks after it, and what it repeats."""

from dataclasses import dataclass

from sqlalchemy import Connection, update

from judge.actions.answer_feedback import is_of_staff
from judge.actions.audit import raise_notice
from judge.db.engine import Database
from judge.db.queries.accounts import find_account
from judge.db.queries.classes import is_taught, select_ties
from judge.db.queries.feedback import Thread, list_messages, lock_thread, select_thread
from judge.db.queries.problems import select_problem
from judge.db.tables import feedback
from judge.db.types import now
from judge.domain.access import Caller, may_handle_feedback
from judge.domain.feedback import FeedbackState
from judge.errors import Conflict, Forbidden, Invalid, NotFound, flaw

STATUS_NOTICE = "feedback-status"
NO_ORIGINAL = flaw("/duplicate_of", "feedback-original")
_ORIGINAL_MISSING = flaw("/duplicate_of", "feedback-original-missing")
_NOT_DUPLICATE = flaw("/status", "feedback-not-duplicate")
_NOBODY = flaw("/assignee", "feedback-assignee")


@dataclass(frozen=True)
class Sorting:
    """What is to be changed; ``names`` are the fields that were sent, the others stay.

    ``assignee`` is a handle, None for nobody. ``duplicate_of`` makes the thread a duplicate.
    """

    names: frozenset[str]
    status: FeedbackState | None = None
    assignee: str | None = None
    duplicate_of: str | None = None


@dataclass(frozen=True)
class Seen:
    """The thread as its reader saw it; a change in between is refused."""

    thread: Thread
    messages: int


def sort_feedback(
    database: Database, caller: Caller, thread_id: str, sorting: Sorting, seen: Seen
) -> None:
    """Change a thread; its author is told of another status.

    Raises:
        NotFound: there is no such thread, or the caller may not know of it.
        Forbidden: ``feedback-by-staff``: the caller reads it, but does not handle it.
        Conflict: ``feedback-changed``: it is not as it was seen.
        Invalid: nobody who handles the thread has this handle; no thread of the same problem that
            is none itself can be repeated; a duplicate needs to say of what.
    """
    with database.write() as connection:
        thread = lock_thread(connection, caller, thread_id)
        check_handled(thread)
        messages = list_messages(connection, thread_id, with_internal=True)
        if seen != Seen(thread, len(messages)):
            raise Conflict("feedback-changed")
        values = _values(connection, caller, thread, sorting)
        if not values:
            return
        is_told = "status" in values
        if is_told:
            values["updated_at"] = now()
        connection.execute(update(feedback).where(feedback.c.id == thread_id).values(**values))
        if is_told and thread.account_id is not None and is_of_staff(thread, caller):
            raise_notice(connection, thread.account_id, STATUS_NOTICE, thread_id)


def check_handled(thread: Thread) -> None:
    """Only who handles a thread sorts it.

    Raises:
        Forbidden: ``feedback-by-staff``.
    """
    if not thread.is_handled:
        raise Forbidden("feedback-by-staff")


def _values(
    connection: Connection, caller: Caller, thread: Thread, sorting: Sorting
) -> dict[str, object]:
    """The columns that become different."""
    wanted: dict[str, object] = {}
    if "assignee" in sorting.names:
        wanted["assignee_id"] = _assignee(connection, thread, sorting.assignee)
    state = thread.state
    if "status" in sorting.names and sorting.status is not None:
        state = sorting.status
    duplicate_of = thread.duplicate_of
    if "duplicate_of" in sorting.names and sorting.duplicate_of is not None:
        duplicate_of = _original(connection, caller, thread, sorting.duplicate_of)
        if "status" not in sorting.names:
            state = FeedbackState.DUPLICATE
    if state is FeedbackState.DUPLICATE:
        if duplicate_of is None:
            raise Invalid("invalid-feedback", _ORIGINAL_MISSING)
    elif "duplicate_of" in sorting.names and sorting.duplicate_of is not None:
        raise Invalid("invalid-feedback", _NOT_DUPLICATE)
    else:
        duplicate_of = None
    wanted |= {"status": state.value, "duplicate_of": duplicate_of}
    present = {
        "assignee_id": thread.assignee_id,
        "status": thread.state.value,
        "duplicate_of": thread.duplicate_of,
    }
    return {name: value for name, value in wanted.items() if value != present[name]}


def _assignee(connection: Connection, thread: Thread, handle: str | None) -> str | None:
    """The id of the account, which must be able to do the work."""
    if handle is None:
        return None
    found = find_account(connection, handle)
    if found is not None and found.state == "active":
        ties = select_ties(connection, found.id, found.role)
        candidate = Caller(found.id, found.handle, found.role, ties=ties)
        owner_id = select_problem(connection, thread.problem_id).owner_id
        taught = thread.account_id is not None and is_taught(
            connection, ties, thread.account_id, thread.problem_id
        )
        if may_handle_feedback(candidate, owner_id, is_taught=taught):
            return found.id
    raise Invalid("invalid-feedback", _NOBODY)


def _original(connection: Connection, caller: Caller, thread: Thread, original_id: str) -> str:
    """The thread that is repeated: another one, of the same problem, and no duplicate itself."""
    try:
        original = select_thread(connection, caller, original_id)
    except NotFound:
        raise Invalid("invalid-feedback", NO_ORIGINAL) from None
    is_fit = (
        original.id != thread.id
        and original.problem_id == thread.problem_id
        and original.is_handled
        and original.state is not FeedbackState.DUPLICATE
    )
    if not is_fit:
        raise Invalid("invalid-feedback", NO_ORIGINAL)
    return original.id
