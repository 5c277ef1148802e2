"""Counts every request of the API but those of signing in, which has a limit of its own.

An account is counted as a whole, whichever token it uses. Whoever is not signed in is counted by
address, and in IPv6 by the network that a provider gives to one household (/64).
"""

import ipaddress

from fastapi import Request

from judge.api.deps import FoundCaller, Parts, PartsDep
from judge.api.rates import CHANGE, READ, RUN, SUBMIT, WINDOW_S
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
    is_reading = request.method in _READING
    if caller is None and not is_reading:
        # It is refused, for it has nobody's account.
        return
    name = READ if is_reading else _POLICY_OF.get(request.scope["route"].path, CHANGE)
    _count(request, joined, name, _network(request) if caller is None else caller.account_id)


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


def _network(request: Request) -> str:
    """Whoever shares a quota without an account."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((int(address), 64), strict=False))
