"""Says in the OpenAPI document who may call: read from the dependencies that enforce it.

Of a token's requirement the roles are the scopes that it must have; where any one of several is
enough, each is a choice of its own.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from judge.api.deps import Needs, NeedsIfKnown, require_caller, require_session

Security = list[dict[str, list[str]]]
_SESSION: dict[str, list[str]] = {"session": []}


def say_who_may_call(document: dict[str, Any], prefix: str, routes: Iterable[BaseRoute]) -> None:
    """Write the requirements of every route below ``prefix`` that has any, in place."""
    for route in routes:
        if isinstance(route, APIRoute) and route.include_in_schema:
            security = _security(list(_calls(route.dependant)))
            operations = document["paths"][prefix + route.path_format]
            if security is not None:
                for method in route.methods or ():
                    operations[method.lower()]["security"] = security


def _security(calls: list[Any]) -> Security | None:
    if require_session in calls:
        return [_SESSION]
    for call in calls:
        # What is built upon a need holds it.
        need = getattr(call, "needs", call)
        if isinstance(need, Needs | NeedsIfKnown):
            tokens = [{"token": [scope.value]} for scope in need.scopes]
            anybody: Security = [{}] if isinstance(need, NeedsIfKnown) else []
            return [*anybody, *tokens, _SESSION]
    return [{"token": []}, _SESSION] if require_caller in calls else None


def _calls(dependant: Dependant) -> Iterator[Any]:
    for one in dependant.dependencies:
        yield one.call
        yield from _calls(one)
