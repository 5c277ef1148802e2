"""Drafts: what an account has typed and not submitted."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from judge.db.tables import draft, problem


@dataclass(frozen=True)
class Draft:
    """One draft; ``etag`` changes with every save, ``base_revision_id`` is the text it is for."""

    language: str
    source: str
    base_revision_id: str | None
    etag: str
    updated_at: datetime


def find_draft(connection: Connection, account_id: str, slug: str, language: str) -> Draft | None:
    """An account's draft on the problem with this slug, in whatever state the problem is."""
    query = (
        select(draft)
        .join(problem, problem.c.id == draft.c.problem_id)
        .where(
            draft.c.account_id == account_id,
            problem.c.slug == slug,
            draft.c.language == language,
        )
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _draft(row)


def _draft(row: Any) -> Draft:
    return Draft(row.language, row.source, row.base_revision_id, row.etag, row.updated_at)
