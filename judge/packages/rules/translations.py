"""Rules on completeness: every text stands in every locale, with the same numbers."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping

from judge.domain.problem import LOCALES
from judge.errors import Finding
from judge.packages.package import Package
from judge.packages.texts import text_path

_GROUPED = re.compile(r"(?<![\d.])[1-9]\d{0,2}(?:(?:,|\{,\}|\\,)\d{3})+(?!\d)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def missing_texts(package: Package) -> Iterator[Finding]:
    """Title, statement, solution and every hint in every locale."""
    for locale in _missing(package.names):
        where = package.problem_yaml_text.where(("name",))
        yield Finding("missing-title", where, f"name has no {locale}")
    for locale in _missing(package.statements):
        yield Finding("missing-statement", text_path("statement", locale), "is missing")
    for locale in _missing(package.solutions):
        yield Finding("missing-solution", text_path("solution", locale), "is missing")
    for number, hint in enumerate(package.hints, start=1):
        for locale in _missing(hint):
            yield Finding("missing-hint", text_path("hints", locale, number), "is missing")


def missing_docs(package: Package) -> Iterator[Finding]:
    """A sentence for every parameter and the return value in every locale."""
    docs = {str(locale): texts for locale, texts in package.judge_yaml.signature.docs.items()}
    names = [parameter.name for parameter in package.problem.signature.parameters]
    for locale in LOCALES:
        for name in (*names, "return"):
            if name not in docs.get(locale, {}):
                where = package.judge_yaml_text.where(("signature", "docs", locale))
                yield Finding("missing-docs", where, f"signature.docs.{locale} lacks {name}")


def missing_group_texts(package: Package) -> Iterator[Finding]:
    """A title for every hidden group in every locale, and a hint in all of them or in none."""
    for folder in hidden_folders(package):
        group = package.judge_yaml.groups.get(folder)
        where = package.judge_yaml_text.where(("groups", folder))
        for locale in LOCALES:
            if group is None or locale not in group.title:
                message = f"group {folder} has no title in {locale}"
                yield Finding("missing-group-title", where, message)
            if group is not None and group.hint and locale not in group.hint:
                message = f"group {folder} has no hint in {locale}"
                yield Finding("missing-group-hint", where, message)


def numbers_differ(package: Package) -> Iterator[Finding]:
    """All translations of a statement hold the same numbers.

    A number that a translation lacks or adds is an error; one that it merely repeats more or less
    often is a warning, because prose may spell a small number out.
    """
    if "en" not in package.statements:
        return
    base = numbers(package.statements["en"])
    for locale, statement in package.statements.items():
        found = numbers(statement)
        differing = sorted((base - found) | (found - base))
        if differing:
            severity = "error" if base.keys() != found.keys() else "warning"
            shown = ", ".join(f"{each} ({found[each]}x, not {base[each]}x)" for each in differing)
            message = f"numbers differ from the English statement: {shown}"
            where = f"{text_path('statement', locale)}:{_line(statement, found - base)}"
            yield Finding("numbers-differ", where, message, severity)


def numbers(text: str) -> Counter[str]:
    """How often each number occurs; grouping commas and thin spaces are taken out."""
    plain = unicodedata.normalize("NFKC", text)
    plain = _GROUPED.sub(lambda match: re.sub(r"\D", "", match.group()), plain)
    return Counter(_NUMBER.findall(plain))


def hidden_folders(package: Package) -> list[str]:
    """Folder names of the hidden groups, in order."""
    names = (group.name for group in package.problem.groups)
    return [name.partition("/")[2] for name in names if "/" in name]


def _missing(texts: Mapping[str, str]) -> list[str]:
    return [locale for locale in LOCALES if not texts.get(locale, "").strip()]


def _line(text: str, sought: Counter[str]) -> int:
    """The first line with one of the numbers."""
    for number, line in enumerate(text.splitlines(), start=1):
        if numbers(line).keys() & sought.keys():
            return number
    return 1
