"""The audit log."""

from collections.abc import Mapping
from typing import Any

from judge.api.ids import ACCOUNT, ASSIGNMENT, AUDIT, CLASS, REJUDGE, TOKEN, show
from judge.api.schemas.base import AnswerModel, Moment
from judge.db.queries.audit import AuditEntry


class AuditAnswer(AnswerModel):
    """Who did what, from where.

    Without an actor it was done on the judge's own machine. ``target`` is an id as everywhere, or a
    kind and a name (``problem:sample_token``); ``network`` the address cut to its network.
    """

    id: str
    at: Moment
    actor: str | None
    actor_id: str | None
    token_id: str | None
    network: str | None
    action: str
    target: str
    before: dict[str, Any]
    after: dict[str, Any]


class AuditPage(AnswerModel):
    """Entries, the newest first."""

    items: list[AuditAnswer]
    next: str | None


def audit_answer(entry: AuditEntry) -> AuditAnswer:
    """One entry."""
    return AuditAnswer(
        id=show(AUDIT, entry.id),
        at=entry.at,
        actor=entry.actor,
        actor_id=None if entry.actor_id is None else show(ACCOUNT, entry.actor_id),
        token_id=None if entry.token_id is None else show(TOKEN, entry.token_id),
        network=entry.ip_prefix,
        action=entry.action,
        target=_shown(entry.target),
        before=_values(entry.before),
        after=_values(entry.after),
    )


def read_target(text: str) -> str:
    """What the log calls a thing that is named by its id; any other text as it is."""
    prefix, _, identifier = text.partition("_")
    kind = next((name for name, known in _PREFIXES.items() if known == prefix), None)
    return text if kind is None else f"{kind}:{identifier}"


_PREFIXES = {
    "account": ACCOUNT,
    "assignment": ASSIGNMENT,
    "class": CLASS,
    "rejudge": REJUDGE,
    "token": TOKEN,
}


def _shown(target: str) -> str:
    kind, _, identifier = target.partition(":")
    return show(_PREFIXES[kind], identifier) if kind in _PREFIXES and identifier else target


def _values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Ids among them as everywhere."""
    return {
        key: show(_PREFIXES[key], value) if key in _PREFIXES and isinstance(value, str) else value
        for key, value in values.items()
    }


AUDIT_EXAMPLE = {
    "id": "aud_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "at": "2026-09-01T02:03:04.000005Z",
    "actor": "admin-1",
    "actor_id": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e80",
    "token_id": "tok_01990c1e5b7f7c3e9a1d2f3b4c5d6e81",
    "network": "192.0.2.0/24",
    "action": "account.change",
    "target": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e82",
    "before": {"role": "learner"},
    "after": {"role": "teacher"},
}
