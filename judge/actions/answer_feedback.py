"""Writing into a thread of feedback: its author's words, staff's answers and notes.

An answer is told to the author by one notice a thread; a note leaves no trace that the author could
see, not even in the thread's times.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, insert, update

from judge.actions.audit import raise_notice
from judge.actions.idempotency import KeyClaim, keep_ref
from judge.db.engine import Database
from judge.db.queries.feedback import Thread, count_messages, lock_thread
from judge.db.tables import feedback, feedback_message
from judge.db.types import new_id, now
from judge.domain.access import Caller
from judge.domain.feedback import after_reply
from judge.errors import Conflict, Forbidden

REPLY_NOTICE = "feedback-reply"
# A short thread is read as a whole.
MOST_OF_AUTHOR = 50
MOST_OF_STAFF = 150


@dataclass(frozen=True)
class NewMessage:
    """What is to be written; an internal message is a note for staff."""

    thread_id: str
    body: str
    is_internal: bool = False


def answer_feedback(
    database: Database, caller: Caller, new: NewMessage, claim: KeyClaim | None = None
) -> None:
    """Add a message; ``claim`` is the Idempotency-Key that it is added for.

    Raises:
        NotFound: there is no such thread, or the caller may not know of it.
        Forbidden: ``feedback-notes-by-staff``: a note by who does not handle the thread.
        Conflict: ``feedback-full``: this side has written as much as a thread takes.
    """
    thread_id, is_internal = new.thread_id, new.is_internal
    with database.write() as connection:
        thread = lock_thread(connection, caller, thread_id)
        by_staff = is_of_staff(thread, caller)
        if is_internal and not thread.is_handled:
            raise Forbidden("feedback-notes-by-staff")
        most = MOST_OF_STAFF if by_staff or is_internal else MOST_OF_AUTHOR
        if count_messages(connection, thread_id, by_staff=by_staff) >= most:
            raise Conflict("feedback-full", most=most)
        keep_ref(connection, claim, thread_id)
        add_message(
            connection,
            thread_id,
            caller.account_id,
            new.body,
            by_staff=by_staff,
            is_internal=is_internal,
        )
        if is_internal:
            return
        state = after_reply(thread.state, by_staff=by_staff)
        connection.execute(
            update(feedback)
            .where(feedback.c.id == thread_id)
            .values(status=state.value, updated_at=now())
        )
        if by_staff and thread.account_id is not None:
            raise_notice(connection, thread.account_id, REPLY_NOTICE, thread_id)


def is_of_staff(thread: Thread, caller: Caller) -> bool:
    """Whether a caller speaks in a thread for the judge: nobody does so to oneself."""
    return thread.is_handled and thread.account_id != caller.account_id


def add_message(
    connection: Connection,
    thread_id: str,
    author_id: str,
    body: str,
    *,
    by_staff: bool,
    is_internal: bool = False,
) -> None:
    """Store one message inside the caller's transaction."""
    connection.execute(
        insert(feedback_message).values(
            id=new_id(),
            feedback_id=thread_id,
            author_id=author_id,
            body=body,
            is_internal=is_internal,
            by_staff=by_staff,
            at=now(),
        )
    )
