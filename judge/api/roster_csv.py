"""Lists of people as CSV, as schools' systems and spreadsheets write them.

UTF-8 with or without a byte order mark, any line end, commas, semicolons or tabs. What cannot be
read at all is refused as a whole; a row with a wrong number of cells names nobody.
"""

import codecs
import csv
import io
from collections.abc import Sequence

from judge.api.csv_text import plain
from judge.domain.roster import RosterRow
from judge.errors import Invalid, flaw

COLUMNS = ("external_id", "handle", "display_name", "role", "state", "joined_at")
_READ = ("external_id", "handle", "role")
_DELIMITERS = ",;\t"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_roster(content: bytes) -> tuple[RosterRow, ...]:
    """The rows of a list; empty lines are none.

    Raises:
        Invalid: ``roster-unreadable``: no UTF-8, no CSV, not the columns that are known,
            or JSON that was not called so.
    """
    if content.lstrip().startswith(b"{"):
        raise Invalid("roster-unreadable", flaw("", "roster-json"))
    text = _decoded(content)
    header_line = text.lstrip("\r\n").splitlines()[:1]
    delimiter = max(_DELIMITERS, key=("".join(header_line)).count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        lines = [line for line in reader if any(cell.strip() for cell in line)]
    except csv.Error:
        raise Invalid("roster-unreadable", flaw("", "roster-csv", line=reader.line_num)) from None
    if not lines:
        raise Invalid("roster-unreadable", flaw("", "roster-columns", columns=COLUMNS))
    header = _header(lines[0])
    return tuple(_row(number, header, line) for number, line in enumerate(lines[1:], 1))


def _decoded(content: bytes) -> str:
    if content.startswith(_UTF_16) or b"\0" in content:
        raise Invalid("roster-unreadable", flaw("", "roster-utf16"))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise Invalid("roster-unreadable", flaw("", "roster-not-utf8", line=line)) from None


def _header(cells: Sequence[str]) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    unknown = [name for name in names if name not in COLUMNS]
    if unknown or len(set(names)) < len(names) or not {"handle", "external_id"} & set(names):
        raise Invalid("roster-unreadable", flaw("", "roster-columns", columns=COLUMNS))
    return names


def _row(number: int, header: Sequence[str], cells: Sequence[str]) -> RosterRow:
    if len(cells) != len(header):
        return RosterRow(number)
    values = {
        name: plain(cell.strip()) for name, cell in zip(header, cells, strict=True) if name in _READ
    }
    return RosterRow(number, **{**values, "role": values.get("role", "").lower()})
