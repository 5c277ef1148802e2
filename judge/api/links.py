"""One-time links: what they are for, and using them.

The secret travels in the body, never in the address: addresses stand in the logs of proxies.
"""

from fastapi import APIRouter, Request, Response

from judge.actions.accounts import NewAccount
from judge.actions.links import select_good_link
from judge.actions.use_link import Person
from judge.actions.use_link import use_link as use_secret
from judge.api.address_oracle import told_sparingly
from judge.api.deps import Parts, PartsDep, check_same_origin
from judge.api.locales import choose_locale
from judge.api.networks import address_of
from judge.api.schemas.accounts import ACCOUNT_EXAMPLE, AccountAnswer, account_answer
from judge.api.schemas.base import answers, asks
from judge.api.schemas.links import LINK_EXAMPLE, LinkAnswer, LinkToken, LinkUse, link_answer
from judge.api.session_cookie import end_earlier_session, give_cookie, origin_of
from judge.db.queries.notices import count_unread
from judge.domain.access import ROLE_SCOPES

router = APIRouter(prefix="/auth", tags=["auth"])
_TOKEN = {"token": "(43 characters)"}


@router.post(
    "/links:check",
    summary="Ask what a one-time link is for",
    responses=answers(LINK_EXAMPLE, 200, 404, 410, 422),
    openapi_extra=asks(_TOKEN),
)
def check_link(body: LinkToken, joined: PartsDep) -> LinkAnswer:
    """Say what the link does, without using it: sets a password, or makes an account."""
    with joined.database.read() as connection:
        good = select_good_link(connection, body.token, is_closed=_is_closed(joined))
    return link_answer(good)


@router.post(
    "/links:use",
    summary="Use a one-time link and sign in",
    responses=answers(ACCOUNT_EXAMPLE, 200, 403, 404, 409, 410, 422, 429),
    openapi_extra=asks({**_TOKEN, "password": "correct horse"}),
)
def use_link(
    body: LinkUse, request: Request, response: Response, joined: PartsDep
) -> AccountAnswer:
    """Set the password of the link's account, or make the account that it stands for.

    The link is used up by the same transaction; one that is refused for its fields stays good.
    Setting a password ends the account's sessions and tokens. The answer sets the cookie; the
    session that the request came with, if any, ends.
    """
    check_same_origin(request, joined.settings)
    person = Person(body.password, _new_account(body, request))
    with told_sparingly(joined.sign_in_limit, body.email, address_of(request)):
        signed_in = use_secret(
            joined.database, body.token, person, origin_of(request), is_closed=_is_closed(joined)
        )
    end_earlier_session(request, joined)
    give_cookie(signed_in.cookie, request, response, joined)
    with joined.database.read() as connection:
        unread = count_unread(connection, signed_in.account.id)
    return account_answer(signed_in.account, sorted(ROLE_SCOPES[signed_in.account.role]), unread)


def _new_account(body: LinkUse, request: Request) -> NewAccount | None:
    """Who the link is for, if anything was said about that."""
    said = body.model_dump(exclude={"token", "password"}, exclude_none=True)
    if not said:
        return None
    rest = {"handle": "", "locale": choose_locale(request.scope), **said}
    return NewAccount(password=body.password, **rest)


def _is_closed(joined: Parts) -> bool:
    return joined.settings.registration == "closed"
