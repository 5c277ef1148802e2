"""Texts that people read, in Vietnamese, Japanese and English.

Owns the catalogues, one TOML file a locale: every key stands in all three with the same
placeholders (a test holds them to it). Keys are stable and built from codes: ``refused.<code>``,
``verdict.<verdict>``. Never chooses a locale and never sees a request: callers say both.

Stored texts (statements, titles of test cases) have their locales with them in the database.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

LOCALES = ("vi", "ja", "en")
FALLBACK = "en"
_FOLDER = Path(__file__).parent
_NOTHING: Mapping[str, object] = {}


def text(key: str, locale: str, details: Mapping[str, object] = _NOTHING) -> str:
    """The text of a key with its placeholders filled; lists are joined as the locale does.

    A key that is in no catalogue comes back as it is: a missing text must not hide an answer.
    """
    template = catalogue(locale).get(key, key)
    separator = catalogue(locale)["list.separator"]
    filled = {name: _shown(value, separator) for name, value in details.items()}
    return template.format_map(_Filled(filled))


def has(key: str) -> bool:
    """Whether there is a text for the key."""
    return key in catalogue(FALLBACK)


def refusal(code: str, variant: str, locale: str, details: Mapping[str, object]) -> str:
    """What was refused, in a sentence (a judge.errors.Refused)."""
    return text(f"refused.{code}.{variant}" if variant else f"refused.{code}", locale, details)


def problem_title(code: str, status: int, locale: str) -> str:
    """The title of a problem document: the code's own, else that of its HTTP status."""
    known = (key for key in (f"title.{code}", f"title.{status}") if has(key))
    return text(next(known, "title.other"), locale)


def flaw_message(code: str, variant: str, locale: str, details: Mapping[str, object]) -> str:
    """What is wrong with one field (a judge.errors.Flaw)."""
    return text(f"field.{code}.{variant}" if variant else f"field.{code}", locale, details)


def verdict_title(verdict: str, locale: str) -> str:
    """The name of a verdict (a value of judge.domain.verdicts.Verdict)."""
    return text(f"verdict.{verdict}", locale)


def reason_title(reason: str, locale: str) -> str:
    """What a reason code (judge.domain.verdicts.Reason) means; nothing for no reason."""
    return text(f"reason.{reason}", locale) if reason else ""


@cache
def catalogue(locale: str) -> Mapping[str, str]:
    """All texts of a locale by key; those of FALLBACK for one that does not exist."""
    chosen = locale if locale in LOCALES else FALLBACK
    return dict(_flat("", tomllib.loads((_FOLDER / f"{chosen}.toml").read_text("utf-8"))))


def placeholders(template: str) -> frozenset[str]:
    """The names that a text wants to have filled."""
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name is not None)


class _Filled(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "…"


def _shown(value: object, separator: str) -> str:
    if isinstance(value, list | tuple):
        return separator.join(map(str, value))
    return str(value)


def _flat(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in table.items():
        if isinstance(value, str):
            pairs.append((prefix + name, value))
        else:
            pairs += _flat(f"{prefix}{name}.", value)
    return pairs
