"""Problems with their published revision, texts, groups and samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, func, select, tuple_

from judge.db.tables import (
    problem,
    problem_edge,
    problem_topic,
    revision,
    statement,
    test_case,
    test_group,
)
from judge.domain.access import Role, StoredCase, may_see_problem
from judge.domain.problem import LOCALES, Localized, Visibility
from judge.errors import NotFound


@dataclass(frozen=True)
class Problem:
    """A problem with the pointer to its published revision, if it has one."""

    id: str
    slug: str
    state: str
    visibility: str
    points: int
    position: int
    revision_id: str | None


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


def select_visible_problem(connection: Connection, slug: str, role: Role) -> VisibleProblem:
    """The problem and its published revision as a viewer of this role meets it.

    Raises:
        NotFound: there is none, it has no revision yet, or the viewer may not know of it.
    """
    found = find_problem(connection, slug)
    if (
        found is None
        or found.revision_id is None
        or not may_see_problem(found.visibility, found.state, role)
    ):
        raise NotFound("problem-not-found", slug=slug)
    return VisibleProblem(found, select_revision(connection, found.revision_id))


def list_published(
    connection: Connection,
    visibilities: Sequence[str],
    after: tuple[int | str, ...] | None = None,
    limit: int | None = None,
) -> tuple[Problem, ...]:
    """Published problems by position and slug, those behind ``after`` first."""
    query = _problems().where(
        problem.c.state == "published",
        problem.c.visibility.in_(visibilities),
        problem.c.published_revision_id.is_not(None),
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


def _problems() -> Select[Any]:
    return select(
        problem.c.id,
        problem.c.slug,
        problem.c.state,
        problem.c.visibility,
        problem.c.points,
        problem.c.position,
        problem.c.published_revision_id,
    )


def _problem(row: Any) -> Problem:
    return Problem(
        row.id,
        row.slug,
        row.state,
        row.visibility,
        row.points,
        row.position,
        row.published_revision_id,
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
    )


def _words(
    connection: Connection, query: Select[Any], keys: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {key: [] for key in keys}
    for row in connection.execute(query):
        found[row.problem_id].append(row.word)
    return {key: tuple(words) for key, words in found.items()}
