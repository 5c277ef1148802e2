"""Publishing: a proved package becomes an immutable revision, and the problem points to it.

The proof (verified.json) names the digest of the package that was verified; without a proof that
matches nothing is published. What happens to earlier scores is decided by the tests' digest: equal
tests keep every judgement current and only the pointer moves; different tests need an explicit
choice of the caller, of which this release offers one: ``keep``.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from judge.db.engine import Database
from judge.db.queries.problems import (
    Problem,
    Revision,
    find_problem,
    find_revision_by_content,
    select_revision,
)
from judge.db.tables import (
    problem,
    problem_edge,
    problem_topic,
    revision,
    statement,
    test_case,
    test_group,
)
from judge.db.types import new_id, now
from judge.domain.problem import TestCase
from judge.domain.signatures import Signature, signature_to_json
from judge.domain.values import arguments_to_json, to_json
from judge.errors import Conflict
from judge.packages.files import to_zip
from judge.packages.package import Package
from judge.packages.proof import Proof, proves

KEEP_SCORES = "keep"


@dataclass(frozen=True)
class Published:
    """What a publication came to; ``is_new`` is false if this very package was published."""

    problem_id: str
    revision_id: str
    number: int
    is_new: bool


def publish(
    database: Database,
    package: Package,
    proof: Proof | None,
    scores: str = "",
    author_id: str | None = None,
) -> Published:
    """Publish a package.

    Args:
        database: where to.
        package: what to publish.
        proof: what its verification said.
        scores: ``keep`` to leave earlier scores as they are although the tests changed.
        author_id: the account that publishes, if there is one.

    Raises:
        Conflict: ``not-verified`` without a matching proof; ``needs-score-policy`` if the tests
            changed and ``scores`` does not say what becomes of earlier scores.
    """
    if proof is None or not proves(proof, package):
        raise Conflict("not-verified", problem=package.slug)
    blob = to_zip(package.files)
    with database.write() as connection:
        owner = find_problem(connection, package.slug) or _insert_problem(connection, package)
        known = find_revision_by_content(connection, owner.id, package.content_hash)
        if known is not None and known.id == owner.revision_id:
            return Published(owner.id, known.id, known.number, is_new=False)
        _check_scores(connection, owner, package, scores)
        target = known or _insert_revision(connection, owner, package, blob, author_id)
        _point_to(connection, owner, target, package)
        return Published(owner.id, target.id, target.number, is_new=True)


def _check_scores(connection: Connection, owner: Problem, package: Package, scores: str) -> None:
    if owner.revision_id is None or scores == KEEP_SCORES:
        return
    if select_revision(connection, owner.revision_id).tests_hash != package.tests_hash:
        raise Conflict("needs-score-policy", problem=package.slug)


def _insert_problem(connection: Connection, package: Package) -> Problem:
    last = connection.scalar(select(func.max(problem.c.position)))
    connection.execute(
        insert(problem).values(
            id=new_id(),
            slug=package.slug,
            state="draft",
            visibility=package.judge_yaml.visibility,
            points=package.problem.points,
            position=(last or 0) + 1,
            created_at=now(),
        )
    )
    found = find_problem(connection, package.slug)
    assert found is not None  # noqa: S101 - inserted above, in the same transaction
    return found


def _insert_revision(
    connection: Connection, owner: Problem, package: Package, blob: bytes, author_id: str | None
) -> Revision:
    last = connection.scalar(
        select(func.max(revision.c.number)).where(revision.c.problem_id == owner.id)
    )
    revision_id = new_id()
    connection.execute(
        insert(revision).values(
            id=revision_id,
            problem_id=owner.id,
            number=(last or 0) + 1,
            tests_hash=package.tests_hash,
            content_hash=package.content_hash,
            signature=signature_to_json(package.problem.signature),
            limits=asdict(package.problem.limits) | {"time_factors": package.problem.time_factors},
            checker=asdict(package.problem.checker),
            reveal=package.judge_yaml.reveal.model_dump(mode="json"),
            languages=list(package.problem.languages),
            constants=dict(package.problem_yaml.constants),
            package_blob=blob,
            author_id=author_id,
            note="",
            created_at=now(),
            verify_state="proved",
        )
    )
    connection.execute(insert(statement), _statements(revision_id, package))
    connection.execute(insert(test_group), _groups(revision_id, package))
    connection.execute(
        insert(test_case),
        [_case(revision_id, package.problem.signature, case) for case in package.problem.cases],
    )
    return select_revision(connection, revision_id)


def _point_to(connection: Connection, owner: Problem, target: Revision, package: Package) -> None:
    connection.execute(
        update(problem)
        .where(problem.c.id == owner.id)
        .values(
            published_revision_id=target.id,
            state="published",
            visibility=package.judge_yaml.visibility,
        )
    )
    for table, column, words in (
        (problem_topic, "topic", package.judge_yaml.topics),
        (problem_edge, "requires_slug", package.judge_yaml.prerequisites),
    ):
        connection.execute(delete(table).where(table.c.problem_id == owner.id))
        for position, word in enumerate(dict.fromkeys(words)):
            connection.execute(
                insert(table).values(
                    {"problem_id": owner.id, column: str(word), "position": position}
                )
            )


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
