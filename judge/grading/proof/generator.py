"""Does the generator make the committed cases, byte for byte, again, and every time?"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from judge.errors import Finding
from judge.grading.tools import ToolFailure, Tools
from judge.packages import writer
from judge.packages.package import Package

# By luck, one that is not reproducible may give what is committed once or twice.
_AGAIN = 4
_WHERE = "generators/cases.py"
_CASE_PATH = re.compile(r"(?:sample|secret/[a-z0-9][a-z0-9-]{0,63})/[a-z0-9][a-z0-9_-]{0,63}")


def reproduces(package: Package, tools: Tools) -> Iterator[Finding]:
    """What differs between the committed cases and those that the package makes.

    Of a package that makes others each time only that is said: what differs follows from it.
    """
    cases = generated_cases(package, tools)
    if isinstance(cases, ToolFailure):
        yield Finding("generator-failed", _WHERE, cases.message)
        return
    flaky = _flaky(package, tools, cases)
    if flaky:
        yield Finding("generator-flaky", _WHERE, flaky)
        return
    yield from writer.compare(package.files, package.case_signature, cases)


def _flaky(package: Package, tools: Tools, cases: Sequence[writer.GeneratedCase]) -> str:
    """How a further call came to something else; empty where none did."""
    first = writer.write_cases(package.case_signature, cases)
    for _ in range(_AGAIN):
        again = generated_cases(package, tools)
        if isinstance(again, ToolFailure):
            return again.message
        if writer.write_cases(package.case_signature, again) != first:
            return "makes other cases each time; seed every random choice"
    return ""


def generated_cases(package: Package, tools: Tools) -> list[writer.GeneratedCase] | ToolFailure:
    """What generator and reference make together: path, arguments, expected value."""
    made = tools.generate(package.tools.generator)
    if isinstance(made, ToolFailure):
        return made
    wrong = _wrong_paths([path for path, _ in made])
    if wrong:
        return ToolFailure(wrong)
    cases: list[writer.GeneratedCase] = []
    for path, arguments in made:
        answer = tools.refer(package.tools.reference, arguments)
        if isinstance(answer, ToolFailure):
            return ToolFailure(f"reference.py on {path}: {answer.message}")
        cases.append((path, arguments, answer[0]))
    return cases


def _wrong_paths(paths: Sequence[str]) -> str:
    """What is wrong with the paths of generated cases: they become files on the disk."""
    if not paths:
        return "generate() made no case"
    for path in paths:
        if not _CASE_PATH.fullmatch(path):
            return (
                f"generate() made a case at {path!r:.80}; expected sample/01 or secret/20-ties/01"
            )
    twice = {path for path, times in Counter(paths).items() if times > 1}
    return f"generate() made {min(twice)} twice" if twice else ""
