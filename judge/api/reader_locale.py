"""The locale of a page that everybody may read.

As judge.api.locales chooses it, but nothing that is wrong with the request hides the page: it may
be the one that explains what is wrong.
"""

from fastapi import Request

from judge.api.deps import find_caller, parts
from judge.api.locales import choose_locale
from judge.errors import Refused, StorageUnavailable
from judge.i18n import LOCALES


def find_reader_locale(request: Request) -> str:
    """The locale that is asked for, else the account's, else the browser's, else English."""
    if request.query_params.get("locale") not in LOCALES:
        _meet_reader(request)
    return choose_locale(request.scope)


def _meet_reader(request: Request) -> None:
    """Learn the account's locale, if there is an account and a database to ask."""
    try:
        find_caller(request, parts(request))
    except (Refused, StorageUnavailable):
        return
