"""What an account may take with it, and the exports that hold it.

Reads only rows of the account. What of a result may leave is still judge.domain.access's to say.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select, tuple_

from judge.db.tables import (
    account,
    api_token,
    best_score,
    data_export,
    draft,
    membership,
    notice,
    problem,
    revision,
    school_class,
    session,
    submission,
    unlock,
)
from judge.errors import NotFound

QUEUED, READY, FAILED = "queued", "ready", "failed"


@dataclass(frozen=True)
class Export:
    """One export; ``size`` is None until it is ready."""

    id: str
    state: str
    size: int | None
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True)
class OwnSubmission:
    """One submission with its source, which is None once it was erased."""

    id: str
    slug: str
    points: int
    revision_number: int
    language: str
    source: str | None
    source_hash: str
    created_at: datetime


def select_export(
    connection: Connection, account_id: str, export_id: str, moment: datetime
) -> Export:
    """An account's export that has not expired.

    Raises:
        NotFound: the account has none with this id.
    """
    size = func.length(data_export.c.archive).label("size")
    columns = [column for column in data_export.c if column.name != "archive"]
    row = connection.execute(
        select(*columns, size).where(
            data_export.c.id == export_id,
            data_export.c.account_id == account_id,
            data_export.c.expires_at > moment,
        )
    ).one_or_none()
    if row is None:
        raise NotFound("export-not-found")
    return Export(row.id, row.state, row.size, row.created_at, row.expires_at)


def find_open_export(connection: Connection, account_id: str) -> str | None:
    """The id of the account's export that is still to be made."""
    return connection.scalar(
        select(data_export.c.id).where(
            data_export.c.account_id == account_id, data_export.c.state == QUEUED
        )
    )


def list_export_times(
    connection: Connection, account_id: str, since: datetime
) -> tuple[datetime, ...]:
    """When an account asked for exports, newest first."""
    query = (
        select(data_export.c.created_at)
        .where(data_export.c.account_id == account_id, data_export.c.created_at > since)
        .order_by(data_export.c.created_at.desc())
    )
    return tuple(connection.scalars(query))


def read_archive(connection: Connection, export_id: str) -> bytes | None:
    """The zip of an export; None while there is none."""
    archive: bytes | None = connection.scalar(
        select(data_export.c.archive).where(data_export.c.id == export_id)
    )
    return archive


def read_profile(connection: Connection, account_id: str) -> dict[str, Any]:
    """The account with its sessions, tokens, classes and notices, without any secret."""
    mine = account.c.id == account_id
    columns = (
        account.c.handle,
        account.c.display_name,
        account.c.email,
        account.c.role,
        account.c.locale,
        account.c.time_zone,
        account.c.prefs,
        account.c.created_at,
    )
    profile = dict(connection.execute(select(*columns).where(mine)).one()._mapping)
    sessions = select(
        session.c.created_at, session.c.seen_at, session.c.ip_prefix, session.c.user_agent
    ).where(session.c.account_id == account_id)
    tokens = select(
        api_token.c.name,
        api_token.c.prefix,
        api_token.c.scopes,
        api_token.c.created_at,
        api_token.c.expires_at,
        api_token.c.last_used_at,
        api_token.c.revoked_at,
    ).where(api_token.c.account_id == account_id)
    classes = (
        select(
            school_class.c.name,
            membership.c.role,
            membership.c.state,
            membership.c.external_id,
            membership.c.joined_at,
        )
        .join(school_class, school_class.c.id == membership.c.class_id)
        .where(membership.c.account_id == account_id)
    )
    notices = select(notice.c.kind, notice.c.at, notice.c.read_at).where(
        notice.c.account_id == account_id
    )
    return {
        **profile,
        "sessions": _rows(connection, sessions.order_by(session.c.created_at)),
        "tokens": _rows(connection, tokens.order_by(api_token.c.created_at)),
        "classes": _rows(connection, classes.order_by(membership.c.created_at)),
        "notices": _rows(connection, notices.order_by(notice.c.at)),
    }


def list_unlocks(connection: Connection, account_id: str) -> list[dict[str, Any]]:
    """What an account has opened, oldest first."""
    query = (
        select(
            problem.c.slug.label("problem"),
            unlock.c.kind,
            unlock.c.ref,
            revision.c.number.label("revision"),
            unlock.c.created_at,
        )
        .join(problem, problem.c.id == unlock.c.problem_id)
        .join(revision, revision.c.id == unlock.c.revision_id)
        .where(unlock.c.account_id == account_id)
        .order_by(unlock.c.created_at)
    )
    return _rows(connection, query)


def list_drafts(connection: Connection, account_id: str) -> list[dict[str, Any]]:
    """An account's drafts with their sources."""
    query = (
        select(
            problem.c.slug.label("problem"),
            draft.c.language,
            draft.c.source,
            draft.c.updated_at,
        )
        .join(problem, problem.c.id == draft.c.problem_id)
        .where(draft.c.account_id == account_id)
        .order_by(problem.c.slug, draft.c.language)
    )
    return _rows(connection, query)


def list_own_scores(connection: Connection, account_id: str) -> list[dict[str, Any]]:
    """An account's best scores as fractions, with the points of their problems."""
    query = (
        select(
            problem.c.slug.label("problem"),
            problem.c.points,
            best_score.c.score_num,
            best_score.c.score_den,
            best_score.c.submissions,
            best_score.c.first_accepted_at,
            best_score.c.after_solution,
            best_score.c.updated_at,
        )
        .join(problem, problem.c.id == best_score.c.problem_id)
        .where(best_score.c.account_id == account_id)
        .order_by(problem.c.slug)
    )
    return _rows(connection, query)


def list_own_submissions(
    connection: Connection, account_id: str, after: tuple[datetime, str] | None, limit: int
) -> tuple[OwnSubmission, ...]:
    """An account's submissions with their sources, newest first, those behind ``after`` first."""
    query = (
        select(
            submission.c.id,
            problem.c.slug,
            problem.c.points,
            revision.c.number,
            submission.c.language,
            submission.c.source,
            submission.c.source_hash,
            submission.c.created_at,
        )
        .join(problem, problem.c.id == submission.c.problem_id)
        .join(revision, revision.c.id == submission.c.revision_id)
        .where(submission.c.account_id == account_id)
        .order_by(submission.c.created_at.desc(), submission.c.id.desc())
        .limit(limit)
    )
    if after is not None:
        query = query.where(tuple_(submission.c.created_at, submission.c.id) < after)
    return tuple(OwnSubmission(*row) for row in connection.execute(query))


def _rows(connection: Connection, query: Any) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in connection.execute(query)]
