"""An account's best score on a problem, and its progress over all problems.

Pure arithmetic over rows that the caller fetched. The best score is stored by
judge.actions.recompute and can be rebuilt at any time; nothing else of this is stored.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction

from judge.domain.scoring import Score, points


@dataclass(frozen=True)
class ScoredSubmission:
    """One current judgement that counts: judged, and not internal_error."""

    submission_id: str
    judgement_id: str
    created_at: datetime
    score: Score
    is_accepted: bool


@dataclass(frozen=True)
class BestScore:
    """The best of an account's submissions on one problem.

    ``first_accepted_at`` is a time of submission, not of judging: neither a full queue nor a
    rejudge moves it. ``after_solution`` says that the best one came after reading the solution.
    """

    score: Score
    judgement_id: str
    submissions: int
    first_accepted_at: datetime | None
    after_solution: bool


def best_of(
    scored: Sequence[ScoredSubmission], solution_opened_at: datetime | None
) -> BestScore | None:
    """The best score out of all current judgements, whatever their order; None if none counts.

    Shares of the full score are compared exactly; among equals the earliest submission wins.
    """
    if not scored:
        return None
    best = min(scored, key=lambda one: (-share(one.score), one.created_at, one.submission_id))
    return BestScore(
        score=best.score,
        judgement_id=best.judgement_id,
        submissions=len(scored),
        first_accepted_at=min((one.created_at for one in scored if one.is_accepted), default=None),
        after_solution=solution_opened_at is not None and solution_opened_at < best.created_at,
    )


def share(score: Score) -> Fraction:
    """The exact share of the full score; 0 where nothing can be earned."""
    return Fraction(score.earned, score.max) if score.max else Fraction(0)


@dataclass(frozen=True)
class ProblemScore:
    """One problem that the account can see, with its best score or None if it has none."""

    slug: str
    title: str
    topics: tuple[str, ...]
    points: int
    best: Score | None
    submissions: int

    @property
    def earned(self) -> float | None:
        """Points shown; None where there is no score, which is not the same as 0."""
        return None if self.best is None else points(self.best, self.points)

    @property
    def is_solved(self) -> bool:
        """Whether the full score was reached."""
        return self.best is not None and self.best.max > 0 and self.best.earned == self.best.max


@dataclass(frozen=True)
class Tally:
    """Points and problems of one topic, or of everything."""

    points: float
    max: int
    solved: int
    problems: int


@dataclass(frozen=True)
class Progress:
    """What the page and the API show; ``days`` maps local days to numbers of submissions."""

    total: Tally
    by_topic: Mapping[str, Tally]
    by_problem: tuple[ProblemScore, ...]
    days: Mapping[date, int]
    run_of_days: int


def compute(problems: Sequence[ProblemScore], days: Mapping[date, int], today: date) -> Progress:
    """Sum up; ``today`` is the present day in the account's time zone.

    A problem with several topics counts in each of them, and once in the total.
    """
    topics = dict.fromkeys(topic for problem in problems for topic in problem.topics)
    return Progress(
        total=tally(problems),
        by_topic={
            topic: tally(problem for problem in problems if topic in problem.topics)
            for topic in topics
        },
        by_problem=tuple(problems),
        days=dict(sorted(days.items())),
        run_of_days=run_of_days(days, today),
    )


def tally(problems: Iterable[ProblemScore]) -> Tally:
    """Sum of points, rounded to the two decimals that each summand has."""
    counted = tuple(problems)
    return Tally(
        points=round(sum(problem.earned or 0.0 for problem in counted), 2),
        max=sum(problem.points for problem in counted),
        solved=sum(problem.is_solved for problem in counted),
        problems=len(counted),
    )


def run_of_days(days: Iterable[date], today: date) -> int:
    """Length of the unbroken run of days that ends today, or yesterday if today is still empty."""
    active = set(days)
    last = today if today in active else today - timedelta(days=1)
    length = 0
    while last - timedelta(days=length) in active:
        length += 1
    return length
