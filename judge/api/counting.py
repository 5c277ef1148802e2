"""Counts every request of the API.

An account is counted as a whole, whichever token it uses. Whoever is not signed in is counted by
address, and in IPv6 by the network that a provider gives to one household (/64).
"""

from fastapi import Request

from judge.api.deps import FoundCaller, Parts, PartsDep
from judge.api.networks import address_of, household_of
from judge.api.rates import CHANGE, READ, RUN, SIGN_IN, SUBMIT, WINDOW_S
from judge.domain.access import Caller
from judge.errors import TooMany

_READING = ("GET", "HEAD")
_POLICY_OF = {
    "/problems/{slug}/submissions": SUBMIT,
    "/submissions:batch": SUBMIT,
    "/problems/{slug}/runs": RUN,
}


def count_request(request: Request, joined: PartsDep, caller: FoundCaller) -> None:
    """Count a request for its caller; a dependency of all counted routes.

    Raises:
        TooMany: ``too-many-requests``.
    """
    if hasattr(request.state, "counted"):
        # Before its body was read.
        return
    is_reading = request.method in _READING
    if caller is None and not is_reading:
        # It is refused, for it has nobody's account.
        return
    name = READ if is_reading else _POLICY_OF.get(request.scope["route"].path, CHANGE)
    _count(request, joined, name, _household(request) if caller is None else caller.account_id)


def count_sign_in(request: Request, joined: PartsDep) -> None:
    """Count for an address what is asked before there is an account: signing in, registering.

    Raises:
        TooMany: ``too-many-requests``.
    """
    _count(request, joined, SIGN_IN, _household(request))


def count_admitted(request: Request, joined: Parts, caller: Caller) -> None:
    """Count a batch before its large body is read; it is not counted again afterwards.

    Raises:
        TooMany: as ``count_request``.
    """
    _count(request, joined, SUBMIT, caller.account_id)


def count_another(request: Request, joined: Parts, caller: Caller) -> None:
    """Count one more of what a request does more than once.

    Raises:
        TooMany: as ``count_request``.
    """
    _count(request, joined, _POLICY_OF[request.scope["route"].path], caller.account_id)


def _count(request: Request, joined: Parts, name: str, who: str) -> None:
    counted, is_allowed = joined.rates.count(name, who)
    request.state.counted = counted
    if not is_allowed:
        raise TooMany(
            "too-many-requests",
            seconds=counted.seconds,
            policy=name,
            most=counted.policy.most,
            window=WINDOW_S,
        )


def _household(request: Request) -> str:
    return household_of(address_of(request))
