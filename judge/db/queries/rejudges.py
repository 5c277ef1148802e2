"""Rejudges: what they select, how far they are, and what they would change."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, select, tuple_

from judge.db.tables import (
    account,
    best_score,
    judgement,
    problem,
    rejudge,
    rejudge_item,
    revision,
    submission,
)
from judge.domain.progress import ScoredSubmission
from judge.domain.rejudging import Rejudged, Selector
from judge.domain.scoring import Score
from judge.domain.verdicts import Verdict
from judge.errors import NotFound

PREVIEW, APPLIED, CANCELLED = "preview", "applied", "cancelled"


@dataclass(frozen=True)
class Rejudge:
    """One rejudge; ``state`` is preview until it is applied or cancelled."""

    id: str
    problem_id: str
    slug: str
    points: int
    revision_id: str
    revision_number: int
    selector: dict[str, Any]
    applies_itself: bool
    allow_decrease: bool
    state: str
    summary: dict[str, Any] | None
    actor_id: str | None
    created_at: datetime
    closed_at: datetime | None


@dataclass(frozen=True)
class Target:
    """One submission that a selector selects."""

    submission_id: str
    language: str
    next_seq: int


@dataclass(frozen=True)
class Advance:
    """How many submissions a rejudge has, how many still wait, how many the judge failed on."""

    submissions: int
    pending: int
    failed: int


@dataclass(frozen=True)
class Item:
    """One new judgement beside the one that is current now."""

    judgement_id: str
    current_id: str
    account_id: str
    handle: str
    rejudged: Rejudged


def find_rejudge_of(connection: Connection, judgement_id: str) -> str | None:
    """The id of the rejudge that a judgement belongs to, if it belongs to one."""
    return connection.scalar(
        select(rejudge_item.c.rejudge_id).where(rejudge_item.c.judgement_id == judgement_id)
    )


def select_rejudge(connection: Connection, rejudge_id: str) -> Rejudge:
    """The rejudge with this id.

    Raises:
        NotFound: there is none.
    """
    row = connection.execute(_rejudges().where(rejudge.c.id == rejudge_id)).one_or_none()
    if row is None:
        raise NotFound("rejudge-not-found")
    return _rejudge(row)


def lock_rejudge(connection: Connection, rejudge_id: str) -> Rejudge:
    """The rejudge as it is now; nobody else records, applies or cancels before the end.

    Raises:
        NotFound: there is none.
    """
    connection.execute(select(rejudge.c.id).where(rejudge.c.id == rejudge_id).with_for_update())
    return select_rejudge(connection, rejudge_id)


def find_open_rejudge(connection: Connection, problem_id: str) -> str | None:
    """The id of the problem's rejudge that is neither applied nor cancelled."""
    return connection.scalar(
        select(rejudge.c.id).where(rejudge.c.problem_id == problem_id, rejudge.c.state == PREVIEW)
    )


def list_rejudges(
    connection: Connection, slug: str | None, after: tuple[datetime, str] | None, limit: int
) -> tuple[Rejudge, ...]:
    """Rejudges, newest first; of one problem or of all."""
    query = _rejudges().order_by(rejudge.c.created_at.desc(), rejudge.c.id.desc()).limit(limit)
    if slug is not None:
        query = query.where(problem.c.slug == slug)
    if after is not None:
        query = query.where(tuple_(rejudge.c.created_at, rejudge.c.id) < after)
    return tuple(map(_rejudge, connection.execute(query)))


def list_targets(
    connection: Connection, problem_id: str, selector: Selector, languages: Collection[str]
) -> tuple[Target, ...]:
    """What a selector selects of a problem's submissions, oldest first.

    A submission whose source was erased, or in a language that the target does not offer, cannot
    be judged anew.
    """
    last_seq = (
        select(func.max(judgement.c.seq))
        .where(judgement.c.submission_id == submission.c.id)
        .correlate(submission)
        .scalar_subquery()
    )
    current = judgement.alias("current")
    query = (
        select(submission.c.id, submission.c.language, last_seq.label("last_seq"))
        .join(current, (current.c.submission_id == submission.c.id) & current.c.is_current)
        .join(revision, revision.c.id == current.c.revision_id)
        .where(
            submission.c.problem_id == problem_id,
            submission.c.source.is_not(None),
            submission.c.language.in_(languages),
        )
        .order_by(submission.c.created_at, submission.c.id)
    )
    conditions = {
        revision.c.number: selector.revision,
        submission.c.account_id: selector.account_id,
        current.c.verdict: None if selector.verdict is None else selector.verdict.value,
        submission.c.language: selector.language,
    }
    for column, value in conditions.items():
        if value is not None:
            query = query.where(column == value)
    if selector.since is not None:
        query = query.where(submission.c.created_at >= selector.since)
    if selector.best_only:
        query = query.join(best_score, best_score.c.judgement_id == current.c.id)
    return tuple(
        Target(row.id, row.language, row.last_seq + 1) for row in connection.execute(query)
    )


def count_items(connection: Connection, rejudge_id: str) -> Advance:
    """How far a rejudge is; a fault of the judge is no result."""
    rows = connection.execute(
        select(judgement.c.state, judgement.c.verdict, func.count().label("total"))
        .join(rejudge_item, rejudge_item.c.judgement_id == judgement.c.id)
        .where(rejudge_item.c.rejudge_id == rejudge_id)
        .group_by(judgement.c.state, judgement.c.verdict)
    ).all()
    return Advance(
        submissions=sum(row.total for row in rows),
        pending=sum(row.total for row in rows if row.state not in ("judged", "cancelled")),
        failed=sum(row.total for row in rows if row.verdict == Verdict.INTERNAL_ERROR.value),
    )


def list_items(connection: Connection, rejudge_id: str) -> tuple[Item, ...]:
    """Every submission of a rejudge by account id, with its new and its current judgement."""
    new, current = judgement.alias("new"), judgement.alias("current")
    rows = connection.execute(
        select(
            submission.c.id,
            submission.c.account_id,
            submission.c.created_at,
            account.c.handle,
            *(column.label(f"new_{column.name}") for column in new.c if column.name in _RESULT),
            *(column.label(f"old_{column.name}") for column in current.c if column.name in _RESULT),
        )
        .select_from(rejudge_item)
        .join(new, new.c.id == rejudge_item.c.judgement_id)
        .join(submission, submission.c.id == new.c.submission_id)
        .join(account, account.c.id == submission.c.account_id)
        .join(current, (current.c.submission_id == submission.c.id) & current.c.is_current)
        .where(rejudge_item.c.rejudge_id == rejudge_id)
        .order_by(submission.c.account_id, submission.c.created_at, submission.c.id)
    )
    return tuple(map(_item, rows))


_RESULT = ("id", "state", "verdict", "score_num", "score_den")


def _item(row: Any) -> Item:
    found = row._mapping
    return Item(
        judgement_id=row.new_id,
        current_id=row.old_id,
        account_id=row.account_id,
        handle=row.handle,
        rejudged=Rejudged(
            submission_id=row.id,
            before=_scored(found, "old_"),
            before_verdict=row.old_verdict,
            after=_scored(found, "new_"),
            after_verdict=row.new_verdict,
        ),
    )


def _scored(row: Any, prefix: str) -> ScoredSubmission | None:
    verdict = row[f"{prefix}verdict"]
    if row[f"{prefix}state"] != "judged" or verdict == Verdict.INTERNAL_ERROR.value:
        return None
    return ScoredSubmission(
        submission_id=row["id"],
        judgement_id=row[f"{prefix}id"],
        created_at=row["created_at"],
        score=Score(row[f"{prefix}score_num"], row[f"{prefix}score_den"]),
        is_accepted=verdict == Verdict.ACCEPTED.value,
    )


def _rejudges() -> Select[Any]:
    return (
        select(
            *rejudge.c,
            problem.c.slug,
            problem.c.points,
            revision.c.number.label("revision_number"),
        )
        .join(problem, problem.c.id == rejudge.c.problem_id)
        .join(revision, revision.c.id == rejudge.c.revision_id)
    )


def _rejudge(row: Any) -> Rejudge:
    return Rejudge(
        id=row.id,
        problem_id=row.problem_id,
        slug=row.slug,
        points=row.points,
        revision_id=row.revision_id,
        revision_number=row.revision_number,
        selector=row.selector,
        applies_itself=row.applies_itself,
        allow_decrease=row.allow_decrease,
        state=row.state,
        summary=row.summary,
        actor_id=row.actor_id,
        created_at=row.created_at,
        closed_at=row.closed_at,
    )
