"""Keeping drafts: a save names the one it began from, so that two open pages lose nothing.

A draft opens nothing and counts for nothing. It stays when its problem is retired.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, update

from judge.actions.submit import check_source, offered_languages
from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.queries.drafts import Draft, find_draft
from judge.db.queries.problems import find_problem, select_revision, select_visible_problem
from judge.db.tables import draft
from judge.db.types import new_id, now
from judge.domain.access import Caller
from judge.errors import Invalid, NotFound, flaw

# What a save may expect besides an ETag: that there is a draft, or that there is none.
ANY = "*"
NONE = ""


@dataclass(frozen=True)
class NewDraft:
    """What is to be kept; ``revision_id`` is the text that it was written for, if known."""

    slug: str
    language: str
    source: str
    revision_id: str | None = None


@dataclass(frozen=True)
class DraftConflict:
    """Nothing was changed: the draft is another than was expected; None if there is none."""

    stored: Draft | None


def save_draft(
    database: Database, caller: Caller, new: NewDraft, expected: str
) -> Draft | DraftConflict:
    """Keep a draft, if the one before it is what the caller expects.

    Args:
        database: where to.
        caller: whose it is.
        new: what is to be kept.
        expected: the ETag of the draft before it, ANY or NONE.

    Raises:
        NotFound: the caller can see no such problem.
        Gone: it was retired, and the caller is no staff.
        TooLarge, Invalid: the source is none, the problem does not take the language, or the
            revision is not the problem's.
    """
    check_source(new.source)
    with database.write() as connection:
        lock_account(connection, caller.account_id)
        visible = select_visible_problem(connection, new.slug, caller)
        offered = offered_languages(visible.revision)
        if new.language not in offered:
            named = flaw("/path/language", "language-not-offered", languages=offered)
            raise Invalid("language-not-offered", named, languages=offered)
        base_id = _base(connection, new, visible.problem.id, visible.revision.id)
        stored = find_draft(connection, caller.account_id, new.slug, new.language)
        if not _is_expected(stored, expected):
            return DraftConflict(stored)
        kept = Draft(new.language, new.source, base_id, new_id(), now())
        _write(connection, caller.account_id, visible.problem.id, kept, is_new=stored is None)
    return kept


def drop_draft(
    database: Database, caller: Caller, slug: str, language: str, expected: str
) -> DraftConflict | None:
    """Throw a draft away, if it is what the caller expects (an ETag or ANY).

    Raises:
        NotFound: there is no such draft.
    """
    with database.write() as connection:
        lock_account(connection, caller.account_id)
        stored = find_draft(connection, caller.account_id, slug, language)
        owner = find_problem(connection, slug)
        if stored is None or owner is None:
            raise NotFound("draft-not-found")
        if not _is_expected(stored, expected):
            return DraftConflict(stored)
        connection.execute(delete(draft).where(_is(caller.account_id, owner.id, language)))
    return None


def _is_expected(stored: Draft | None, expected: str) -> bool:
    if stored is None:
        return expected == NONE
    return expected in (ANY, stored.etag)


def _base(connection: Connection, new: NewDraft, problem_id: str, published_id: str) -> str:
    if new.revision_id is None:
        return published_id
    try:
        base = select_revision(connection, new.revision_id)
    except NotFound:
        base = None
    if base is None or base.problem_id != problem_id:
        raise Invalid("invalid-request", flaw("/revision", "revision-of-other"))
    return base.id


def _write(
    connection: Connection, account_id: str, problem_id: str, kept: Draft, *, is_new: bool
) -> None:
    values = {
        "source": kept.source,
        "base_revision_id": kept.base_revision_id,
        "etag": kept.etag,
        "updated_at": kept.updated_at,
    }
    if is_new:
        key = {"account_id": account_id, "problem_id": problem_id, "language": kept.language}
        connection.execute(insert(draft).values(**key, **values))
    else:
        here = _is(account_id, problem_id, kept.language)
        connection.execute(update(draft).where(here).values(**values))


def _is(account_id: str, problem_id: str, language: str) -> ColumnElement[bool]:
    return and_(
        draft.c.account_id == account_id,
        draft.c.problem_id == problem_id,
        draft.c.language == language,
    )
