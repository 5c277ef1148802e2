"""Rejudges as admins see them."""

from typing import Any

from pydantic import AwareDatetime, Field

from judge.api.ids import ACCOUNT, REJUDGE, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.api.schemas.choices import LanguageName, RejudgeState, ScoreChange
from judge.api.schemas.problems import RevisionAnswer, revision_answer
from judge.db.queries.rejudges import Advance, Rejudge
from judge.domain.scoring import Score, points
from judge.domain.verdicts import Verdict

MAX_NUMBER = 2**31 - 1


class RejudgeRequest(RequestModel):
    """Which submissions of a problem are judged anew on its published revision.

    ``revision`` is the number of the revision that judged them up to now, ``account`` a handle,
    ``since`` a time of submission. What is missing selects nothing away.
    """

    problem: Text
    revision: int | None = Field(default=None, ge=1, le=MAX_NUMBER)
    account: Text | None = None
    verdict: Verdict | None = None
    language: LanguageName | None = None
    since: AwareDatetime | None = None


class ApplyRejudgeRequest(RequestModel):
    """Whether scores may fall as well; by default none does."""

    allow_decrease: bool = False


class AccountChangeAnswer(AnswerModel):
    """One account's score before and after; None is no score, which is not 0.

    ``change`` is up, down, same or verdict_only. ``kept`` counts its submissions whose earlier
    judgement stays because the result would fall, ``failed`` those on which the judge failed.
    """

    account: str
    handle: str
    before: float | None
    after: float | None
    change: ScoreChange
    kept: int
    failed: int


class RejudgeSummaryAnswer(AnswerModel):
    """How many accounts change how; ``kept`` counts accounts, ``failed`` submissions."""

    up: int
    down: int
    same: int
    verdict_only: int
    kept: int
    failed: int
    accounts: list[AccountChangeAnswer]


class RejudgeItem(AnswerModel):
    """A rejudge without what it changes.

    ``state`` is preview, applied or cancelled; a preview can be applied when nothing is pending.
    """

    id: str
    problem: str
    revision: RevisionAnswer
    selector: dict[str, Any]
    state: RejudgeState
    applies_itself: bool
    allow_decrease: bool
    submissions: int
    pending: int
    failed: int
    created_at: Moment
    closed_at: Moment | None


class RejudgeAnswer(RejudgeItem):
    """A rejudge with what it changes; of a cancelled one that is None.

    In a preview ``summary`` says what applying would do now, with scores falling or not as asked.
    """

    summary: RejudgeSummaryAnswer | None


class RejudgePage(AnswerModel):
    """A page of rejudges, the newest first."""

    items: list[RejudgeItem]
    next: str | None


def rejudge_item(rejudge: Rejudge, advance: Advance) -> RejudgeItem:
    """One rejudge of a list."""
    return RejudgeItem(**_common(rejudge, advance))


def rejudge_answer(
    rejudge: Rejudge, advance: Advance, summary: dict[str, Any] | None
) -> RejudgeAnswer:
    """A whole rejudge; ``summary`` is judge.actions.rejudge_apply.summarize's."""
    shown = None
    if summary:
        accounts = [
            AccountChangeAnswer(
                account=show(ACCOUNT, one["account_id"]),
                handle=one["handle"],
                before=_points(one["before"], rejudge.points),
                after=_points(one["after"], rejudge.points),
                change=one["change"],
                kept=one["kept"],
                failed=one["failed"],
            )
            for one in summary["accounts"]
        ]
        counts = {name: value for name, value in summary.items() if name != "accounts"}
        shown = RejudgeSummaryAnswer(**counts, accounts=accounts)
    return RejudgeAnswer(**_common(rejudge, advance), summary=shown)


def _common(rejudge: Rejudge, advance: Advance) -> dict[str, Any]:
    selector = dict(rejudge.selector)
    if "account_id" in selector:
        selector["account"] = show(ACCOUNT, selector.pop("account_id"))
    return {
        "id": show(REJUDGE, rejudge.id),
        "problem": rejudge.slug,
        "revision": revision_answer(rejudge.revision_id, rejudge.revision_number),
        "selector": selector,
        "state": rejudge.state,
        "applies_itself": rejudge.applies_itself,
        "allow_decrease": rejudge.allow_decrease,
        "submissions": advance.submissions,
        "pending": advance.pending,
        "failed": advance.failed,
        "created_at": rejudge.created_at,
        "closed_at": rejudge.closed_at,
    }


def _points(fraction: list[int] | None, problem_points: int) -> float | None:
    return None if fraction is None else points(Score(*fraction), problem_points)


REJUDGE_ITEM_EXAMPLE: dict[str, Any] = {
    "id": "rej_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "problem": "sample_token",
    "revision": {"id": "rev_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f", "number": 2},
    "selector": {"revision": 1, "verdict": "wrong_answer"},
    "state": "preview",
    "applies_itself": False,
    "allow_decrease": False,
    "submissions": 31,
    "pending": 0,
    "failed": 0,
    "created_at": "2026-09-01T02:03:04.000005Z",
    "closed_at": None,
}
REJUDGE_EXAMPLE: dict[str, Any] = {
    **REJUDGE_ITEM_EXAMPLE,
    "summary": {
        "up": 1,
        "down": 0,
        "same": 0,
        "verdict_only": 0,
        "kept": 0,
        "failed": 0,
        "accounts": [
            {
                "account": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
                "handle": "ada",
                "before": 62.5,
                "after": 100.0,
                "change": "up",
                "kept": 0,
                "failed": 0,
            }
        ],
    },
}
