"""What a worker reads before it grades, and what recording a judgement needs to know."""

from dataclasses import dataclass

from sqlalchemy import Connection, select

from judge.db.tables import judgement, revision, submission, test_case, test_group
from judge.errors import NotFound


@dataclass(frozen=True)
class Work:
    """One judgement to be made; ``source`` is empty if it was erased meanwhile."""

    judgement_id: str
    submission_id: str
    revision_id: str
    language: str
    source: str


@dataclass(frozen=True)
class RecordTarget:
    """Where a judgement's results go.

    ``case_ids`` maps a planned case's path to its row's id; ``for_full_score`` holds the paths of
    the cases that must all be accepted before the score can be full.
    """

    judgement_id: str
    submission_id: str
    account_id: str
    problem_id: str
    returns: str
    case_ids: dict[str, str]
    for_full_score: frozenset[str]


def select_work(connection: Connection, judgement_id: str) -> Work:
    """What a job of kind ``submission`` or ``rejudge_item`` refers to.

    Raises:
        NotFound: there is no such judgement.
    """
    row = connection.execute(
        select(
            judgement.c.id,
            judgement.c.submission_id,
            judgement.c.revision_id,
            submission.c.language,
            submission.c.source,
        )
        .join(submission)
        .where(judgement.c.id == judgement_id)
    ).one_or_none()
    if row is None:
        raise NotFound("judgement-not-found")
    return Work(row.id, row.submission_id, row.revision_id, row.language, row.source or "")


def is_cancelled(connection: Connection, judgement_id: str) -> bool:
    """Whether a judgement was cancelled before it had a result."""
    query = select(judgement.c.state).where(judgement.c.id == judgement_id)
    return connection.scalar(query) == "cancelled"


def select_package(connection: Connection, revision_id: str) -> bytes:
    """The canonical zip of a revision's package.

    Raises:
        NotFound: there is no such revision.
    """
    blob = connection.scalar(select(revision.c.package_blob).where(revision.c.id == revision_id))
    if blob is None:
        raise NotFound("revision-not-found")
    return bytes(blob)


def select_record_target(connection: Connection, judgement_id: str) -> RecordTarget:
    """Everything that a result's rows refer to.

    Raises:
        NotFound: there is no such judgement.
    """
    row = connection.execute(
        select(
            judgement.c.submission_id,
            judgement.c.revision_id,
            submission.c.account_id,
            submission.c.problem_id,
            revision.c.signature,
        )
        .join(submission, submission.c.id == judgement.c.submission_id)
        .join(revision, revision.c.id == judgement.c.revision_id)
        .where(judgement.c.id == judgement_id)
    ).one_or_none()
    if row is None:
        raise NotFound("judgement-not-found")
    cases = connection.execute(
        select(test_case.c.path, test_case.c.id, test_case.c.group_name).where(
            test_case.c.revision_id == row.revision_id
        )
    ).all()
    counting = _counting_groups(connection, row.revision_id)
    return RecordTarget(
        judgement_id=judgement_id,
        submission_id=row.submission_id,
        account_id=row.account_id,
        problem_id=row.problem_id,
        returns=row.signature["returns"],
        case_ids={case.path: case.id for case in cases},
        for_full_score=frozenset(case.path for case in cases if case.group_name in counting),
    )


def _counting_groups(connection: Connection, revision_id: str) -> frozenset[str]:
    """Groups with points, and those that they require; a group of samples may be neither."""
    rows = connection.execute(
        select(test_group.c.name, test_group.c.require_pass).where(
            test_group.c.revision_id == revision_id, test_group.c.max_score > 0
        )
    )
    return frozenset(name for row in rows for name in (row.name, *row.require_pass))
