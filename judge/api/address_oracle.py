"""That an e-mail address is taken is told seldom: else a list of addresses could be tried out.

It has to be told at all because an address belongs to one account, and nothing is sent to it that
could tell its owner instead. Nobody signs in by an address.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from judge.api.networks import household_of
from judge.api.sign_in_limit import SignInLimit
from judge.errors import Conflict


@contextmanager
def told_sparingly(limit: SignInLimit, email: str | None, who: str) -> Iterator[None]:
    """Around what may refuse ``email`` as taken; ``who`` is a network address or account id.

    Raises:
        HttpProblem: 429 where that was told too often.
    """
    if not email:
        yield
        return
    # No sign-in has such a key: addresses hold no space.
    key = ("", f"e-mail {household_of(who)}")
    with limit.attempt(*key, _is_telling, forgets=False):
        yield


def _is_telling(error: Exception) -> bool:
    return isinstance(error, Conflict) and error.code == "email-taken"
