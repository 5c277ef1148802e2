"""Feedback on a problem: what it is about, how far it is, and when it opens again. Pure."""

from enum import StrEnum

MAX_BODY_CHARS = 4_000


class FeedbackKind(StrEnum):
    """What a thread is about."""

    STATEMENT = "statement"
    TEST = "test"
    TRANSLATION = "translation"
    IDEA = "idea"


class FeedbackState(StrEnum):
    """How far a thread is; nobody has answered a new one yet."""

    NEW = "new"
    OPEN = "open"
    FIXED = "fixed"
    DECLINED = "declined"
    DUPLICATE = "duplicate"


def after_reply(state: FeedbackState, *, by_staff: bool) -> FeedbackState:
    """The state of a thread after a message that both sides read.

    Staff's first answer opens a new thread; its author opens one again that was closed. A duplicate
    stays one: its matter goes on elsewhere.
    """
    if by_staff:
        return FeedbackState.OPEN if state is FeedbackState.NEW else state
    is_closed = state in (FeedbackState.FIXED, FeedbackState.DECLINED)
    return FeedbackState.OPEN if is_closed else state
