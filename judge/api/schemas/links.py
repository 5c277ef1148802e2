"""One-time links: made, looked at, used."""

from typing import Annotated, Literal

from pydantic import Field

from judge.actions.links import GoodLink, NewLink
from judge.api.ids import CLASS, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.api.schemas.choices import AskedLocale
from judge.db.queries.links import Purpose
from judge.domain.access import Role

MAX_INVITATIONS = 100


class LinkToken(RequestModel):
    """The secret of a link, as it was shown when the link was made."""

    token: Annotated[Text, Field(min_length=1, max_length=128)]


class LinkUse(LinkToken):
    """The password, and where the link makes an account also who it is for."""

    password: Annotated[Text, Field(max_length=1024)]
    handle: Annotated[Text, Field(max_length=64)] | None = None
    email: Annotated[Text, Field(max_length=320)] | None = None
    display_name: Annotated[Text, Field(max_length=320)] | None = None
    locale: Annotated[AskedLocale, Field(max_length=16)] | None = None
    time_zone: Annotated[Text, Field(max_length=64)] | None = None


class LinkAnswer(AnswerModel):
    """What a link is for; ``handle`` is null where it makes an account."""

    purpose: Purpose
    handle: str | None
    role: Role
    class_name: str | None
    expires_at: Moment


class NewLinkAnswer(AnswerModel):
    """A link with its secret, which is given in this answer and never again.

    ``url`` begins with JUDGE_PUBLIC_URL, and with a slash where that is not set.
    """

    purpose: Purpose
    token: str
    url: str
    expires_at: Moment


class InvitationRequest(RequestModel):
    """How many invitations, as what, into which class."""

    role: Literal["learner", "teacher"] = "learner"
    class_id: Annotated[Text | None, Field(alias="class", max_length=64)] = None
    count: Annotated[int, Field(ge=1, le=MAX_INVITATIONS)] = 1


class InvitationsAnswer(AnswerModel):
    """The invitations that were made: each for one account."""

    role: Literal["learner", "teacher"]
    class_id: Annotated[str | None, Field(serialization_alias="class")]
    items: list[NewLinkAnswer]


def link_answer(good: GoodLink) -> LinkAnswer:
    """What a link is for."""
    return LinkAnswer(
        purpose=good.link.purpose,
        handle=good.handle,
        role=good.link.role,
        class_name=good.class_name,
        expires_at=good.link.expires_at,
    )


def new_link_answer(new: NewLink, public_url: str) -> NewLinkAnswer:
    """A link with its secret."""
    return NewLinkAnswer(
        purpose=new.purpose,
        token=new.secret,
        url=f"{public_url}{new.path}",
        expires_at=new.expires_at,
    )


def invitations_answer(
    request: InvitationRequest, class_id: str | None, links: tuple[NewLink, ...], public_url: str
) -> InvitationsAnswer:
    """All invitations of one request."""
    return InvitationsAnswer(
        role=request.role,
        class_id=None if class_id is None else show(CLASS, class_id),
        items=[new_link_answer(one, public_url) for one in links],
    )


LINK_EXAMPLE = {
    "purpose": "reset",
    "handle": "ada",
    "role": "learner",
    "class_name": None,
    "expires_at": "2026-09-04T02:03:04.000005Z",
}
_TOKEN = "(43 characters)"  # noqa: S105 - stands for one
RESET_EXAMPLE = {
    "purpose": "reset",
    "token": _TOKEN,
    "url": f"https://judge.example/reset?token={_TOKEN}",
    "expires_at": "2026-09-04T02:03:04.000005Z",
}
INVITATIONS_EXAMPLE = {
    "role": "learner",
    "class": "cls_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "items": [
        {
            "purpose": "invitation",
            "token": _TOKEN,
            "url": f"https://judge.example/invitation?token={_TOKEN}",
            "expires_at": "2026-09-15T02:03:04.000005Z",
        }
    ],
}
