"""Links that admins make for anybody, and teachers for the learners of their own classes."""

from typing import Annotated

from fastapi import APIRouter, Depends

from judge.actions.invite import invite
from judge.actions.reset_link import make_reset_link
from judge.api.deps import PartsDep, require_any
from judge.api.ids import ACCOUNT, CLASS, read
from judge.api.schemas.base import answers, asks
from judge.api.schemas.links import (
    INVITATIONS_EXAMPLE,
    RESET_EXAMPLE,
    InvitationRequest,
    InvitationsAnswer,
    NewLinkAnswer,
    invitations_answer,
    new_link_answer,
)
from judge.domain.access import Caller, Role, Scope

router = APIRouter(prefix="/admin", tags=["admin"])
Staff = Annotated[Caller, Depends(require_any(Scope.ADMIN_ACCOUNTS, Scope.CLASS_WRITE))]


@router.post(
    "/invitations",
    status_code=201,
    summary="Invite people who have no account",
    responses=answers(INVITATIONS_EXAMPLE, 201, 401, 403, 404, 422),
    openapi_extra=asks(
        {"role": "learner", "class": "cls_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f", "count": 1}
    ),
)
def add_invitations(body: InvitationRequest, joined: PartsDep, caller: Staff) -> InvitationsAnswer:
    """Make one-time links, each for one account; who uses one joins the class that it names.

    Admins invite learners and teachers, teachers learners into the classes that they teach. Where
    registration is ``closed`` only the invitations of admins work.
    """
    class_id = None if body.class_id is None else read(CLASS, body.class_id)
    is_closed = joined.settings.registration == "closed"
    links = invite(
        joined.database, caller, Role(body.role), class_id, body.count, is_closed=is_closed
    )
    return invitations_answer(body, class_id, links, joined.settings.public_url)


@router.post(
    "/accounts/{account_id}/reset-link",
    status_code=201,
    summary="Make a link that sets an account's password",
    responses=answers(RESET_EXAMPLE, 201, 401, 403, 404, 409),
)
def add_reset_link(account_id: str, joined: PartsDep, caller: Staff) -> NewLinkAnswer:
    """Make a one-time link for somebody who has lost the password; an earlier one ends.

    Admins for every account, teachers for active learners of their classes. It is audited, and the
    account gets a notice.
    """
    link = make_reset_link(joined.database, caller, read(ACCOUNT, account_id))
    return new_link_answer(link, joined.settings.public_url)
