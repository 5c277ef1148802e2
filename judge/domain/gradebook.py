"""What a submission is worth for an assignment.

Computed whenever it is read: a due time that a teacher moves needs nothing to be judged or stored
anew.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

from judge.domain.progress import share
from judge.domain.scoring import Score

MAX_PERCENT = 100


@dataclass(frozen=True)
class Terms:
    """From when to when a submission counts, and how much of the points a late one is worth.

    Without ``opens_at`` every earlier submission counts, without ``due_at`` none is late. With a
    ``late_percent`` of 0 late submissions do not count at all.
    """

    opens_at: datetime | None
    due_at: datetime | None
    late_percent: int


@dataclass(frozen=True)
class Candidate:
    """The best of an account's submissions in time, or of its late ones.

    ``submissions`` is how many of that kind there are, ``judged_at`` when this one's present
    judgement was finished.
    """

    submission_id: str
    score: Score
    created_at: datetime
    judged_at: datetime
    is_late: bool
    submissions: int


@dataclass(frozen=True)
class Cell:
    """What the gradebook shows of one account and one assignment."""

    points: float
    is_late: bool
    after_solution: bool
    submissions: int
    submission_id: str
    updated_at: datetime


def cell_of(
    candidates: Iterable[Candidate],
    terms: Terms,
    problem_points: int,
    solution_opened_at: datetime | None,
) -> Cell | None:
    """The cell of one account and assignment; None, which is not 0, where nothing counts.

    Of two that are worth the same the one in time is taken, then the earlier one.
    """
    counted = [one for one in candidates if not one.is_late or terms.late_percent > 0]
    if not counted:
        return None
    best = min(counted, key=lambda one: (-_worth(one, terms), one.is_late, one.created_at))
    exact = _worth(best, terms) * problem_points
    rounded = (Decimal(exact.numerator) / Decimal(exact.denominator)).quantize(
        Decimal("0.01"), rounding=ROUND_HALF_EVEN
    )
    return Cell(
        points=float(rounded),
        is_late=best.is_late,
        after_solution=solution_opened_at is not None and solution_opened_at < best.created_at,
        submissions=sum(one.submissions for one in counted),
        submission_id=best.submission_id,
        updated_at=best.judged_at,
    )


def _worth(candidate: Candidate, terms: Terms) -> Fraction:
    """The share of the problem's points that a candidate brings."""
    percent = terms.late_percent if candidate.is_late else MAX_PERCENT
    return share(candidate.score) * Fraction(percent, MAX_PERCENT)
