"""Opening hints and the solution: each opening is remembered.

For learners both are locked by the problem's reveal rules (as a rule until the first submission),
and hints open one after the other. Teachers and admins read at once.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.queries.problems import Revision, select_statement, select_visible_problem
from judge.db.queries.unlocks import list_opened, select_effort
from judge.db.tables import unlock
from judge.db.types import now
from judge.domain.access import Caller, is_open, read_lock
from judge.errors import Conflict, Forbidden, NotFound

# What an opening is called in its row, and what a reveal rule is called in judge.yaml.
HINT = "hint"
HINTS = "hints"
SOLUTION = "solution"


@dataclass(frozen=True)
class OpenedText:
    """Markdown in a locale; ``number`` and ``total`` count hints and are 0 for a solution."""

    locale: str
    body_md: str
    revision_id: str
    constants: dict[str, int | float | str]
    number: int = 0
    total: int = 0


def open_hint(
    database: Database, caller: Caller, slug: str, number: int, locale: str
) -> OpenedText:
    """Open hint ``number`` (from 1).

    Raises:
        NotFound: the caller sees no such problem, or it has no such hint.
        Forbidden: ``hints-locked``.
        Conflict: ``open-previous-hint-first``.
    """
    with database.write() as connection:
        lock_account(connection, caller.account_id)
        revision = select_visible_problem(connection, slug, caller).revision
        _check_rule(connection, caller, revision, HINTS)
        texts = select_statement(connection, revision.id, locale)
        if not 1 <= number <= len(texts.hints):
            raise NotFound("hint-not-found", total=len(texts.hints))
        opened = list_opened(connection, caller.account_id, revision.problem_id, HINT)
        if not caller.role.is_staff and number > 1 and str(number - 1) not in opened:
            raise Conflict("open-previous-hint-first", previous=number - 1)
        _remember(connection, caller, revision, HINT, str(number))
    return OpenedText(
        locale=texts.locale,
        body_md=texts.hints[number - 1],
        revision_id=revision.id,
        constants=revision.constants,
        number=number,
        total=len(texts.hints),
    )


def open_solution(database: Database, caller: Caller, slug: str, locale: str) -> OpenedText:
    """Open the solution.

    Raises:
        NotFound: the caller sees no such problem, or it has no solution.
        Forbidden: ``solution-locked``.
    """
    with database.write() as connection:
        lock_account(connection, caller.account_id)
        revision = select_visible_problem(connection, slug, caller).revision
        _check_rule(connection, caller, revision, SOLUTION)
        texts = select_statement(connection, revision.id, locale)
        if not texts.solution_md:
            raise NotFound("solution-not-found")
        _remember(connection, caller, revision, SOLUTION, "")
    return OpenedText(texts.locale, texts.solution_md, revision.id, revision.constants)


def _check_rule(connection: Connection, caller: Caller, revision: Revision, what: str) -> None:
    effort = select_effort(connection, caller.account_id, revision.problem_id)
    rule = revision.reveal[what]
    if is_open(rule, caller.role, effort):
        return
    lock = read_lock(rule)
    raise Forbidden(
        "hints-locked" if what == HINTS else "solution-locked",
        variant=lock.kind,
        unlock=rule,
        submissions=lock.submissions,
    )


def _remember(
    connection: Connection, caller: Caller, revision: Revision, kind: str, ref: str
) -> None:
    key = {
        "account_id": caller.account_id,
        "problem_id": revision.problem_id,
        "kind": kind,
        "ref": ref,
        "revision_id": revision.id,
    }
    known = select(unlock.c.ref).where(*(unlock.c[name] == value for name, value in key.items()))
    if connection.scalar(known) is None:
        connection.execute(insert(unlock).values(created_at=now(), **key))
