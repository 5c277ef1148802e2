"""Problems with their published revision, texts, groups and samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, false, func, or_, select, tuple_

from judge.db.tables import (
    problem,
    problem_edge,
    problem_topic,
    revision,
    statement,
    test_case,
    test_group,
)
from judge.domain.access import (
    CLASS,
    Caller,
    Sight,
    StoredCase,
    may_manage_problem,
    may_see_problem,
    sight_of,
)
from judge.domain.problem import LOCALES, Localized, Visibility
from judge.errors import Gone, NotFound


@dataclass(frozen=True)
class Problem:
    """A problem with the pointer to its published revision, if it has one.

    Its owner is the author of its first revision; it has none if it came with the judge or from
    the judge's command line.
    """

    id: str
    slug: str
    state: str
    visibility: str
    points: int
    position: int
    revision_id: str | None
    owner_id: str | None


@dataclass(frozen=True)
class Revision:
    """One immutable revision without its package; the JSON columns as published."""

    id: str
    problem_id: str
    number: int
    tests_hash: str
    content_hash: str
    signature: dict[str, Any]
    limits: dict[str, Any]
    checker: dict[str, Any]
    reveal: dict[str, Any]
    languages: tuple[str, ...]
    constants: dict[str, int | float | str]
    author_id: str | None
    note: str
    created_at: datetime
    verify_state: str
    verify_report: dict[str, Any] | None


@dataclass(frozen=True)
class VisibleProblem:
    """A problem that the viewer may see, with its published revision."""

    problem: Problem
    revision: Revision


@dataclass(frozen=True)
class Statement:
    """The texts of one revision in one locale; Markdown as the author wrote it."""

    locale: str
    title: str
    body_md: str
    parameter_docs: dict[str, str]
    hints: tuple[str, ...]
    solution_md: str


@dataclass(frozen=True)
class Group:
    """A scoring group as readers see it."""

    name: str
    title: Localized
    max_score: int
    require_pass: tuple[str, ...]


def find_problem(connection: Connection, slug: str) -> Problem | None:
    """The problem with this slug, whatever its state."""
    row = connection.execute(_problems().where(problem.c.slug == slug)).one_or_none()
    return None if row is None else _problem(row)


def lock_problem(connection: Connection, problem_id: str) -> Problem:
    """The problem as it is now; on PostgreSQL nobody else changes it before the transaction ends.

    NO KEY UPDATE, so that submissions of the problem need not wait.
    """
    query = select(problem.c.id).where(problem.c.id == problem_id)
    connection.execute(query.with_for_update(key_share=True))
    return _problem(connection.execute(_problems().where(problem.c.id == problem_id)).one())


def select_visible_problem(
    connection: Connection, slug: str, viewer: Caller | None
) -> VisibleProblem:
    """The problem and its published revision as a viewer meets it.

    Raises:
        NotFound: there is none, it has no revision yet, or the viewer may not know of it.
        Gone: it was retired, and the viewer is no staff.
    """
    found, sight = find_problem(connection, slug), sight_of(viewer)
    if (
        found is None
        or found.revision_id is None
        or not may_see_problem(sight, found.visibility, found.owner_id)
        or (found.state == "draft" and not sight.is_staff)
    ):
        raise NotFound("problem-not-found", slug=slug)
    if found.state == "retired" and not sight.is_staff:
        raise Gone("problem-retired", slug=slug)
    return VisibleProblem(found, select_revision(connection, found.revision_id))


def select_staff_problem(connection: Connection, slug: str, caller: Caller) -> Problem:
    """The problem in whatever state, for staff that may see it.

    Raises:
        NotFound: there is none, or the caller may not know of it.
    """
    found = find_problem(connection, slug)
    sight = sight_of(caller)
    is_visible = found is not None and may_see_problem(sight, found.visibility, found.owner_id)
    if found is None or not (sight.is_staff and is_visible):
        raise NotFound("problem-not-found", slug=slug)
    return found


def select_managed_problem(connection: Connection, slug: str, caller: Caller) -> Problem:
    """The problem in whatever state, for whoever may change it.

    Raises:
        NotFound: there is none, or the caller may not change it.
    """
    found = find_problem(connection, slug)
    if found is None or not may_manage_problem(caller, found.owner_id):
        raise NotFound("problem-not-found", slug=slug)
    return found


def select_managed_revision(connection: Connection, revision_id: str, caller: Caller) -> Revision:
    """The revision, for whoever may change its problem.

    Raises:
        NotFound: there is none, or the caller may not change the problem.
    """
    found = select_revision(connection, revision_id)
    if not may_manage_problem(caller, select_problem(connection, found.problem_id).owner_id):
        raise NotFound("revision-not-found")
    return found


def select_problem(connection: Connection, problem_id: str) -> Problem:
    """The problem with this id, which exists."""
    return _problem(connection.execute(_problems().where(problem.c.id == problem_id)).one())


def list_published(
    connection: Connection,
    sight: Sight,
    after: tuple[int | str, ...] | None = None,
    limit: int | None = None,
) -> tuple[Problem, ...]:
    """Published problems that a viewer finds, by position and slug, those behind ``after`` first.

    The condition is judge.domain.access.may_see_problem in SQL; a test holds the two together.
    """
    owner_id = _FIRST.c.author_id
    query = _problems().where(
        problem.c.state == "published",
        problem.c.published_revision_id.is_not(None),
        or_(
            problem.c.visibility.in_(sight.visibilities),
            owner_id.is_(None) & problem.c.visibility.in_(sight.unowned),
            owner_id == sight.account_id if sight.account_id is not None else false(),
            (problem.c.visibility == CLASS) & owner_id.in_(sight.teacher_ids),
        ),
    )
    if after is not None:
        query = query.where(tuple_(problem.c.position, problem.c.slug) > after)
    query = query.order_by(problem.c.position, problem.c.slug).limit(limit)
    return tuple(map(_problem, connection.execute(query)))


def list_titles(connection: Connection, revision_ids: Sequence[str]) -> dict[str, Localized]:
    """Titles by locale of each revision."""
    titles: dict[str, Localized] = {identifier: {} for identifier in revision_ids}
    query = select(statement.c.revision_id, statement.c.locale, statement.c.title).where(
        statement.c.revision_id.in_(revision_ids)
    )
    for row in connection.execute(query):
        titles[row.revision_id][row.locale] = row.title
    return titles


def list_slugs(connection: Connection) -> frozenset[str]:
    """The names of all problems, also of those that are not published."""
    return frozenset(connection.scalars(select(problem.c.slug)))


def list_topics(connection: Connection, problem_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Topics of each problem in the author's order."""
    return _words(
        connection,
        select(problem_topic.c.problem_id, problem_topic.c.topic.label("word"))
        .where(problem_topic.c.problem_id.in_(problem_ids))
        .order_by(problem_topic.c.position),
        problem_ids,
    )


def list_prerequisites(connection: Connection, problem_id: str) -> tuple[str, ...]:
    """Slugs of problems or concepts that come before this problem."""
    query = (
        select(problem_edge.c.requires_slug)
        .where(problem_edge.c.problem_id == problem_id)
        .order_by(problem_edge.c.position)
    )
    return tuple(connection.scalars(query))


def list_edges(connection: Connection, problem_ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Problem id and slug of a prerequisite, a problem's or a concept's, in the authors' order."""
    query = (
        select(problem_edge.c.problem_id, problem_edge.c.requires_slug)
        .where(problem_edge.c.problem_id.in_(problem_ids))
        .order_by(problem_edge.c.problem_id, problem_edge.c.position)
    )
    return tuple((row.problem_id, row.requires_slug) for row in connection.execute(query))


def list_languages(connection: Connection, revision_ids: Sequence[str]) -> dict[str, list[str]]:
    """The languages that each revision may be solved in."""
    query = select(revision.c.id, revision.c.languages).where(revision.c.id.in_(revision_ids))
    return {row.id: list(row.languages) for row in connection.execute(query)}


def select_revision(connection: Connection, revision_id: str) -> Revision:
    """The revision with this id.

    Raises:
        NotFound: there is none.
    """
    row = connection.execute(_revisions().where(revision.c.id == revision_id)).one_or_none()
    if row is None:
        raise NotFound("revision-not-found")
    return _revision(row)


def list_revisions(connection: Connection, problem_id: str) -> tuple[Revision, ...]:
    """All revisions of a problem, newest first."""
    query = _revisions().where(revision.c.problem_id == problem_id)
    return tuple(map(_revision, connection.execute(query.order_by(revision.c.number.desc()))))


def find_revision_by_content(
    connection: Connection, problem_id: str, content_hash: str
) -> Revision | None:
    """The revision of a problem that was made from exactly this package."""
    row = connection.execute(
        _revisions().where(
            revision.c.problem_id == problem_id, revision.c.content_hash == content_hash
        )
    ).one_or_none()
    return None if row is None else _revision(row)


def is_published(connection: Connection, content_hash: str) -> bool:
    """Whether some problem's published revision was made from exactly this package."""
    query = select(problem.c.id).join(
        revision,
        and_(
            revision.c.id == problem.c.published_revision_id,
            revision.c.content_hash == content_hash,
        ),
    )
    return connection.scalar(query) is not None


def select_statement(connection: Connection, revision_id: str, locale: str) -> Statement:
    """The texts in a locale, or in the next locale that the revision has.

    Raises:
        NotFound: the revision has no text at all.
    """
    rows = connection.execute(select(statement).where(statement.c.revision_id == revision_id))
    by_locale = {row.locale: row for row in rows}
    for wanted in (locale, "en", *LOCALES):
        if wanted in by_locale:
            row = by_locale[wanted]
            return Statement(
                row.locale,
                row.title,
                row.body_md,
                dict(row.parameter_docs),
                tuple(row.hints),
                row.solution_md,
            )
    raise NotFound("statement-not-found")


def list_groups(connection: Connection, revision_id: str) -> tuple[Group, ...]:
    """Scoring groups in grading order."""
    query = (
        select(test_group)
        .where(test_group.c.revision_id == revision_id)
        .order_by(test_group.c.ordinal)
    )
    return tuple(
        Group(row.name, row.title, row.max_score, tuple(row.require_pass))
        for row in connection.execute(query)
    )


def list_samples(connection: Connection, revision_id: str) -> tuple[StoredCase, ...]:
    """The cases that everybody may see, in order."""
    query = (
        select(test_case)
        .where(
            test_case.c.revision_id == revision_id,
            test_case.c.visibility == Visibility.SAMPLE.value,
        )
        .order_by(test_case.c.ordinal)
    )
    return tuple(map(stored_case, connection.execute(query)))


def count_cases(connection: Connection, revision_id: str) -> int:
    """How many cases a submission is planned to run; 0 for an unknown revision."""
    query = select(func.count()).where(test_case.c.revision_id == revision_id)
    return connection.scalar(query) or 0


def stored_case(row: Any) -> StoredCase:
    """A row of test_case as the access rules take it; data that was not read is empty."""
    return StoredCase(
        path=row.path,
        ordinal=row.ordinal,
        group=row.group_name,
        title=row.title,
        hint=row.hint,
        visibility=Visibility(row.visibility),
        arguments=row.args_blob or b"",
        expected=row.expected_blob or b"",
    )


# A problem's first revision: its author owns the problem.
_FIRST = revision.alias("first")


def _problems() -> Select[Any]:
    is_first = (_FIRST.c.problem_id == problem.c.id) & (_FIRST.c.number == 1)
    return select(*problem.c, _FIRST.c.author_id.label("owner_id")).select_from(
        problem.outerjoin(_FIRST, is_first)
    )


def _problem(row: Any) -> Problem:
    return Problem(
        id=row.id,
        slug=row.slug,
        state=row.state,
        visibility=row.visibility,
        points=row.points,
        position=row.position,
        revision_id=row.published_revision_id,
        owner_id=row.owner_id,
    )


def _revisions() -> Select[Any]:
    # Everything but package_blob, which may be megabytes.
    return select(*(column for column in revision.c if column.name != "package_blob"))


def _revision(row: Any) -> Revision:
    return Revision(
        id=row.id,
        problem_id=row.problem_id,
        number=row.number,
        tests_hash=row.tests_hash,
        content_hash=row.content_hash,
        signature=row.signature,
        limits=row.limits,
        checker=row.checker,
        reveal=row.reveal,
        languages=tuple(row.languages),
        constants=row.constants,
        author_id=row.author_id,
        note=row.note,
        created_at=row.created_at,
        verify_state=row.verify_state,
        verify_report=row.verify_report,
    )


def _words(
    connection: Connection, query: Select[Any], keys: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {key: [] for key in keys}
    for row in connection.execute(query):
        found[row.problem_id].append(row.word)
    return {key: tuple(words) for key, words in found.items()}
