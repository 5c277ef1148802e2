"""Rules on numbers: every translation of a text holds the same ones.

A formula and a piece of code stand in every translation as they are, so another number in them is
an error. Prose may name a number once more or spell a small one out, so there only another number
is an error, and one that no language would spell out.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from judge.errors import Finding
from judge.packages.package import Package
from judge.packages.rules.explanations import explanations
from judge.packages.rules.spans import spans
from judge.packages.texts import text_path

_GROUPED = re.compile(r"(?<![\d.])[1-9]\d{0,2}(?:(?:,|\{,\}|\\,)\d{3})+(?!\d)")
# A minus belongs to the number unless something stands before it that it could be taken from: a
# word or a closed bracket. Japanese prose may touch it.
_SIGN = r"(?:(?<![0-9A-Za-z\u00c0-\u024f\u1e00-\u1eff)\]}])-(?=\d))?"
_MINUS = "\u2212"
_NUMBER = re.compile(_SIGN + r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_Numbers = tuple[str, ...]
# Whole numbers for which prose has words: two, hai, 二つ.
_SPELLED_OUT = {str(number) for number in range(11)}


@dataclass(frozen=True)
class Difference:
    """How the numbers of a translation differ; ``is_certain`` unless prose may differ so."""

    line: int
    message: str
    is_certain: bool


def numbers_differ(package: Package) -> Iterator[Finding]:
    """All translations of a statement hold the same numbers, those of formulas as often."""
    for locale, statement in package.statements.items():
        found = difference(package.statements.get("en", statement), statement)
        if found:
            where = f"{text_path('statement', locale)}:{found.line}"
            severity = "error" if found.is_certain else "warning"
            message = f"{found.message} than in the English statement"
            yield Finding("numbers-differ", where, message, severity)


def explained_numbers_differ(package: Package) -> Iterator[Finding]:
    """The explanation of each sample holds the same numbers in every translation.

    One that has less of one number and more of another explains another sample, also in prose.
    Says nothing where the statements as a whole differ already.
    """
    base = package.statements.get("en", "")
    blocks = explanations(base)
    for locale, statement in package.statements.items():
        others = explanations(statement)
        if len(others) != len(blocks):
            continue
        found = [
            (number, line, one)
            for number, ((_, block), (line, other)) in enumerate(
                zip(blocks, others, strict=True), start=1
            )
            if (one := _certain(block, other) or _exchanged(block, other))
        ]
        if not found or _certain(base, statement):
            continue
        for number, line, one in found:
            message = f"the explanation of sample {number}: {one.message} than in English"
            where = f"{text_path('statement', locale)}:{line}"
            yield Finding("sample-explanation-differs", where, message)


def numbers_of_other_texts_differ(package: Package) -> Iterator[Finding]:
    """Translations of a hint or a solution hold the same numbers; one may still say less."""
    texts = [("hints", n, hint) for n, hint in enumerate(package.hints, start=1)]
    for kind, number, text in [*texts, ("solution", 0, package.solutions)]:
        for locale, other in text.items():
            base = text.get("en", other)
            found = difference(base, other)
            lacks_one = numbers(base).keys() != numbers(other).keys()
            if found and (found.is_certain or lacks_one):
                where = f"{text_path(kind, locale, number)}:{found.line}"
                message = f"{found.message} than in the English text"
                yield Finding("numbers-differ", where, message, "warning")


def numbers(text: str) -> Counter[str]:
    """How often each number occurs; grouping commas and thin spaces are taken out."""
    return Counter(_in_order(text))


def difference(base: str, other: str) -> Difference | None:
    """How the numbers of a translation differ from those of the text in English."""
    if base == other:
        return None
    expected, found = numbers(base), numbers(other)
    formal_base, formal = _formal(base), _formal(other)
    in_base, here = _total(formal_base), _total(formal)
    if expected.keys() != found.keys():
        message = f"other numbers: {_counts(expected, found)}"
        is_certain = in_base != here or not _may_be_spelled_out(expected, found)
    elif in_base != here:
        message = f"other numbers in formulas and code: {_counts(in_base, here)}"
        is_certain = not _only_repeats(formal_base, formal)
    elif formal_base != formal and _sorted(formal_base) == _sorted(formal):
        shown = "; ".join(", ".join(each) for each in sorted((formal - formal_base).keys()))
        message, is_certain = f"numbers of a formula in another order: {shown}", False
    elif expected != found:
        message, is_certain = f"other numbers: {_counts(expected, found)}", False
    else:
        return None
    return Difference(_line(base, other), message, is_certain)


def _certain(base: str, other: str) -> Difference | None:
    found = difference(base, other)
    return found if found and found.is_certain else None


def _exchanged(base: str, other: str) -> Difference | None:
    expected, found = numbers(base), numbers(other)
    if not (expected - found and found - expected):
        return None
    return Difference(
        _line(base, other), f"other numbers: {_counts(expected, found)}", is_certain=True
    )


def _in_order(text: str) -> _Numbers:
    plain = unicodedata.normalize("NFKC", text).replace(_MINUS, "-")
    plain = _GROUPED.sub(lambda match: re.sub(r"\D", "", match.group()), plain)
    return tuple(_NUMBER.findall(plain))


def _formal(text: str) -> Counter[_Numbers]:
    """The numbers of each formula and piece of code that has some."""
    return Counter(found for span in spans(text) if (found := _in_order(span.content)))


def _total(formal: Counter[_Numbers]) -> Counter[str]:
    return Counter(number for each in formal.elements() for number in each)


def _sorted(formal: Counter[_Numbers]) -> Counter[_Numbers]:
    return Counter(tuple(sorted(each)) for each in formal.elements())


def _only_repeats(base: Counter[_Numbers], other: Counter[_Numbers]) -> bool:
    """Whether one text has all of the other's formulas and merely states some of them again."""
    return base.keys() == other.keys() and (base <= other or other <= base)


def _may_be_spelled_out(base: Counter[str], other: Counter[str]) -> bool:
    """Whether one text merely has no digits for small numbers of the other."""
    one_way = base.keys() <= other.keys() or other.keys() <= base.keys()
    return one_way and base.keys() ^ other.keys() <= _SPELLED_OUT


def _counts(expected: Counter[str], found: Counter[str]) -> str:
    differing = sorted((expected - found) | (found - expected))
    return ", ".join(f"{each} ({found[each]}x, not {expected[each]}x)" for each in differing)


def _line(base: str, other: str) -> int:
    """The first formula that only this text has; else the first line with such a number."""
    extra = _formal(other) - _formal(base)
    stated = {"".join(span.content.split()) for span in spans(base)}
    doubtful = [span for span in spans(other) if _in_order(span.content) in extra]
    new = [span for span in doubtful if "".join(span.content.split()) not in stated]
    if doubtful:
        return (new or doubtful)[0].line
    sought = numbers(other) - numbers(base)
    for number, line in enumerate(other.splitlines(), start=1):
        if numbers(line).keys() & sought.keys():
            return number
    return 1
