"""What one call of a signed-in caller carries through the steps of an endpoint."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends

from judge.api.deps import FoundCaller, Parts, PartsDep, ReadLocale, require
from judge.domain.access import Caller, Scope


@dataclass(frozen=True)
class Desk:
    """One call: the parts, who asks, and in which locale."""

    joined: Parts
    caller: Caller
    locale: str


def desk(scope: Scope) -> Callable[..., Desk]:
    """A dependency: the desk of a caller who holds a scope."""
    check = require(scope)

    def build(joined: PartsDep, caller: FoundCaller, locale: ReadLocale) -> Desk:
        return Desk(joined, check(caller), locale)

    return build


Writing = Annotated[Desk, Depends(desk(Scope.SUBMISSIONS_WRITE))]
Reading = Annotated[Desk, Depends(desk(Scope.SUBMISSIONS_READ))]
