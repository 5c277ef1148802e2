"""Rows of scores as JSON, NDJSON and CSV: the same fields in all of them.

Built for tens of thousands of rows, so they are plain dictionaries and not models; that they have
the fields of ScoreAnswer is held by a test.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from pydantic_core import to_json

from judge.api.csv_text import csv_line
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
    known: dict[tuple[int, int, int], float] = {}
    for row in rows:
        number, den = row.score_num, row.score_den
        score = None
        if number is not None and den is not None:
            # Few different scores, many rows: exact arithmetic is done once for each.
            key = (number, den, row.points)
            score = known.get(key)
            if score is None:
                score = known[key] = points(Score(number, den), row.points)
        yield {
            "account": f"{ACCOUNT}_{row.account_id}",
            "handle": row.handle,
            "external_id": row.external_id,
            "problem": row.slug,
            "score": score,
            "max_score": row.points,
            "submissions": row.submissions,
            "first_accepted_at": _spelled(row.first_accepted_at),
            "after_solution": row.after_solution,
            "revision": row.revision,
            "updated_at": _spelled(row.updated_at),
        }


def score_page(rows: Iterable[ScoreRow], next_page: str | None) -> bytes:
    """A page as JSON."""
    return to_json({"items": list(score_fields(rows)), "next": next_page})


def score_lines(rows: Iterable[ScoreRow]) -> bytes:
    """A piece of an answer as NDJSON."""
    return b"".join(to_json(fields) + b"\n" for fields in score_fields(rows))


def score_table(rows: Iterable[ScoreRow]) -> bytes:
    """A piece of an answer as CSV, without its first line."""
    return "".join(csv_line(list(fields.values())) for fields in score_fields(rows)).encode()


def _spelled(moment: datetime | None) -> str | None:
    """As judge.api.schemas.base.Moment."""
    if moment is None:
        return None
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
