"""No cell of a table runs in a spreadsheet, and what is sent back is what was exported."""

import csv
import io

import pytest

from judge.api.csv_text import csv_line, neutral, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r=1"),
        # Spreadsheets drop spaces, and those in Japanese take full width for the same.
        ("  =1+1", "'  =1+1"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff0b1", "'\uff0b1"),
        ("\uff0d1", "'\uff0d1"),
        ("\uff201", "'\uff201"),
        # Where lists are separated by semicolons another cell begins here.
        ("x;=cmd|'/C calc'!A0", "x;'=cmd|'/C calc'!A0"),
        ("Nguyễn Thị Ánh", "Nguyễn Thị Ánh"),
        ("山田 空", "山田 空"),
        ("a-b; c", "a-b; c"),
        ("'quoted'", "'quoted'"),
        ("", ""),
    ],
)
def test_what_a_spreadsheet_would_run_becomes_a_text(text: str, shown: str) -> None:
    assert neutral(text) == shown
    assert plain(shown) == text


def test_only_texts_are_touched() -> None:
    assert list(csv.reader(io.StringIO(csv_line([-1, -0.5, None, True, "=x"])))) == [
        ["-1", "-0.5", "", "true", "'=x"]
    ]
