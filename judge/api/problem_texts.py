"""Hints and solutions. Reading one is remembered, so these need an account."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from judge.actions.open_texts import open_hint, open_solution
from judge.api.deps import PartsDep, ReadLocale, require
from judge.api.ids import REVISION, show
from judge.api.locales import HEADER
from judge.api.schemas.base import answers
from judge.api.schemas.problems import (
    HINT_EXAMPLE,
    SOLUTION_EXAMPLE,
    HintAnswer,
    ProblemTextAnswer,
)
from judge.domain.access import Caller, Scope

router = APIRouter(prefix="/problems", tags=["problems"])
Reader = Annotated[Caller, Depends(require(Scope.PROBLEMS_READ))]


@router.get(
    "/{slug}/hints/{number}",
    summary="Open a hint",
    responses=answers(HINT_EXAMPLE, 200, 401, 403, 404, 409),
)
def show_hint(
    slug: str,
    number: int,
    joined: PartsDep,
    caller: Reader,
    locale: ReadLocale,
    response: Response,
) -> HintAnswer:
    """Hints open one after the other, for learners after their first submission."""
    opened = open_hint(joined.database, caller, slug, number, locale)
    response.headers[HEADER] = opened.locale
    return HintAnswer(
        locale=opened.locale,
        markdown=opened.body_md,
        html=joined.renderer.text(opened.body_md, opened.constants),
        revision=show(REVISION, opened.revision_id),
        number=opened.number,
        total=opened.total,
    )


@router.get(
    "/{slug}/solution",
    summary="Open the solution",
    responses=answers(SOLUTION_EXAMPLE, 200, 401, 403, 404),
)
def show_solution(
    slug: str,
    joined: PartsDep,
    caller: Reader,
    locale: ReadLocale,
    response: Response,
) -> ProblemTextAnswer:
    """The author's explanation and code, for learners after their first submission."""
    opened = open_solution(joined.database, caller, slug, locale)
    response.headers[HEADER] = opened.locale
    return ProblemTextAnswer(
        locale=opened.locale,
        markdown=opened.body_md,
        html=joined.renderer.text(opened.body_md, opened.constants),
        revision=show(REVISION, opened.revision_id),
    )
