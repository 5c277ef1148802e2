"""Events: what a reader of a submission may follow and replay.

An event's data is shown to the submission's owner as it stands: it holds states and counts, never
anything about a case.
"""

from sqlalchemy import Connection, insert

from judge.db.tables import event
from judge.db.types import now


def add_event(
    connection: Connection, submission_id: str, kind: str, data: dict[str, str | int | None]
) -> None:
    """Append an event inside the caller's transaction."""
    connection.execute(
        insert(event).values(submission_id=submission_id, kind=kind, at=now(), data=data)
    )
