"""Query parameters that a route does not know are refused: a typo must not change an answer."""

from fastapi import Request
from fastapi.dependencies.models import Dependant

from judge.errors import Invalid, flaw

# On any route, as judge.api.locales has it.
_EVERYWHERE = frozenset({"locale"})


def refuse_unknown_parameters(request: Request) -> None:
    """A dependency of all routes of the API.

    Raises:
        Invalid: names every parameter that the route does not know.
    """
    if not request.query_params:
        return
    known = _EVERYWHERE | _names(request.scope["route"].dependant)
    unknown = [name for name in request.query_params if name not in known]
    if unknown:
        raise Invalid(
            "invalid-request",
            *(
                flaw(f"/query/{_pointer_part(name)}", "unknown-parameter", known=sorted(known))
                for name in unknown
            ),
        )


def _names(dependant: Dependant) -> frozenset[str]:
    own = {parameter.alias for parameter in dependant.query_params}
    return frozenset(own).union(*(_names(one) for one in dependant.dependencies))


def _pointer_part(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1").encode(errors="backslashreplace").decode()
