"""Statements of a Kattis package: Markdown as it is, LaTeX in its subset, the rest attached."""

import re
from dataclasses import dataclass, field

from judge.domain.problem import LOCALES
from judge.errors import Finding
from judge.packages.files import PackageFiles
from judge.packages.kattis.latex import NotInSubset, to_markdown
from judge.packages.kattis.notices import dropped
from judge.packages.render import NEXT_SAMPLE, REMAINING_SAMPLES, sample_macros

FOLDERS = ("statement", "problem_statement")
_STATEMENT = re.compile(r"problem(?:\.(?P<locale>[a-z]{2,3}(?:-[A-Za-z]+)?))?\.(?P<form>md|tex)")
_SOLUTION = re.compile(r"solution\.(?P<locale>[a-z]{2,3}(?:-[A-Za-z]+)?)\.(?P<form>md|tex)")
_ATTACHED = {
    "vi": "Đề bài nằm trong tệp đính kèm `{name}`.\n",
    "ja": "問題文は添付ファイル `{name}` にあります。\n",
    "en": "The statement is in the attached file `{name}`.\n",
}


@dataclass
class ImportedTexts:
    """Files of statement/, solution/ and attachments/, and names that statements state."""

    files: dict[str, bytes] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


def import_texts(files: PackageFiles, report: list[Finding]) -> ImportedTexts:
    """All statements and solutions, and the attachments."""
    made = ImportedTexts({path: files[path] for path in files.below("attachments")})
    for folder in FOLDERS:
        for path in files.below(folder):
            match = _STATEMENT.fullmatch(path.removeprefix(f"{folder}/"))
            if match is None:
                report.append(dropped(path, "no statement shows this file"))
            else:
                _add_statement(files, path, match, (made, report))
    for path in files.below("solution"):
        match = _SOLUTION.fullmatch(path.removeprefix("solution/"))
        if match and match["form"] == "md" and match["locale"] in LOCALES:
            made.files[path] = files[path]
        else:
            made.files[f"attachments/{path.rpartition('/')[2]}"] = files[path]
            report.append(dropped(path, "is no Markdown in a locale of the judge: attached"))
    return made


def _add_statement(
    files: PackageFiles,
    path: str,
    match: re.Match[str],
    into: tuple[ImportedTexts, list[Finding]],
) -> None:
    made, report = into
    locale = match["locale"] or "en"
    text = files[path].decode("utf-8", "replace")
    attachment = f"problem.{locale}.{match['form']}"
    if locale not in LOCALES:
        made.files[f"attachments/{attachment}"] = files[path]
        report.append(dropped(path, f"{locale!r} is no locale of the judge: attached"))
        return
    if match["form"] == "tex":
        try:
            text, name = to_markdown(text)
            if name:
                made.names[locale] = name
        except NotInSubset as error:
            made.files[f"attachments/{attachment}"] = files[path]
            report.append(dropped(path, f"LaTeX beyond what is translated ({error}): attached"))
            text = _ATTACHED[locale].format(name=attachment)
    made.files[f"statement/problem.{locale}.md"] = _with_samples(text).encode()


def _with_samples(text: str) -> str:
    """The text with a place for the samples that it does not place itself."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if any(macro == REMAINING_SAMPLES for _, macro in sample_macros(text)):
        return text
    lines = (line.strip() for line in text.split("\n"))
    has_some = any(line == NEXT_SAMPLE for line in lines)
    return text if has_some else f"{text.rstrip()}\n\n{REMAINING_SAMPLES}\n"
