"""Scores and progress."""

from datetime import date
from typing import Any

from judge.api.schemas.base import AnswerModel, Moment
from judge.domain.progress import Progress, Tally


class ScoreAnswer(AnswerModel):
    """One account on one problem. ``score`` is None if nothing counts yet, which is not 0.

    ``external_id`` is the one of the class that was asked for. ``submissions`` counts judged ones;
    ``first_accepted_at`` is a time of submission; ``revision`` is the number of the revision that
    the score was earned on. ``updated_at`` is null without a submission, and for the past
    (``as_of``).
    """

    account: str
    handle: str
    external_id: str | None
    problem: str
    score: float | None
    max_score: int
    submissions: int
    first_accepted_at: Moment | None
    after_solution: bool
    revision: int | None
    updated_at: Moment | None


class ScorePage(AnswerModel):
    """A page of scores in order of handle and problem."""

    items: list[ScoreAnswer]
    next: str | None


class TallyAnswer(AnswerModel):
    """Points and problems of one topic, or of everything."""

    points: float
    max: int
    solved: int
    problems: int


class TopicAnswer(TallyAnswer):
    """The tally of one topic."""

    topic: str


class ProblemProgressAnswer(AnswerModel):
    """The caller's result on one problem."""

    problem: str
    title: str
    topics: list[str]
    score: float | None
    max_score: int
    solved: bool
    submissions: int


class DayAnswer(AnswerModel):
    """How many submissions were made on a day of the account's time zone."""

    local_date: date
    submissions: int


class ProgressAnswer(TallyAnswer):
    """The caller's progress over all problems that it may see."""

    by_topic: list[TopicAnswer]
    by_problem: list[ProblemProgressAnswer]
    days: list[DayAnswer]
    run_of_days: int


def progress_answer(progress: Progress) -> ProgressAnswer:
    """The caller's progress."""
    return ProgressAnswer(
        **_tally(progress.total),
        by_topic=[
            TopicAnswer(topic=topic, **_tally(tally)) for topic, tally in progress.by_topic.items()
        ],
        by_problem=[
            ProblemProgressAnswer(
                problem=problem.slug,
                title=problem.title,
                topics=list(problem.topics),
                score=problem.earned,
                max_score=problem.points,
                solved=problem.is_solved,
                submissions=problem.submissions,
            )
            for problem in progress.by_problem
        ],
        days=[DayAnswer(local_date=day, submissions=count) for day, count in progress.days.items()],
        run_of_days=progress.run_of_days,
    )


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        "points": tally.points,
        "max": tally.max,
        "solved": tally.solved,
        "problems": tally.problems,
    }


SCORE_EXAMPLE = {
    "account": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "handle": "ada",
    "external_id": "20260017",
    "problem": "sample_token",
    "score": 100.0,
    "max_score": 100,
    "submissions": 4,
    "first_accepted_at": "2026-09-01T02:03:04.000005Z",
    "after_solution": False,
    "revision": 1,
    "updated_at": "2026-09-01T02:03:04.150005Z",
}
PROGRESS_EXAMPLE = {
    "points": 100.0,
    "max": 200,
    "solved": 1,
    "problems": 2,
    "by_topic": [{"topic": "decoding", "points": 100.0, "max": 200, "solved": 1, "problems": 2}],
    "by_problem": [
        {
            "problem": "sample_token",
            "title": "Sampling with temperature and top-k",
            "topics": ["decoding"],
            "score": 100.0,
            "max_score": 100,
            "solved": True,
            "submissions": 4,
        }
    ],
    "days": [{"local_date": "2026-09-01", "submissions": 4}],
    "run_of_days": 1,
}
