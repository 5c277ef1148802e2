"""What there is to say about each error code: its statuses with their titles, and its sentences.

Reads the catalogues of judge.i18n, which hold a sentence for every code that the judge raises. That
a code comes with a status is known from the table that is handed in, and never guessed.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from judge.i18n import FALLBACK, catalogue, problem_title
from judge.web.pieces import Pieces, read_template

_PREFIX = "refused."

CodesByStatus = Mapping[int, Collection[str]]


@dataclass(frozen=True)
class Status:
    """An HTTP status; ``title`` is that of its problem documents."""

    number: int
    title: str


@dataclass(frozen=True)
class ErrorCode:
    """One code as its page shows it; ``statuses`` is empty where none is known."""

    code: str
    statuses: tuple[Status, ...]
    sentences: tuple[Pieces, ...]


def list_codes() -> tuple[str, ...]:
    """Every code, in the order of the alphabet."""
    keys = (key for key in catalogue(FALLBACK) if key.startswith(_PREFIX))
    return tuple(sorted({key.removeprefix(_PREFIX).partition(".")[0] for key in keys}))


def describe_code(code: str, locale: str, known: CodesByStatus) -> ErrorCode:
    """A code of ``list_codes`` in the words of a locale."""
    statuses = (number for number, codes in sorted(known.items()) if code in codes)
    return ErrorCode(
        code,
        tuple(Status(number, problem_title(code, number, locale)) for number in statuses),
        tuple(read_template(template) for template in _templates(code, locale)),
    )


def _templates(code: str, locale: str) -> list[str]:
    """The code's own sentence, or those of its variants."""
    own = f"{_PREFIX}{code}"
    texts = catalogue(locale)
    return [texts[key] for key in texts if key == own or key.startswith(f"{own}.")]
