"""What one call of a signed-in caller carries through the steps of an endpoint."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends

from judge.api.deps import FoundCaller, Needs, Parts, PartsDep, ReadLocale, require
from judge.domain.access import Caller, Scope


@dataclass(frozen=True)
class Desk:
    """One call: the parts, who asks, and in which locale."""

    joined: Parts
    caller: Caller
    locale: str


@dataclass(frozen=True)
class DeskFor:
    """A dependency: the desk of a caller who holds what is needed."""

    needs: Needs

    def __call__(self, joined: PartsDep, caller: FoundCaller, locale: ReadLocale) -> Desk:
        """The desk."""
        return Desk(joined, self.needs(caller), locale)


Writing = Annotated[Desk, Depends(DeskFor(require(Scope.SUBMISSIONS_WRITE)))]
Reading = Annotated[Desk, Depends(DeskFor(require(Scope.SUBMISSIONS_READ)))]
