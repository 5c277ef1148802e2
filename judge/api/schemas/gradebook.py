"""The gradebook of a class as a matrix."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.api.ids import ACCOUNT, ASSIGNMENT, CLASS, SUBMISSION, show
from judge.api.schemas.base import AnswerModel, Moment
from judge.db.queries.assignments import Assignment
from judge.db.queries.members import Member
from judge.domain.gradebook import Cell


@dataclass(frozen=True)
class Gradebook:
    """A class's columns, rows and cells; a cell that is missing is null."""

    class_id: str
    name: str
    as_of: datetime
    columns: Sequence[Assignment]
    rows: Sequence[Member]
    cells: Mapping[tuple[str, str], Cell]

    def cell(self, row: Member, column: Assignment) -> Cell | None:
        """The cell of an account and an assignment."""
        return self.cells.get((row.account_id, column.id))


class GradebookColumnAnswer(AnswerModel):
    """One assignment; ``max_score`` is what the problem is worth."""

    assignment: str
    problem: str
    title: str
    max_score: int
    weight: int
    opens_at: Moment | None
    due_at: Moment | None
    late_percent: int


class GradebookCellAnswer(AnswerModel):
    """One account on one assignment.

    ``score`` is null if nothing counts, which is not 0, and holds the deduction for lateness
    already. ``submissions`` counts the judged ones that count; ``submission`` is the best of them.
    """

    score: float | None
    max_score: int
    late: bool
    after_solution: bool
    submissions: int
    submission: str | None
    updated_at: Moment | None


class GradebookRowAnswer(AnswerModel):
    """One learner, with a cell for each column in their order."""

    account: str
    handle: str
    display_name: str
    external_id: str | None
    cells: list[GradebookCellAnswer]


class GradebookAnswer(AnswerModel):
    """Columns by position, rows by handle. ``as_of``: what was handed in later does not count."""

    class_id: str
    as_of: Moment
    columns: list[GradebookColumnAnswer]
    rows: list[GradebookRowAnswer]


def gradebook_answer(book: Gradebook) -> GradebookAnswer:
    """The whole matrix."""
    return GradebookAnswer(
        class_id=show(CLASS, book.class_id),
        as_of=book.as_of,
        columns=[
            GradebookColumnAnswer(
                assignment=show(ASSIGNMENT, column.id),
                problem=column.slug,
                title=column.title,
                max_score=column.points,
                weight=column.weight,
                opens_at=column.terms.opens_at,
                due_at=column.terms.due_at,
                late_percent=column.terms.late_percent,
            )
            for column in book.columns
        ],
        rows=[
            GradebookRowAnswer(
                account=show(ACCOUNT, row.account_id),
                handle=row.handle,
                display_name=row.display_name,
                external_id=row.external_id,
                cells=[_cell(book.cell(row, column), column.points) for column in book.columns],
            )
            for row in book.rows
        ],
    )


def _cell(cell: Cell | None, max_score: int) -> GradebookCellAnswer:
    return GradebookCellAnswer(
        score=None if cell is None else cell.points,
        max_score=max_score,
        late=cell is not None and cell.is_late,
        after_solution=cell is not None and cell.after_solution,
        submissions=0 if cell is None else cell.submissions,
        submission=None if cell is None else show(SUBMISSION, cell.submission_id),
        updated_at=None if cell is None else cell.updated_at,
    )


GRADEBOOK_EXAMPLE = {
    "class_id": "cls_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "as_of": "2026-09-09T00:00:00.000000Z",
    "columns": [
        {
            "assignment": "asg_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
            "problem": "sample_token",
            "title": "Week 1",
            "max_score": 100,
            "weight": 1,
            "opens_at": "2026-09-01T00:00:00.000000Z",
            "due_at": "2026-09-08T16:59:00.000000Z",
            "late_percent": 50,
        }
    ],
    "rows": [
        {
            "account": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
            "handle": "ada",
            "display_name": "Ada",
            "external_id": "20260017",
            "cells": [
                {
                    "score": 50.0,
                    "max_score": 100,
                    "late": True,
                    "after_solution": False,
                    "submissions": 2,
                    "submission": "sub_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
                    "updated_at": "2026-09-08T18:03:04.150005Z",
                }
            ],
        }
    ],
}
