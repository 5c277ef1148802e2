"""Rules on completeness: every text stands in every locale, with the same numbers."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping

from judge.domain.problem import LOCALES, Localized
from judge.errors import Finding
from judge.packages.package import Package
from judge.packages.rules.explanations import explanations
from judge.packages.texts import text_path

_GROUPED = re.compile(r"(?<![\d.])[1-9]\d{0,2}(?:(?:,|\{,\}|\\,)\d{3})+(?!\d)")
# A minus belongs to the number unless something stands before it that it could be taken from: a
# word or a closed bracket. Japanese prose may touch it.
_SIGN = r"(?:(?<![0-9A-Za-z\u00c0-\u024f\u1e00-\u1eff)\]}])-(?=\d))?"
_MINUS = "\u2212"
_NUMBER = re.compile(_SIGN + r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_NO_PROSE = re.compile(r"```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]*\$|\{\{\w+\}\}", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")
_LETTERS_OF_PROSE = 20


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


def explained_numbers_differ(package: Package) -> Iterator[Finding]:
    """The explanation of each sample holds the same numbers in every translation.

    Says nothing where the statements as a whole differ already.
    """
    base = package.statements.get("en", "")
    blocks = explanations(base)
    for locale, statement in package.statements.items():
        others = explanations(statement)
        whole_differs = numbers(base).keys() != numbers(statement).keys()
        if whole_differs or len(others) != len(blocks):
            continue
        for number, ((_, block), (line, other)) in enumerate(zip(blocks, others, strict=True), 1):
            differing = sorted(numbers(block).keys() ^ numbers(other).keys())
            if differing:
                shown = ", ".join(differing)
                message = f"explains sample {number} with other numbers than the English: {shown}"
                where = f"{text_path('statement', locale)}:{line}"
                yield Finding("sample-explanation-differs", where, message)


def numbers_of_other_texts_differ(package: Package) -> Iterator[Finding]:
    """Translations of a hint or a solution hold the same numbers; prose may spell one out."""
    texts = [("hints", n, hint) for n, hint in enumerate(package.hints, start=1)]
    for kind, number, text in [*texts, ("solution", 0, package.solutions)]:
        base = numbers(text.get("en", ""))
        for locale, other in text.items():
            found = numbers(other)
            differing = sorted(base.keys() ^ found.keys())
            if differing and "en" in text:
                where = f"{text_path(kind, locale, number)}:{_line(other, found - base)}"
                message = f"numbers differ from the English text: {', '.join(differing)}"
                yield Finding("numbers-differ", where, message, "warning")


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


def numbers(text: str) -> Counter[str]:
    """How often each number occurs; grouping commas and thin spaces are taken out."""
    plain = unicodedata.normalize("NFKC", text).replace(_MINUS, "-")
    plain = _GROUPED.sub(lambda match: re.sub(r"\D", "", match.group()), plain)
    return Counter(_NUMBER.findall(plain))


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


def _missing(texts: Mapping[str, str]) -> list[str]:
    return [locale for locale in LOCALES if not texts.get(locale, "").strip()]


def _line(text: str, sought: Counter[str]) -> int:
    """The first line with one of the numbers."""
    for number, line in enumerate(text.splitlines(), start=1):
        if numbers(line).keys() & sought.keys():
            return number
    return 1
