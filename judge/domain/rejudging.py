"""What a rejudge does to one account's score on a problem; pure arithmetic over fetched rows.

The rule: a new judgement takes the place of the one before it, unless that would make the result
of the submission fall and falling was not allowed. A fall is a smaller share of the full score, or
the loss of an acceptance at the same share. Each submission is decided by itself, so a best score
can never fall where no submission's does. A judgement that failed by the judge's own fault takes
no place at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from judge.domain.progress import BestScore, ScoredSubmission, best_of, share
from judge.domain.verdicts import Verdict


class Change(StrEnum):
    """What becomes of an account's best score."""

    UP = "up"
    DOWN = "down"
    SAME = "same"
    VERDICT_ONLY = "verdict_only"


@dataclass(frozen=True)
class Selector:
    """Which submissions on a problem are judged anew; what is None selects nothing away.

    ``revision`` is the number of the revision that the current judgement used, ``since`` a time of
    submission, ``best_only`` selects each account's best submission.
    """

    revision: int | None = None
    account_id: str | None = None
    verdict: Verdict | None = None
    language: str | None = None
    since: datetime | None = None
    best_only: bool = False

    def to_json(self) -> dict[str, object]:
        """What is selected by, without what selects nothing away."""
        shown: dict[str, object] = {
            "revision": self.revision,
            "account_id": self.account_id,
            "verdict": None if self.verdict is None else self.verdict.value,
            "language": self.language,
            "since": None if self.since is None else self.since.isoformat(),
            "best_only": self.best_only or None,
        }
        return {name: value for name, value in shown.items() if value is not None}


@dataclass(frozen=True)
class Rejudged:
    """One submission that was judged anew.

    ``before`` and ``after`` are None where there is no result that counts: not yet judged, or the
    judge's own fault. The verdicts are None only where there is no judgement yet.
    """

    submission_id: str
    before: ScoredSubmission | None
    before_verdict: str | None
    after: ScoredSubmission | None
    after_verdict: str | None


@dataclass(frozen=True)
class Effect:
    """What a rejudge does to one account: ids of submissions, and the best scores."""

    taken: tuple[str, ...]
    kept: tuple[str, ...]
    failed: tuple[str, ...]
    before: BestScore | None
    after: BestScore | None
    change: Change


def falls(before: ScoredSubmission | None, after: ScoredSubmission) -> bool:
    """Whether the second result is worse for the learner than the first."""
    if before is None:
        return False
    old, new = share(before.score), share(after.score)
    return new < old or (new == old and before.is_accepted and not after.is_accepted)


def effect_on(
    scored: Sequence[ScoredSubmission],
    rejudged: Sequence[Rejudged],
    solution_opened_at: datetime | None,
    *,
    allow_decrease: bool,
) -> Effect:
    """What applying would do.

    Args:
        scored: every current judgement of the account on the problem that counts.
        rejudged: its submissions that were judged anew.
        solution_opened_at: when the account first read the solution, if it did.
        allow_decrease: whether results may fall.
    """
    taken: dict[str, Rejudged] = {}
    kept: list[str] = []
    for one in rejudged:
        if one.after is None:
            continue
        if allow_decrease or not falls(one.before, one.after):
            taken[one.submission_id] = one
        else:
            kept.append(one.submission_id)
    before = best_of(scored, solution_opened_at)
    after = best_of(_replaced(scored, taken), solution_opened_at)
    return Effect(
        taken=tuple(taken),
        kept=tuple(kept),
        failed=tuple(
            one.submission_id
            for one in rejudged
            if one.after_verdict == Verdict.INTERNAL_ERROR.value
        ),
        before=before,
        after=after,
        change=_change(before, after, taken),
    )


def _replaced(
    scored: Sequence[ScoredSubmission], taken: Mapping[str, Rejudged]
) -> list[ScoredSubmission]:
    stay = [one for one in scored if one.submission_id not in taken]
    return stay + [one.after for one in taken.values() if one.after is not None]


def _change(
    before: BestScore | None, after: BestScore | None, taken: Mapping[str, Rejudged]
) -> Change:
    old = -1 if before is None else share(before.score)
    new = -1 if after is None else share(after.score)
    if new != old:
        return Change.UP if new > old else Change.DOWN
    has_changed = any(one.before_verdict != one.after_verdict for one in taken.values())
    return Change.VERDICT_ONLY if has_changed else Change.SAME
