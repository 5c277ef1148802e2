"""Finding problems: what a search means, and how far somebody is with a problem. Pure."""

import unicodedata
from collections.abc import Iterable
from enum import StrEnum

# Of fewer accounts a rate would tell what a single one did.
LEAST_FOR_RATE = 5


class Standing(StrEnum):
    """How far an account is with a problem."""

    NEW = "new"
    TRIED = "tried"
    SOLVED = "solved"


def standing(submissions: int, *, accepted: bool) -> Standing:
    """Solved once a submission had the full score; tried once there is any."""
    if accepted:
        return Standing.SOLVED
    return Standing.TRIED if submissions else Standing.NEW


def solved_rate(tried: int, solved: int) -> float | None:
    """The share of those who tried that solved it; None where too few have tried."""
    return round(solved / tried, 3) if tried >= LEAST_FOR_RATE else None


def matches(query: str, texts: Iterable[str]) -> bool:
    """Whether every word of a query stands in one of these texts, whatever case and accents."""
    haystack = "\n".join(map(fold, texts))
    return all(word in haystack for word in fold(query).split())


def fold(text: str) -> str:
    """A text without case, accents and width: ``Đếm`` is found as ``dem``, a slug by its words.

    Of Japanese only marks that are accents in Latin letters are taken off: が stays another letter
    than か.
    """
    plain = unicodedata.normalize("NFKC", text).casefold().replace("_", " ").replace("đ", "d")
    pieces = unicodedata.normalize("NFD", plain)
    kept = (one for one in pieces if not "\u0300" <= one <= "\u036f")
    return unicodedata.normalize("NFC", "".join(kept))
