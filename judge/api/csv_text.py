"""Tables as CSV (RFC 4180) that a spreadsheet opens without running anything in them."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

BOM = "\ufeff"
# A spreadsheet takes a cell that begins so for a formula, after spaces as well and in full width;
# one whose list separator is a semicolon or a tab also begins a cell behind each of these. An
# apostrophe in front makes it a text.
_FORMULA = re.compile(r"(^|[;\t])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])")
_MARKED = re.compile(r"(^|[;\t])'(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])")


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
    # Hardly a cell of a class's ten thousand rows could be one.
    if text[:1].isalnum() and ";" not in text and "\t" not in text:
        return text
    return _FORMULA.sub(r"\1'", text)


def plain(text: str) -> str:
    """The text that ``neutral`` was given, where somebody sends back what was exported."""
    return _MARKED.sub(r"\1", text)


def _cell(value: object) -> object:
    if isinstance(value, str):
        return neutral(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value
