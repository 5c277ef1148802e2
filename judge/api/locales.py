"""In which locale an answer speaks.

Asked for with ``?locale=`` on any route; else the account's, if the request has shown one; else the
best of Accept-Language (RFC 9110, section 12.5.4); else English.
"""

from fastapi import Request
from starlette.types import Scope

from judge.api.wishes import read_wish
from judge.i18n import FALLBACK, LOCALES

HEADER = "Content-Language"


def remember_account(request: Request, locale: str) -> None:
    """Let answers to this request speak the locale of the account that sent it."""
    request.state.account_locale = locale


def remember_looking(request: Request) -> None:
    """Note that the caller was looked for; whoever is not found now is not looked for again."""
    request.state.account_locale = ""


def needs_account(request: Request) -> bool:
    """Whether the account's locale would decide, and nobody has looked for the account yet."""
    is_asked = request.query_params.get("locale") in LOCALES
    return not is_asked and not hasattr(request.state, "account_locale")


def choose_locale(scope: Scope) -> str:
    """The locale for the answer to a request, at whatever depth the answer is written."""
    request = Request(scope)
    asked = request.query_params.get("locale", "")
    of_account = scope.get("state", {}).get("account_locale", "")
    for locale in (asked, of_account, *_accepted(request.headers.get("accept-language", ""))):
        if locale in LOCALES:
            return str(locale)
    return FALLBACK


def _accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header without their regions, best first."""
    wishes = [read_wish(part) for part in header.split(",")]
    ranked = sorted(wishes, key=lambda wish: -wish[1])
    return [name.partition("-")[0] for name, quality in ranked if quality > 0]
