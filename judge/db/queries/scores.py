"""Scores: what counts towards the best one, and the stored best ones."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Select, func, select, text

from judge.db.tables import account, best_score, judgement, problem, revision, submission, unlock
from judge.domain.progress import BestScore, ScoredSubmission, best_of
from judge.domain.scoring import Score
from judge.domain.verdicts import Verdict

_HAS_SCORE = best_score.c.judgement_id.is_not(None)


def list_scored(
    connection: Connection, account_id: str, problem_id: str
) -> tuple[ScoredSubmission, ...]:
    """Every current judgement that counts: judged, and not the judge's own failure."""
    query = _scored().where(
        submission.c.account_id == account_id, submission.c.problem_id == problem_id
    )
    return tuple(map(_scored_submission, connection.execute(query)))


def hold_snapshot(connection: Connection) -> None:
    """Let everything that this transaction reads be of one moment; the first thing it does.

    On SQLite that is so anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))


def map_scored(
    connection: Connection, problem_id: str | None = None
) -> dict[tuple[str, str], list[ScoredSubmission]]:
    """The same for every account, by account and problem id; of one problem or of all."""
    query = _scored()
    if problem_id is not None:
        query = query.where(submission.c.problem_id == problem_id)
    found: dict[tuple[str, str], list[ScoredSubmission]] = {}
    for row in connection.execute(query):
        found.setdefault((row.account_id, row.problem_id), []).append(_scored_submission(row))
    return found


def map_all_best_scores(connection: Connection) -> dict[tuple[str, str], BestScore]:
    """Every stored best score by account and problem id."""
    rows = connection.execute(select(best_score).where(_HAS_SCORE))
    return {(row.account_id, row.problem_id): _best(row) for row in rows}


def map_scores_as_of(
    connection: Connection,
    as_of: datetime,
    account_ids: Collection[str],
    problem_ids: Collection[str],
) -> dict[tuple[str, str], tuple[BestScore, int]]:
    """What best scores would be if nothing had been handed in since, by account and problem id.

    With each the number of the revision that it was earned on. The judgements are today's: a
    rejudge counts for the past as well.
    """
    query = (
        _scored()
        .add_columns(revision.c.number)
        .join(revision, revision.c.id == judgement.c.revision_id)
        .where(
            submission.c.account_id.in_(account_ids),
            submission.c.problem_id.in_(problem_ids),
            submission.c.created_at <= as_of,
        )
    )
    found: dict[tuple[str, str], list[ScoredSubmission]] = {}
    numbers: dict[str, int] = {}
    for row in connection.execute(query):
        found.setdefault((row.account_id, row.problem_id), []).append(_scored_submission(row))
        numbers[row.judgement_id] = row.number
    openings = _map_openings(connection, as_of, account_ids, problem_ids)
    best = {key: best_of(scored, openings.get(key)) for key, scored in found.items()}
    return {key: (one, numbers[one.judgement_id]) for key, one in best.items() if one is not None}


def _map_openings(
    connection: Connection,
    as_of: datetime,
    account_ids: Collection[str],
    problem_ids: Collection[str],
) -> dict[tuple[str, str], datetime]:
    query = (
        select(unlock.c.account_id, unlock.c.problem_id, func.min(unlock.c.created_at).label("at"))
        .where(
            unlock.c.kind == "solution",
            unlock.c.created_at <= as_of,
            unlock.c.account_id.in_(account_ids),
            unlock.c.problem_id.in_(problem_ids),
        )
        .group_by(unlock.c.account_id, unlock.c.problem_id)
    )
    return {(row.account_id, row.problem_id): row.at for row in connection.execute(query)}


def list_without_row(connection: Connection) -> tuple[tuple[str, str], ...]:
    """Accounts and problems with submissions, but without a row of best_score."""
    pairs = select(submission.c.account_id, submission.c.problem_id).distinct()
    known = select(best_score.c.account_id, best_score.c.problem_id)
    return tuple((row[0], row[1]) for row in connection.execute(pairs.except_(known)))


def map_names(
    connection: Connection, pairs: Collection[tuple[str, str]]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Handle and slug of pairs of account and problem id."""
    return {
        pair: (
            str(connection.scalar(select(account.c.handle).where(account.c.id == pair[0]))),
            str(connection.scalar(select(problem.c.slug).where(problem.c.id == pair[1]))),
        )
        for pair in pairs
    }


def find_best_score(connection: Connection, account_id: str, problem_id: str) -> BestScore | None:
    """The stored best score, if there is one."""
    row = connection.execute(
        select(best_score).where(
            best_score.c.account_id == account_id, best_score.c.problem_id == problem_id, _HAS_SCORE
        )
    ).one_or_none()
    return None if row is None else _best(row)


def map_best_scores(connection: Connection, account_id: str) -> dict[str, BestScore]:
    """An account's stored best scores by problem id."""
    query = select(best_score).where(best_score.c.account_id == account_id, _HAS_SCORE)
    return {row.problem_id: _best(row) for row in connection.execute(query)}


def map_submission_counts(connection: Connection, account_id: str) -> dict[str, int]:
    """How many submissions an account has stored, by problem id."""
    rows = connection.execute(
        select(submission.c.problem_id, func.count().label("total"))
        .where(submission.c.account_id == account_id)
        .group_by(submission.c.problem_id)
    )
    return {row.problem_id: row.total for row in rows}


def map_solvers(connection: Connection, problem_ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """By problem id how many accounts have submitted, and how many of them had the full score."""
    rows = connection.execute(
        select(
            best_score.c.problem_id,
            func.count().label("tried"),
            func.count(best_score.c.first_accepted_at).label("solved"),
        )
        .where(best_score.c.problem_id.in_(problem_ids))
        .group_by(best_score.c.problem_id)
    )
    return {row.problem_id: (row.tried, row.solved) for row in rows}


def map_days(connection: Connection, account_id: str) -> dict[date, int]:
    """How many submissions an account made on each of its local days."""
    rows = connection.execute(
        select(submission.c.local_date, func.count().label("total"))
        .where(submission.c.account_id == account_id)
        .group_by(submission.c.local_date)
    )
    return {row.local_date: row.total for row in rows}


def _scored() -> Select[Any]:
    return (
        select(
            submission.c.id,
            submission.c.account_id,
            submission.c.problem_id,
            submission.c.created_at,
            judgement.c.id.label("judgement_id"),
            judgement.c.score_num,
            judgement.c.score_den,
            judgement.c.verdict,
        )
        .join(judgement, judgement.c.submission_id == submission.c.id)
        .where(
            judgement.c.is_current,
            judgement.c.state == "judged",
            judgement.c.verdict != Verdict.INTERNAL_ERROR.value,
        )
    )


def _scored_submission(row: Any) -> ScoredSubmission:
    return ScoredSubmission(
        submission_id=row.id,
        judgement_id=row.judgement_id,
        created_at=row.created_at,
        score=Score(row.score_num, row.score_den),
        is_accepted=row.verdict == Verdict.ACCEPTED.value,
    )


def _best(row: Any) -> BestScore:
    return BestScore(
        score=Score(row.score_num, row.score_den),
        judgement_id=row.judgement_id,
        submissions=row.submissions,
        first_accepted_at=row.first_accepted_at,
        after_solution=row.after_solution,
    )
