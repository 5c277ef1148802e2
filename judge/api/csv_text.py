"""Tables as CSV (RFC 4180) that a spreadsheet opens without running anything in them."""

import csv
import io
from collections.abc import Iterable, Sequence

BOM = "\ufeff"
# A spreadsheet takes a cell that begins so for a formula; an apostrophe in front makes it a text.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_line(values: Sequence[object]) -> str:
    """One line. Nothing stands where JSON has null, and booleans are spelled as JSON does."""
    return csv_lines([values])


def csv_lines(rows: Iterable[Iterable[object]]) -> str:
    """Many lines at once."""
    lines = io.StringIO()
    csv.writer(lines).writerows([_cell(value) for value in row] for row in rows)
    return lines.getvalue()


def neutral(text: str) -> str:
    """A text that is no formula."""
    return "'" + text if text.startswith(_FORMULA_STARTS) else text


def plain(text: str) -> str:
    """The text that ``neutral`` was given, where somebody sends back what was exported."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA_STARTS) else text


def _cell(value: object) -> object:
    if isinstance(value, str):
        return neutral(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value
