"""What a new package still has in it of what `judge problems new` wrote.

Lint warns of it, one line a file; a mutant's reason that nobody wrote is an error. Publishing asks
``unwritten_texts``: what learners would read is not a placeholder.
"""

import re
from collections.abc import Iterator

from judge.errors import Finding
from judge.harness.display import starter_code
from judge.packages.package import Package

# Every text of judge.packages.templates that an author has to replace holds one of these.
MARKS = ("(Not written yet", "(Chưa viết", "(未記入", "\uff08未記入")
_MARK = re.compile("|".join(re.escape(mark) for mark in MARKS))
_TEXT_SUFFIXES = (".md", ".yaml")
_SUFFIXES = (*_TEXT_SUFFIXES, ".py")
_NO_REFERENCE = re.compile(r"^\s*raise NotImplementedError\b")


def texts_written(package: Package) -> Iterator[Finding]:
    """No text and no program still says that it is not written."""
    reasons = {finding.where for finding in reasons_written(package)}
    for path, lines in _marked(package, _SUFFIXES):
        places = [line for line in lines if f"{path}:{line}" not in reasons]
        if places:
            more = f" (and {len(places) - 1} more lines)" if len(places) > 1 else ""
            message = f"is still to be written{more}"
            yield Finding("placeholder", f"{path}:{places[0]}", message, "warning")


def reasons_written(package: Package) -> Iterator[Finding]:
    """Every mutant that is declared equivalent says why: else nobody has thought about it."""
    for index, mutant in enumerate(package.judge_yaml.mutants.equivalent):
        if _MARK.search(mutant.reason):
            where = package.judge_yaml_text.where(("mutants", "equivalent", index, "reason"))
            message = f"mutants.equivalent: the reason of {mutant.id} is still to be written"
            yield Finding("placeholder", where, message)


def programs_written(package: Package) -> Iterator[Finding]:
    """Reference and accepted submissions are no longer the starter code."""
    for number, line in enumerate(package.tools.reference.splitlines(), start=1):
        if _NO_REFERENCE.match(line):
            where = f"reference.py:{number}"
            yield Finding("placeholder", where, "the reference is still to be written", "warning")
    for submission in package.submissions:
        starter = starter_code(submission.language, package.problem.signature)
        if submission.source.decode(errors="replace").strip() == starter.strip():
            message = "is still the starter code"
            yield Finding("placeholder", submission.place, message, "warning")


def unwritten_texts(package: Package) -> tuple[str, ...]:
    """The files with texts for learners, or titles, that still hold a placeholder."""
    return tuple(path for path, _ in _marked(package, _TEXT_SUFFIXES))


def _marked(package: Package, suffixes: tuple[str, ...]) -> Iterator[tuple[str, list[int]]]:
    """Files of these kinds that hold a mark, each with the numbers of the lines that do."""
    for path, content in package.files.items():
        if not path.endswith(suffixes):
            continue
        lines = content.decode(errors="replace").splitlines()
        places = [number for number, line in enumerate(lines, start=1) if _MARK.search(line)]
        if places:
            yield path, places
