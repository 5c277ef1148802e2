"""Publishing: a proved package becomes an immutable revision, and the problem points to it.

The proof (verified.json) names the digest of the package that was verified; without a proof that
matches nothing is published. What happens to earlier scores is decided by the tests' digest: equal
tests keep every judgement current and only the pointer moves; different tests need an explicit
choice of the caller:

* ``keep``: earlier judgements stay current, on the revision they were made on;
* ``rejudge_best``: each account's best submission is judged anew;
* ``rejudge_all``: every submission is.

A rejudge is begun in the transaction that moves the pointer, and applies itself when everything of
it is judged. An earlier revision is published again in the same way.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, delete, insert, update
from sqlalchemy.exc import IntegrityError

from judge.actions.audit import add_audit
from judge.actions.rejudge import Started, start_within
from judge.actions.revisions import FAILED, PROVED, store_revision
from judge.actions.verification import is_open
from judge.db.engine import Database
from judge.db.queries.judging import select_package
from judge.db.queries.problems import (
    Problem,
    Revision,
    lock_problem,
    select_problem,
    select_revision,
)
from judge.db.tables import problem, problem_edge, problem_topic
from judge.db.types import now
from judge.domain.access import Caller, may_change_shown, may_manage_problem, visibility_for
from judge.domain.rejudging import Selector
from judge.errors import Conflict, Forbidden, NotFound
from judge.packages.content import Content, content_of, read_content
from judge.packages.package import Package
from judge.packages.proof import Proof, proves


class ScorePolicy(StrEnum):
    """What becomes of earlier scores when the tests change."""

    KEEP = "keep"
    REJUDGE_BEST = "rejudge_best"
    REJUDGE_ALL = "rejudge_all"


KEEP_SCORES = ScorePolicy.KEEP.value


@dataclass(frozen=True)
class Scores:
    """The choice about earlier scores; without a policy none was made.

    ``allow_decrease`` lets a rejudge lower results as well.
    """

    policy: ScorePolicy | None = None
    allow_decrease: bool = False


@dataclass(frozen=True)
class Published:
    """What a publication came to.

    ``is_new`` is false if this very package was published; ``visibility`` is what the problem has
    now and ``wished`` what judge.yaml asks for; ``rejudge`` is what was begun, if anything, and its
    lanes are to be rung.
    """

    problem_id: str
    revision_id: str
    number: int
    is_new: bool
    visibility: str
    wished: str
    rejudge: Started | None = None


def publish(
    database: Database,
    package: Package,
    proof: Proof | None,
    scores: Scores | str = "",
    publisher: Caller | None = None,
) -> Published:
    """Publish a package.

    Args:
        database: where to.
        package: what to publish.
        proof: what its verification said.
        scores: what becomes of earlier scores if the tests changed; a policy's name will do.
        publisher: who publishes; None for whoever runs the judge.

    Raises:
        Conflict: ``not-verified`` without a matching proof; ``needs-score-policy`` if the tests
            changed and ``scores`` does not say what becomes of earlier scores; ``rejudge-open``
            if a rejudge is to begin while another one of the problem is open; ``slug-taken`` if
            the problem is somebody else's; ``embargoed`` before the package's embargo has ended;
            ``unwritten-texts`` while a text is a placeholder, unless it is published as a draft.
        Forbidden: ``published-to-all``: an admin published it to more than a class.
    """
    if proof is None or not proves(proof, package):
        raise Conflict("not-verified", variant="no-proof", problem=package.slug)
    content = content_of(package)
    chosen = (
        scores if isinstance(scores, Scores) else Scores(ScorePolicy(scores) if scores else None)
    )
    try:
        return _store_and_publish(database, content, chosen, publisher)
    except IntegrityError:
        # Somebody made the same problem at the same moment (PostgreSQL): now it is there.
        return _store_and_publish(database, content, chosen, publisher)


def publish_revision(
    database: Database,
    revision_id: str,
    scores: Scores,
    publisher: Caller | None = None,
    read: Callable[[bytes], Content] = read_content,
) -> Published:
    """Publish a stored revision, also one that was published before.

    ``read`` gives what an archive holds; whoever must not be held up by it reads it elsewhere.

    Raises:
        NotFound: there is none, or the problem is not the publisher's to change.
        Conflict: as ``publish``; ``not-verified`` if its verification did not prove it.
        Forbidden: as ``publish``.
    """
    with database.read() as connection:
        problem_id = select_revision(connection, revision_id).problem_id
        _check_publishable(
            connection, select_problem(connection, problem_id), revision_id, publisher
        )
        blob = select_package(connection, revision_id)
    content = read(blob)
    with database.write() as connection:
        owner = lock_problem(connection, problem_id)
        target = _check_publishable(connection, owner, revision_id, publisher)
        return _publish(connection, owner, target, (content, scores, publisher))


def _check_publishable(
    connection: Connection, owner: Problem, revision_id: str, publisher: Caller | None
) -> Revision:
    """The revision, if it is proved and the publisher's to publish."""
    if publisher is not None and not may_manage_problem(publisher, owner.owner_id):
        raise NotFound("revision-not-found")
    target = select_revision(connection, revision_id)
    _check_proved(connection, owner, target)
    return target


def _check_proved(connection: Connection, owner: Problem, target: Revision) -> None:
    """Refuse what is not proved, and say how far its verification is."""
    if target.verify_state == PROVED:
        return
    if is_open(connection, target.id):
        raise Conflict("not-verified", variant="running", problem=owner.slug)
    if target.verify_state == FAILED:
        raise Conflict("not-verified", variant="failed", problem=owner.slug)
    raise Conflict("not-verified", variant="never", problem=owner.slug)


def _store_and_publish(
    database: Database, content: Content, scores: Scores, publisher: Caller | None
) -> Published:
    with database.write() as connection:
        owner, target = store_revision(connection, content, publisher, PROVED)
        return _publish(connection, owner, target, (content, scores, publisher))


def _publish(
    connection: Connection,
    owner: Problem,
    target: Revision,
    order: tuple[Content, Scores, Caller | None],
) -> Published:
    content, scores, publisher = order
    if target.id == owner.revision_id:
        return Published(
            owner.id,
            target.id,
            target.number,
            is_new=False,
            visibility=_show_to(connection, owner, content, publisher),
            wished=content.visibility,
        )
    if publisher is not None and not may_change_shown(publisher, owner.visibility):
        raise Forbidden("published-to-all")
    embargo_ends_at = content.embargo()
    if embargo_ends_at is not None and embargo_ends_at > now():
        raise Conflict("embargoed", problem=owner.slug, until=embargo_ends_at.isoformat())
    _check_written(owner, content, publisher)
    selector = _selector(connection, owner, target, scores)
    visibility = _point_to(connection, owner, target, content, publisher)
    started = None
    if selector is not None:
        started = start_within(
            connection, publisher, target, selector, allow_decrease=scores.allow_decrease
        )
    _audit(connection, owner, target, scores, publisher)
    return Published(
        owner.id,
        target.id,
        target.number,
        is_new=True,
        visibility=visibility,
        wished=content.visibility,
        rejudge=started,
    )


def _show_to(
    connection: Connection, owner: Problem, content: Content, publisher: Caller | None
) -> str:
    """Let what is published already be seen by whom its package names, as far as one may."""
    visibility = visibility_for(content.visibility, publisher)
    is_allowed = publisher is None or may_change_shown(publisher, owner.visibility)
    if visibility == owner.visibility or not is_allowed:
        return owner.visibility
    _check_written(owner, content, publisher)
    connection.execute(
        update(problem).where(problem.c.id == owner.id).values(visibility=visibility)
    )
    before, after = {"visibility": owner.visibility}, {"visibility": visibility}
    add_audit(connection, publisher, "problem.show", f"problem:{owner.slug}", before, after)
    return visibility


def _check_written(owner: Problem, content: Content, publisher: Caller | None) -> None:
    """Refuse placeholders in what is not published as a draft."""
    if content.unwritten and visibility_for(content.visibility, publisher) != "draft":
        raise Conflict("unwritten-texts", problem=owner.slug, files=content.unwritten)


def _selector(
    connection: Connection, owner: Problem, target: Revision, scores: Scores
) -> Selector | None:
    """What is judged anew; None if every judgement stays."""
    if owner.revision_id is None:
        return None
    if select_revision(connection, owner.revision_id).tests_hash == target.tests_hash:
        return None
    if scores.policy is None:
        raise Conflict("needs-score-policy", problem=owner.slug, policies=tuple(ScorePolicy))
    if scores.policy is ScorePolicy.KEEP:
        return None
    return Selector(best_only=scores.policy is ScorePolicy.REJUDGE_BEST)


def _audit(
    connection: Connection,
    owner: Problem,
    target: Revision,
    scores: Scores,
    publisher: Caller | None,
) -> None:
    earlier = None
    if owner.revision_id is not None:
        earlier = select_revision(connection, owner.revision_id).number
    add_audit(
        connection,
        publisher,
        "problem.publish",
        f"problem:{owner.slug}",
        {"revision": earlier, "state": owner.state},
        {
            "revision": target.number,
            "scores": None if scores.policy is None else scores.policy.value,
            "allow_decrease": scores.allow_decrease,
        },
    )


def _point_to(
    connection: Connection,
    owner: Problem,
    target: Revision,
    content: Content,
    publisher: Caller | None,
) -> str:
    """Let the problem be this revision; the visibility that it has now."""
    visibility = visibility_for(content.visibility, publisher)
    connection.execute(
        update(problem)
        .where(problem.c.id == owner.id)
        .values(
            published_revision_id=target.id,
            state="published",
            visibility=visibility,
        )
    )
    for table, column, words in (
        (problem_topic, "topic", content.topics),
        (problem_edge, "requires_slug", content.prerequisites),
    ):
        connection.execute(delete(table).where(table.c.problem_id == owner.id))
        for position, word in enumerate(dict.fromkeys(words)):
            connection.execute(
                insert(table).values({"problem_id": owner.id, column: word, "position": position})
            )
    return visibility
