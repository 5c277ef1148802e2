"""Which submissions a list shows: what is asked for, cut down to what the caller may read."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Query

from judge.api.ids import CLASS, read
from judge.api.moments import QueryMoment, read_query_moment
from judge.api.owners import EVERYBODY, select_learner, select_member, select_owner
from judge.db.engine import Database
from judge.db.queries.submissions import SubmissionFilter
from judge.domain.access import Caller

# Enforced, and held to FINAL_VERDICTS by a test.
VerdictName = Literal[
    "accepted",
    "wrong_answer",
    "time_limit_exceeded",
    "memory_limit_exceeded",
    "output_limit_exceeded",
    "runtime_error",
    "compile_error",
    "internal_error",
]


@dataclass(frozen=True)
class Wish:
    """What the address asks for."""

    problem: str | None
    account: str | None
    class_id: str | None
    verdict: str | None
    since: str | None


def _wish(
    problem: Annotated[str | None, Query(description="Only on this problem.")] = None,
    account: Annotated[
        str | None,
        Query(description="A handle, which teachers of its class may ask for; * is for admins."),
    ] = None,
    class_id: Annotated[
        str | None, Query(alias="class", description="Learners of this class on its problems.")
    ] = None,
    verdict: Annotated[
        VerdictName | None, Query(description="Only those with this verdict now.")
    ] = None,
    since: Annotated[
        QueryMoment | None, Query(description="Only those handed in at this time or later.")
    ] = None,
) -> Wish:
    return Wish(problem, account, class_id, verdict, since)


WishQuery = Annotated[Wish, Depends(_wish)]


def find_filter(database: Database, caller: Caller, wish: Wish) -> SubmissionFilter:
    """The rows that are asked for and that the caller may read.

    Raises:
        NotFound: no such class, account or learner, or the caller may not know of it.
        Forbidden: ``admin-only``, whether or not the account exists.
        Invalid: ``since`` is no time.
    """
    account_id, class_ids = _whose(database, caller, wish)
    return SubmissionFilter(
        account_id=account_id,
        slug=wish.problem,
        class_ids=class_ids,
        verdict=wish.verdict,
        since=None if wish.since is None else read_query_moment("since", wish.since),
    )


def _whose(
    database: Database, caller: Caller, wish: Wish
) -> tuple[str | None, frozenset[str] | None]:
    """The account, and the classes within which its work may be read; None for everywhere."""
    if wish.class_id is not None:
        class_id = read(CLASS, wish.class_id)
        account_id = select_member(database, caller, class_id, wish.account)
        return account_id, frozenset({class_id})
    is_own = wish.account is None or wish.account.lower() == caller.handle.lower()
    if is_own or caller.role.reads_all_work or wish.account == EVERYBODY or not caller.ties.taught:
        return select_owner(database, caller, wish.account), None
    return select_learner(database, caller, str(wish.account)), caller.ties.taught
