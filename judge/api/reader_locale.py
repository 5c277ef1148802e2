"""Whose locale speaks where nobody had to say who calls: pages for everybody, early refusals.

As judge.api.locales chooses it, but nothing that is wrong with the request hides the page or the
refusal: it may be the one that explains what is wrong.
"""

from fastapi import Request

from judge.api.deps import find_caller, parts
from judge.api.locales import choose_locale, needs_account
from judge.errors import Refused, StorageUnavailable


def find_reader_locale(request: Request) -> str:
    """The locale that is asked for, else the account's, else the browser's, else English."""
    meet_reader(request)
    return choose_locale(request.scope)


def meet_reader(request: Request) -> None:
    """Learn the account's locale, if it matters, and there is an account and a database to ask."""
    if not needs_account(request):
        return
    try:
        find_caller(request, parts(request))
    except (Refused, StorageUnavailable):
        return
