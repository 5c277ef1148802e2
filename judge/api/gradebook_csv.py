"""The gradebook as tables: plain, and as Canvas and Moodle import grades.

Canvas: the columns Student, ID, SIS User ID, SIS Login ID and Section come first, a second line
holds the points possible, an empty cell is no grade. It finds people by SIS User ID where ID is
empty, so the external id goes there. A column whose name Canvas does not know becomes a new
assignment; a title that ends in an assignment's number in brackets, as in Canvas's own export, is
that assignment.

Moodle: whoever imports says which column identifies people (ID number here) and which one belongs
to which grade item. A hyphen is no grade, as in Moodle's own export.

In all of them zero is 0 and no score is not.
"""

from collections import Counter
from collections.abc import Iterator

from judge.api.csv_text import csv_line
from judge.api.formats import CANVAS, MOODLE
from judge.api.schemas.gradebook import Gradebook
from judge.domain.gradebook import Cell

_CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_CANVAS_POINTS = "    Points Possible"
_MOODLE_COLUMNS = ("ID number", "Username", "Full name")
_PLAIN_COLUMNS = ("external_id", "handle", "display_name")
# What Moodle's own export writes where there is no grade. It is no formula: nothing follows.
_MOODLE_NOTHING = "-"


def gradebook_csv(book: Gradebook, media_type: str) -> Iterator[str]:
    """The lines of a table, for ``text/csv`` or one of its profiles."""
    if media_type == CANVAS:
        return _canvas(book)
    if media_type == MOODLE:
        return _moodle(book)
    return _plain(book)


def _plain(book: Gradebook) -> Iterator[str]:
    yield csv_line([*_PLAIN_COLUMNS, *_titles(book)])
    for row in book.rows:
        scores = [_number(book.cell(row, column)) for column in book.columns]
        yield csv_line([row.external_id, row.handle, row.display_name, *scores])


def _canvas(book: Gradebook) -> Iterator[str]:
    yield csv_line([*_CANVAS_COLUMNS, *_titles(book)])
    possible = [column.points for column in book.columns]
    yield csv_line([_CANVAS_POINTS, "", "", "", "", *possible])
    for row in book.rows:
        scores = [_number(book.cell(row, column)) for column in book.columns]
        yield csv_line([row.display_name, "", row.external_id, "", book.name, *scores])


def _moodle(book: Gradebook) -> Iterator[str]:
    titles = [f"{title} (Real)" for title in _titles(book)]
    yield csv_line([*_MOODLE_COLUMNS, *titles])
    for row in book.rows:
        head = csv_line([row.external_id, row.handle, row.display_name]).removesuffix("\r\n")
        scores = [_number(book.cell(row, column)) for column in book.columns]
        cells = [_MOODLE_NOTHING if score is None else score for score in scores]
        yield ",".join([head, *cells]) + "\r\n"


def _titles(book: Gradebook) -> list[str]:
    """A name for each column; the problem's where the assignment has none, or shares it."""
    shared = Counter(column.title for column in book.columns)
    return [
        column.title
        if column.title and shared[column.title] == 1
        else f"{column.title} {column.slug}".lstrip()
        for column in book.columns
    ]


def _number(cell: Cell | None) -> str | None:
    """A number without needless zeros: 100, 66.67, 0."""
    return None if cell is None else f"{cell.points:.2f}".rstrip("0").rstrip(".")
