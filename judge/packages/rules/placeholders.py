"""What a new package still has in it of what `judge problems new` wrote: warnings, one a file."""

import re
from collections.abc import Iterator

from judge.errors import Finding
from judge.harness.display import starter_code
from judge.packages.package import Package

# Every text of judge.packages.templates that an author has to replace holds one of these.
MARKS = ("(Not written yet", "(Chưa viết", "未記入")
_MARK = re.compile("|".join(re.escape(mark) for mark in MARKS))
_SUFFIXES = (".md", ".yaml", ".py")
_NO_REFERENCE = re.compile(r"^\s*raise NotImplementedError\b")


def texts_written(package: Package) -> Iterator[Finding]:
    """No text and no program still says that it is not written."""
    for path, content in package.files.items():
        if not path.endswith(_SUFFIXES):
            continue
        lines = content.decode(errors="replace").splitlines()
        places = [number for number, line in enumerate(lines, start=1) if _MARK.search(line)]
        if places:
            more = f" (and {len(places) - 1} more lines)" if len(places) > 1 else ""
            message = f"is still to be written{more}"
            yield Finding("placeholder", f"{path}:{places[0]}", message, "warning")


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
