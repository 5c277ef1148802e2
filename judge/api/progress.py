"""The caller's own progress."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends

from judge.actions.time_zones import find_time_zone
from judge.api.deps import PartsDep, ReadLocale, require
from judge.api.schemas.base import answers
from judge.api.schemas.problems import in_locale
from judge.api.schemas.scores import PROGRESS_EXAMPLE, ProgressAnswer, progress_answer
from judge.db.queries.accounts import select_account
from judge.db.queries.problems import list_published, list_titles, list_topics
from judge.db.queries.scores import map_best_scores, map_days, map_submission_counts
from judge.domain.access import Caller, Scope, sight_of
from judge.domain.progress import ProblemScore, compute

router = APIRouter(prefix="/me", tags=["me"])


@router.get(
    "/progress",
    summary="Read my progress",
    responses=answers(PROGRESS_EXAMPLE, 200, 401, 403),
)
def show_progress(
    joined: PartsDep,
    locale: ReadLocale,
    caller: Annotated[Caller, Depends(require(Scope.SCORES_READ))],
) -> ProgressAnswer:
    """Points by topic and by problem, and the days of submissions in the account's time zone."""
    with joined.database.read() as connection:
        account = select_account(connection, caller.account_id)
        problems = list_published(connection, sight_of(caller))
        titles = list_titles(connection, [str(problem.revision_id) for problem in problems])
        topics = list_topics(connection, [problem.id for problem in problems])
        best = map_best_scores(connection, caller.account_id)
        counts = map_submission_counts(connection, caller.account_id)
        days = map_days(connection, caller.account_id)
    scores = [
        ProblemScore(
            slug=problem.slug,
            title=in_locale(titles[str(problem.revision_id)], locale),
            topics=topics[problem.id],
            points=problem.points,
            best=best[problem.id].score if problem.id in best else None,
            submissions=counts.get(problem.id, 0),
        )
        for problem in problems
    ]
    today = datetime.now(find_time_zone(account.time_zone)).date()
    return progress_answer(compute(scores, days, today))
