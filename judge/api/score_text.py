"""Rows of scores as JSON, NDJSON and CSV: the same fields in all of them.

Built for tens of thousands of rows, so they are plain dictionaries and not models; that they have
the fields of ScoreAnswer is held by a test.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from pydantic_core import to_json

from judge.api.csv_text import csv_lines
from judge.api.ids import ACCOUNT
from judge.db.queries.score_rows import ScoreRow
from judge.domain.scoring import Score, points

FIELDS = (
    "account",
    "handle",
    "external_id",
    "problem",
    "score",
    "max_score",
    "submissions",
    "first_accepted_at",
    "after_solution",
    "revision",
    "updated_at",
)


def score_fields(rows: Iterable[ScoreRow]) -> Iterator[dict[str, Any]]:
    """Each row's fields, with ids and times as the API spells them."""
    # Few different scores, many rows: exact arithmetic is done once for each.
    known: dict[tuple[int, int | None, int | None], float | None] = {}
    for row in rows:
        account, handle, external_id, slug, worth, number, den, count, first, after, at, on = row
        key = (worth, number, den)
        if key not in known:
            known[key] = _points(*key)
        yield {
            "account": f"{ACCOUNT}_{account}",
            "handle": handle,
            "external_id": external_id,
            "problem": slug,
            "score": known[key],
            "max_score": worth,
            "submissions": count,
            "first_accepted_at": None if first is None else _spelled(first),
            "after_solution": after,
            "revision": at,
            "updated_at": None if on is None else _spelled(on),
        }


def score_page(rows: Iterable[ScoreRow], next_page: str | None) -> bytes:
    """A page as JSON."""
    return to_json({"items": list(score_fields(rows)), "next": next_page})


def score_lines(rows: Iterable[ScoreRow]) -> bytes:
    """A piece of an answer as NDJSON."""
    return b"".join(to_json(fields) + b"\n" for fields in score_fields(rows))


def score_table(rows: Iterable[ScoreRow]) -> bytes:
    """A piece of an answer as CSV, without its first line."""
    return csv_lines(fields.values() for fields in score_fields(rows)).encode()


def _points(worth: int, number: int | None, den: int | None) -> float | None:
    if number is None or den is None:
        return None
    return points(Score(number, den), worth)


def _spelled(moment: datetime) -> str:
    """As judge.api.schemas.base.Moment, for a time in UTC; several times as fast."""
    text = moment.isoformat()
    return text[:26] + "Z" if text[19] == "." else text[:19] + ".000000Z"
