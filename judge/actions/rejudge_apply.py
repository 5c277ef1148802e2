"""Applying a rejudge: new judgements take the place of the earlier ones, in one transaction.

Owns what may take a place (judge.domain.rejudging decides it), the flip of is_current, the best
scores that follow, and the notice to every account for which something changed. The accounts are
locked before they are read, so a submission that is judged at the same moment is counted by
whoever comes second.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import Connection, bindparam, update

from judge.actions.audit import REJUDGE_NOTICE, add_audit, add_notices
from judge.actions.recompute import recompute_within
from judge.actions.score_turn import take_score_turn
from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.queries.rejudges import (
    APPLIED,
    PREVIEW,
    Item,
    Rejudge,
    count_items,
    list_items,
    lock_rejudge,
)
from judge.db.queries.scores import map_scored
from judge.db.queries.unlocks import map_solution_openings
from judge.db.tables import judgement, rejudge, rejudge_item
from judge.db.types import now
from judge.domain.access import Caller, Role
from judge.domain.progress import BestScore
from judge.domain.rejudging import Change, Effect, effect_on
from judge.errors import Conflict, Forbidden


@dataclass(frozen=True)
class AccountEffect:
    """What a rejudge does to one account."""

    account_id: str
    handle: str
    effect: Effect


def apply_rejudge(
    database: Database, actor: Caller | None, rejudge_id: str, *, allow_decrease: bool = False
) -> tuple[AccountEffect, ...]:
    """Let the new judgements take the place of the earlier ones; what that did to each account.

    Raises:
        NotFound: there is no such rejudge.
        Conflict: ``rejudge-closed`` if it was applied or cancelled; ``rejudge-unfinished`` while
            submissions of it wait to be judged.
        Forbidden: the actor is no admin.
    """
    check_actor(actor)
    with database.write() as connection:
        found = lock_rejudge(connection, rejudge_id)
        check_open(found)
        pending = count_items(connection, rejudge_id).pending
        if pending:
            raise Conflict("rejudge-unfinished", pending=pending)
        return _apply(connection, actor, found, allow_decrease=allow_decrease)


def apply_if_done(connection: Connection, rejudge_id: str) -> bool:
    """Apply a rejudge that applies itself, once everything of it is judged.

    The caller has locked it. Of the workers that record its last judgements at once the one that
    comes last finds nothing waiting.
    """
    found = lock_rejudge(connection, rejudge_id)
    if found.state != PREVIEW or not found.applies_itself:
        return False
    if count_items(connection, rejudge_id).pending:
        return False
    _apply(connection, None, found, allow_decrease=found.allow_decrease)
    return True


def preview_effects(
    connection: Connection, found: Rejudge, *, allow_decrease: bool
) -> tuple[AccountEffect, ...]:
    """What applying would do to each account, as far as everything is judged."""
    scored = map_scored(connection, found.problem_id)
    openings = map_solution_openings(connection, found.problem_id)
    effects = []
    for account_id, items in _by_account(list_items(connection, found.id)):
        key = (account_id, found.problem_id)
        effect = effect_on(
            scored.get(key, []),
            [one.rejudged for one in items],
            openings.get(key),
            allow_decrease=allow_decrease,
        )
        effects.append(AccountEffect(account_id, items[0].handle, effect))
    return tuple(effects)


def summarize(effects: Sequence[AccountEffect]) -> dict[str, object]:
    """Counts of accounts by change, and each account with its scores: what is kept of a rejudge."""
    counts = {change.value: 0 for change in Change}
    for one in effects:
        counts[one.effect.change.value] += 1
    return {
        **counts,
        "kept": sum(bool(one.effect.kept) for one in effects),
        "failed": sum(len(one.effect.failed) for one in effects),
        "accounts": [
            {
                "account_id": one.account_id,
                "handle": one.handle,
                "before": _fraction(one.effect.before),
                "after": _fraction(one.effect.after),
                "change": one.effect.change.value,
                "kept": len(one.effect.kept),
                "failed": len(one.effect.failed),
            }
            for one in effects
        ],
    }


def _fraction(best: BestScore | None) -> list[int] | None:
    return None if best is None else [best.score.earned, best.score.max]


def check_actor(actor: Caller | None) -> None:
    """Only admins rejudge by hand; without an actor it is whoever runs the judge.

    Raises:
        Forbidden: ``rejudge-by-admin``.
    """
    if actor is not None and actor.role is not Role.ADMIN:
        raise Forbidden("rejudge-by-admin")


def check_open(found: Rejudge) -> None:
    """A rejudge is applied or cancelled once.

    Raises:
        Conflict: ``rejudge-closed``.
    """
    if found.state != PREVIEW:
        raise Conflict("rejudge-closed", state=found.state)


def _by_account(items: Sequence[Item]) -> list[tuple[str, list[Item]]]:
    """Items are in order of account id."""
    grouped = groupby(items, key=lambda one: one.account_id)
    return [(account_id, list(members)) for account_id, members in grouped]


def _apply(
    connection: Connection, actor: Caller | None, found: Rejudge, *, allow_decrease: bool
) -> tuple[AccountEffect, ...]:
    items = list_items(connection, found.id)
    take_score_turn(connection)
    for account_id in sorted({one.account_id for one in items}):
        lock_account(connection, account_id)
    # Read again: what others recorded before the locks were given is seen now.
    effects = preview_effects(connection, found, allow_decrease=allow_decrease)
    taken = {submission_id for one in effects for submission_id in one.effect.taken}
    kept = {submission_id for one in effects for submission_id in one.effect.kept}
    decisions = {
        one.judgement_id: _decision(one.rejudged.submission_id, taken, kept) for one in items
    }
    _flip(connection, [one for one in items if one.rejudged.submission_id in taken])
    decide(connection, found.id, decisions)
    for one in effects:
        recompute_within(connection, one.account_id, found.problem_id)
    changed = [one.account_id for one in effects if one.effect.change is not Change.SAME]
    add_notices(connection, changed, REJUDGE_NOTICE, found.id)
    summary = summarize(effects)
    close(connection, found, APPLIED, summary, allow_decrease=allow_decrease)
    counts = {name: value for name, value in summary.items() if name != "accounts"}
    add_audit(
        connection,
        actor,
        "rejudge.apply",
        f"rejudge:{found.id}",
        {},
        {**counts, "allow_decrease": allow_decrease},
    )
    return effects


def _decision(submission_id: str, taken: set[str], kept: set[str]) -> str:
    if submission_id in taken:
        return "taken"
    return "kept" if submission_id in kept else "failed"


def _flip(connection: Connection, items: Sequence[Item]) -> None:
    """The earlier ones go first: a submission never has two current judgements."""
    if not items:
        return
    which = update(judgement).where(judgement.c.id == bindparam("judgement"))
    for is_current, ids in (
        (False, [one.current_id for one in items]),
        (True, [one.judgement_id for one in items]),
    ):
        connection.execute(which.values(is_current=is_current), [{"judgement": one} for one in ids])


def decide(connection: Connection, rejudge_id: str, decisions: dict[str, str]) -> None:
    """Write what became of each new judgement; those without a decision are dropped."""
    mine = rejudge_item.c.rejudge_id == rejudge_id
    connection.execute(update(rejudge_item).where(mine).values(decision="dropped"))
    rows = [{"judgement": one, "became": decision} for one, decision in decisions.items()]
    if rows:
        connection.execute(
            update(rejudge_item)
            .where(mine, rejudge_item.c.judgement_id == bindparam("judgement"))
            .values(decision=bindparam("became")),
            rows,
        )


def close(
    connection: Connection,
    found: Rejudge,
    state: str,
    summary: dict[str, object],
    *,
    allow_decrease: bool,
) -> None:
    """Write how a rejudge ended."""
    connection.execute(
        update(rejudge)
        .where(rejudge.c.id == found.id)
        .values(state=state, summary=summary, allow_decrease=allow_decrease, closed_at=now())
    )
