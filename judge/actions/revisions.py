"""Storing packages as immutable revisions, keyed by the digest of their content.

Owns the rows of a problem and its revisions. Publishing (judge.actions.publish) is another step:
what is stored here is seen by staff only until a problem points to it.
"""

import json
from dataclasses import asdict
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
from judge.domain.problem import TestCase
from judge.domain.signatures import Signature, signature_to_json
from judge.domain.values import arguments_to_json, to_json
from judge.errors import Conflict
from judge.packages.files import to_zip
from judge.packages.package import Package
from judge.packages.proof import calibrated

PENDING, PROVED, FAILED = "pending", "proved", "failed"


def store_revision(
    connection: Connection, package: Package, author: Caller | None, verify_state: str
) -> tuple[Problem, Revision]:
    """The problem and the revision of exactly this package, made where they do not exist.

    The problem's row is locked on PostgreSQL. The author of its first revision owns a problem;
    without an author it is nobody's. A known revision that is proved now learns that, and one that
    was proved before stays so.

    Raises:
        Conflict: ``slug-taken``: the problem is not the author's to change.
    """
    found = find_problem(connection, package.slug)
    if found is None:
        problem_id = _insert_problem(connection, package, author)
    elif author is not None and not may_manage_problem(author, found.owner_id):
        raise Conflict("slug-taken", slug=package.slug)
    else:
        problem_id = lock_problem(connection, found.id).id
    known = find_revision_by_content(connection, problem_id, package.content_hash)
    if known is None:
        author_id = None if author is None else author.account_id
        revision_id = _insert_revision(connection, problem_id, package, author_id, verify_state)
    else:
        revision_id = known.id
        if verify_state == PROVED != known.verify_state:
            connection.execute(
                update(revision).where(revision.c.id == known.id).values(_proved(known, package))
            )
    return select_problem(connection, problem_id), select_revision(connection, revision_id)


def _proved(known: Revision, package: Package) -> dict[str, Any]:
    """What a revision learns that is proved now: its blob stays, so a calibration is kept here."""
    calibration = calibrated(package).calibration
    if not calibration:
        return {"verify_state": PROVED}
    report = (known.verify_report or {}) | {"calibration": calibration}
    return {"verify_state": PROVED, "verify_report": report}


def _insert_problem(connection: Connection, package: Package, author: Caller | None) -> str:
    last = connection.scalar(select(func.max(problem.c.position)))
    problem_id = new_id()
    connection.execute(
        insert(problem).values(
            id=problem_id,
            slug=package.slug,
            state="draft",
            visibility=visibility_for(package.judge_yaml.visibility, author),
            points=package.problem.points,
            position=(last or 0) + 1,
            created_at=now(),
        )
    )
    return problem_id


def _insert_revision(
    connection: Connection,
    problem_id: str,
    package: Package,
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
            tests_hash=package.tests_hash,
            content_hash=package.content_hash,
            signature=signature_to_json(package.problem.signature),
            limits=asdict(package.problem.limits) | {"time_factors": package.problem.time_factors},
            checker=asdict(package.problem.checker),
            reveal=package.judge_yaml.reveal.model_dump(mode="json"),
            languages=list(package.problem.languages),
            constants=dict(package.problem_yaml.constants),
            package_blob=to_zip(package.files),
            author_id=author_id,
            note="",
            created_at=now(),
            verify_state=verify_state,
        )
    )
    connection.execute(insert(statement), _statements(revision_id, package))
    connection.execute(insert(test_group), _groups(revision_id, package))
    connection.execute(
        insert(test_case),
        [_case(revision_id, package.case_signature, case) for case in package.problem.cases],
    )
    return revision_id


def _statements(revision_id: str, package: Package) -> list[dict[str, Any]]:
    docs = {str(locale): texts for locale, texts in package.judge_yaml.signature.docs.items()}
    return [
        {
            "revision_id": revision_id,
            "locale": locale,
            "title": package.names.get(locale) or package.slug,
            "body_md": body,
            "parameter_docs": {name: str(text) for name, text in docs.get(locale, {}).items()},
            "hints": [hint[locale] for hint in package.hints if locale in hint],
            "solution_md": package.solutions.get(locale, ""),
        }
        for locale, body in package.statements.items()
    ]


def _groups(revision_id: str, package: Package) -> list[dict[str, Any]]:
    return [
        {
            "revision_id": revision_id,
            "name": group.name,
            "ordinal": ordinal,
            "title": dict(group.title),
            "max_score": group.max_score,
            "require_pass": list(group.require_pass),
        }
        for ordinal, group in enumerate(package.problem.groups)
    ]


def _case(revision_id: str, signature: Signature, case: TestCase) -> dict[str, Any]:
    return {
        "id": new_id(),
        "revision_id": revision_id,
        "ordinal": case.ordinal,
        "path": case.id,
        "group_name": case.group,
        "title": dict(case.title),
        "visibility": case.visibility.value,
        "args_blob": json.dumps(arguments_to_json(signature, case.arguments)).encode(),
        "expected_blob": json.dumps(to_json(signature.returns, case.expected)).encode(),
        "hint": dict(case.hint),
    }
