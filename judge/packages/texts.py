"""Statement, hints and solution of a package: raw Markdown per locale.

Owns the file names. It never renders; a locale that is missing is lint's finding, not an error.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from judge.domain.problem import LOCALES, Localized
from judge.errors import Finding
from judge.packages.files import PackageFiles

# Some Markdown takes a time that grows with the square of its length.
MAX_TEXT_BYTES = 64 * 1024
MAX_TEXTS_BYTES = 1024 * 1024
_TEXT_FILE = {
    "statement": re.compile(r"statement/problem\.([A-Za-z-]+)\.md"),
    "solution": re.compile(r"solution/solution\.([A-Za-z-]+)\.md"),
    "hints": re.compile(r"hints/([1-9][0-9]?)\.([A-Za-z-]+)\.md"),
}


@dataclass(frozen=True)
class Texts:
    """Markdown by locale; ``hints[0]`` is the first hint."""

    statements: Localized
    hints: tuple[Localized, ...]
    solutions: Localized


def read_texts(files: PackageFiles, report: list[Finding]) -> Texts:
    """Read all texts; files that cannot be read are left out and stand in ``report``."""
    if not _fit(files, report):
        return Texts({}, (), {})
    hints: dict[int, Localized] = {}
    for (number, locale), text in _read(files, "hints", report):
        hints.setdefault(int(number), {})[locale] = text
    if hints and max(hints) != len(hints):
        report.append(Finding("hint-numbers", "hints", "hints must be numbered 1, 2, 3 …"))
    return Texts(
        {locale: text for (locale,), text in _read(files, "statement", report)},
        tuple(hints[number] for number in sorted(hints)),
        {locale: text for (locale,), text in _read(files, "solution", report)},
    )


def text_path(kind: str, locale: str, number: int = 0) -> str:
    """The file of a text: kind is ``statement``, ``solution`` or ``hints`` (with its number)."""
    names = {"statement": "problem", "solution": "solution", "hints": str(number)}
    return f"{kind}/{names[kind]}.{locale}.md"


def _fit(files: PackageFiles, report: list[Finding]) -> bool:
    """Whether all texts together are small enough to be read at all."""
    total = sum(len(files[path]) for kind in _TEXT_FILE for path in files.below(kind))
    if total > MAX_TEXTS_BYTES:
        message = f"statements, hints and solutions are over {MAX_TEXTS_BYTES} bytes together"
        report.append(Finding("texts-too-large", "(package)", message))
    return total <= MAX_TEXTS_BYTES


def _read(
    files: PackageFiles, kind: str, report: list[Finding]
) -> Iterator[tuple[tuple[str, ...], str]]:
    for path in files.below(kind):
        match = _TEXT_FILE[kind].fullmatch(path)
        if match is None:
            report.append(Finding("stray-file", path, f"{kind}/ holds no such file"))
        elif match.groups()[-1] not in LOCALES:
            message = f"locales are {', '.join(LOCALES)}"
            report.append(Finding("unknown-locale", path, message))
        elif len(files[path]) > MAX_TEXT_BYTES:
            report.append(Finding("text-too-large", path, f"is over {MAX_TEXT_BYTES} bytes"))
        elif b"\0" in files[path]:
            report.append(Finding("nul-character", path, "holds a NUL character"))
        else:
            try:
                yield match.groups(), files[path].decode("utf-8-sig").replace("\r\n", "\n")
            except UnicodeDecodeError:
                report.append(Finding("not-utf8", path, "is not UTF-8"))
