"""Storing packages as immutable revisions, keyed by the digest of their content.

Owns the rows of a problem and its revisions. Publishing (judge.actions.publish) is another step:
what is stored here is seen by staff only until a problem points to it.
"""

from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from judge.db.queries.problems import (
    Problem,
    Revision,
    find_problem,
    find_revision_by_content,
    lock_problem,
    select_problem,
    select_revision,
)
from judge.db.tables import problem, revision, statement, test_case, test_group
from judge.db.types import new_id, now
from judge.domain.access import Caller, may_manage_problem, visibility_for
from judge.errors import Conflict
from judge.packages.content import Content

PENDING, PROVED, FAILED = "pending", "proved", "failed"


def store_revision(
    connection: Connection, content: Content, author: Caller | None, verify_state: str
) -> tuple[Problem, Revision]:
    """The problem and the revision of exactly this package, made where they do not exist.

    The problem's row is locked on PostgreSQL. The author of its first revision owns a problem;
    without an author it is nobody's. A known revision that is proved now learns that, and one that
    was proved before stays so.

    Raises:
        Conflict: ``slug-taken``: the problem is not the author's to change.
    """
    found = find_problem(connection, content.slug)
    if found is None:
        problem_id = _insert_problem(connection, content, author)
    elif author is not None and not may_manage_problem(author, found.owner_id):
        raise Conflict("slug-taken", slug=content.slug)
    else:
        problem_id = lock_problem(connection, found.id).id
    known = find_revision_by_content(connection, problem_id, content.content_hash)
    if known is None:
        author_id = None if author is None else author.account_id
        revision_id = _insert_revision(connection, problem_id, content, author_id, verify_state)
    else:
        revision_id = known.id
        if verify_state == PROVED != known.verify_state:
            connection.execute(
                update(revision).where(revision.c.id == known.id).values(_proved(known, content))
            )
    return select_problem(connection, problem_id), select_revision(connection, revision_id)


def _proved(known: Revision, content: Content) -> dict[str, Any]:
    """What a revision learns that is proved now: its blob stays, so a calibration is kept here."""
    calibration = dict(content.calibration)
    if not calibration:
        return {"verify_state": PROVED}
    report = (known.verify_report or {}) | {"calibration": calibration}
    return {"verify_state": PROVED, "verify_report": report}


def _insert_problem(connection: Connection, content: Content, author: Caller | None) -> str:
    last = connection.scalar(select(func.max(problem.c.position)))
    problem_id = new_id()
    connection.execute(
        insert(problem).values(
            id=problem_id,
            slug=content.slug,
            state="draft",
            visibility=visibility_for(content.visibility, author),
            points=content.points,
            position=(last or 0) + 1,
            created_at=now(),
        )
    )
    return problem_id


def _insert_revision(
    connection: Connection,
    problem_id: str,
    content: Content,
    author_id: str | None,
    verify_state: str,
) -> str:
    last = connection.scalar(
        select(func.max(revision.c.number)).where(revision.c.problem_id == problem_id)
    )
    revision_id = new_id()
    connection.execute(
        insert(revision).values(
            id=revision_id,
            problem_id=problem_id,
            number=(last or 0) + 1,
            tests_hash=content.tests_hash,
            content_hash=content.content_hash,
            **content.facts,
            package_blob=content.blob,
            author_id=author_id,
            note="",
            created_at=now(),
            verify_state=verify_state,
        )
    )
    of_revision = {"revision_id": revision_id}
    connection.execute(insert(statement), [{**of_revision, **row} for row in content.statements])
    connection.execute(insert(test_group), [{**of_revision, **row} for row in content.groups])
    connection.execute(
        insert(test_case),
        [
            {
                "id": new_id(),
                **of_revision,
                **case.facts,
                "args_blob": case.arguments,
                "expected_blob": case.expected,
            }
            for case in content.cases
        ],
    )
    return revision_id
