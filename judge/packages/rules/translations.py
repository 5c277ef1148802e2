"""Rules on completeness: every text stands in every locale."""

import re
from collections.abc import Iterator, Mapping

from judge.domain.problem import LOCALES, Localized
from judge.errors import Finding
from judge.packages.package import Package
from judge.packages.rules.explanations import explanations
from judge.packages.texts import text_path

_NO_PROSE = re.compile(r"```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]*\$|\{\{\w+\}\}", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")
_LETTERS_OF_PROSE = 20
MISSING = frozenset(
    {
        "missing-title",
        "missing-statement",
        "missing-solution",
        "missing-hint",
        "missing-group-title",
        "missing-group-hint",
    }
)
_TO_MEND = f"; what is published has all of {', '.join(LOCALES)}"


def missing_texts(package: Package) -> Iterator[Finding]:
    """Title, statement, solution and every hint in every locale."""
    for locale in _missing(package.names):
        where = package.problem_yaml_text.where(("name",))
        yield Finding("missing-title", where, f"name has no {locale}{_TO_MEND}")
    for where, message in _missing_files("statement", 0, package.statements):
        yield Finding("missing-statement", where, message)
    for where, message in _missing_files("solution", 0, package.solutions):
        yield Finding("missing-solution", where, message)
    for number, hint in enumerate(package.hints, start=1):
        for where, message in _missing_files("hints", number, hint):
            yield Finding("missing-hint", where, message)


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


def untranslated(package: Package) -> Iterator[Finding]:
    """No text, and no explanation of a sample, is the same in two locales."""
    yield from _same("statement", 0, package.statements)
    for number, hint in enumerate(package.hints, start=1):
        yield from _same("hints", number, hint)
    yield from _same("solution", 0, package.solutions)
    seen: dict[str, str] = {}
    for locale, statement in package.statements.items():
        if _is_copy(statement, locale, package.statements):
            continue
        for line, block in explanations(statement):
            other = seen.setdefault(block, locale)
            if other != locale and _is_prose(block):
                where = f"{text_path('statement', locale)}:{line}"
                message = f"the explanation of the sample is that of the {other} statement"
                yield Finding("untranslated", where, message)


def hidden_folders(package: Package) -> list[str]:
    """Folder names of the hidden groups, in order."""
    names = (group.name for group in package.problem.groups)
    return [name.partition("/")[2] for name in names if "/" in name]


def _same(kind: str, number: int, texts: Localized) -> Iterator[Finding]:
    for locale, text in texts.items():
        if _is_copy(text, locale, texts):
            where = text_path(kind, locale, number)
            yield Finding("untranslated", where, "is the same text as in another locale")


def _is_copy(text: str, locale: str, texts: Localized) -> bool:
    """Whether a locale that comes earlier has the same text."""
    earlier = LOCALES[::-1][: LOCALES[::-1].index(locale)]
    return _is_prose(text) and any(
        texts.get(other, "").strip() == text.strip() for other in earlier
    )


def _is_prose(text: str) -> bool:
    """Whether a text has enough words to be translated: formulas and code have no language."""
    return len(_LETTER.findall(_NO_PROSE.sub("", text))) >= _LETTERS_OF_PROSE


def _missing_files(kind: str, number: int, texts: Localized) -> Iterator[tuple[str, str]]:
    """Each file that is missing, and what can be done."""
    missing = _missing(texts)
    for locale in missing:
        there = [text_path(kind, each, number) for each in LOCALES if each not in missing]
        source = f": translate {there[-1]}{_TO_MEND}" if there else ""
        yield text_path(kind, locale, number), f"is missing{source}"


def _missing(texts: Mapping[str, str]) -> list[str]:
    return [locale for locale in LOCALES if not texts.get(locale, "").strip()]
