"""The gradebook of a class: computed when it is read, never stored."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response

from judge.api.deps import Parts, PartsDep, require
from judge.api.formats import CANVAS, CSV, JSON, MOODLE, Form, form_of
from judge.api.gradebook_csv import gradebook_csv
from judge.api.ids import CLASS, read
from judge.api.moments import QueryMoment, read_query_moment
from judge.api.schemas.base import answers
from judge.api.schemas.gradebook import (
    GRADEBOOK_EXAMPLE,
    Gradebook,
    GradebookAnswer,
    gradebook_answer,
)
from judge.db.queries.assignments import list_assignments
from judge.db.queries.gradebook import list_learners, map_candidates, map_class_openings
from judge.db.queries.school_classes import select_taught_class
from judge.db.queries.scores import hold_snapshot
from judge.db.types import now
from judge.domain.access import Caller, Scope
from judge.domain.gradebook import Cell, cell_of

router = APIRouter(tags=["classes"])
Reader = Annotated[Caller, Depends(require(Scope.CLASS_READ))]
_EXAMPLES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            JSON: {"example": GRADEBOOK_EXAMPLE},
            CSV: {"example": "external_id,handle,display_name,Week 1"},
            CANVAS: {"example": "Student,ID,SIS User ID,SIS Login ID,Section,Week 1"},
            MOODLE: {"example": "ID number,Username,Full name,Week 1 (Real)"},
        }
    }
}


@router.get(
    "/classes/{class_id}/gradebook",
    summary="Read a class's gradebook",
    response_model=GradebookAnswer,
    responses={**answers(None, 200, 401, 403, 404, 406, 422), **_EXAMPLES},
)
def show_gradebook(
    class_id: str,
    joined: PartsDep,
    caller: Reader,
    form: Annotated[Form, Depends(form_of(JSON, CSV, CANVAS, MOODLE))],
    as_of: Annotated[
        QueryMoment | None, Query(description="Only what was handed in until this time.")
    ] = None,
) -> Any:
    """The learners of the class by the assignments: best score in time, or late as the rule says.

    As JSON, or as CSV by Accept: plain, or with a profile as Canvas or Moodle import it.
    """
    moment = now() if as_of is None else read_query_moment("as_of", as_of)
    book = read_gradebook(joined, caller, read(CLASS, class_id), moment)
    if form.media_type != JSON:
        return gradebook_table(book, form)
    return gradebook_answer(book)


def gradebook_table(book: Gradebook, form: Form) -> Response:
    """The gradebook as CSV."""
    lines = gradebook_csv(book, form.media_type)
    # The type's own parameter says the profile; charset belongs to every text.
    media_type = f"{form.media_type}; charset=utf-8"
    return Response((form.prefix + "".join(lines)).encode(), headers={"Content-Type": media_type})


def read_gradebook(joined: Parts, caller: Caller, class_id: str, as_of: datetime) -> Gradebook:
    """A class's gradebook for who teaches it.

    Raises:
        NotFound: there is no such class, or the caller does not teach it.
    """
    with joined.database.read() as connection:
        hold_snapshot(connection)
        school_class = select_taught_class(connection, class_id, caller)
        columns = list_assignments(connection, class_id)
        rows = list_learners(connection, class_id)
        candidates = map_candidates(connection, class_id, as_of)
        openings = map_class_openings(connection, class_id, as_of)
    cells: dict[tuple[str, str], Cell] = {}
    by_id = {column.id: column for column in columns}
    for (account_id, assignment_id), found in candidates.items():
        column = by_id[assignment_id]
        opened_at = openings.get((account_id, column.problem_id))
        cell = cell_of(found, column.terms, column.points, opened_at)
        if cell is not None:
            cells[account_id, assignment_id] = cell
    return Gradebook(class_id, school_class.name, as_of, columns, rows, cells)
