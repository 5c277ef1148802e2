"""What is wrong with one row of a list that was handed in."""

from judge.api.schemas.base import AnswerModel
from judge.errors import Flaw
from judge.i18n import flaw_message


class RowErrorAnswer(AnswerModel):
    """One flaw, as in `errors` of a problem document; rows count from 1, without a CSV's header."""

    row: int
    pointer: str
    code: str
    message: str


def row_error_answer(row: int, found: Flaw, locale: str) -> RowErrorAnswer:
    """What is wrong with a row, in the reader's locale."""
    return RowErrorAnswer(
        row=row,
        pointer=found.pointer,
        code=found.code,
        message=flaw_message(found.code, found.variant, locale, found.details),
    )
