"""Rules on the form of texts: what renders wrongly, titles, samples and their explanations."""

import re
from collections.abc import Iterator
from itertools import pairwise

from judge.errors import Finding
from judge.packages.package import Package
from judge.packages.render import (
    NEXT_SAMPLE,
    REMAINING_SAMPLES,
    Fault,
    render_statement,
    render_text,
    sample_macros,
    statement_tokens,
)
from judge.packages.texts import text_path

_WARNINGS = ("leftover-dollar", "unknown-constant")
# Two calls side by side with nothing between them: a fraction that lost its bar.
_FLATTENED = re.compile(r"(?<!\w)[A-Za-z]\w{0,8}\([^()\s]{1,12}\)[A-Za-z]\w{0,8}\([^()\s]{1,12}\)")
_HEADING = re.compile(r"#{1,6}\s")


def render_faults(package: Package) -> Iterator[Finding]:
    """Everything that does not render as meant: formulas, left-over TeX, macros."""
    constants = package.problem_yaml.constants
    samples = sample_count(package)
    for locale, text in package.statements.items():
        faults = render_statement(text, samples, constants).faults
        yield from _findings(text_path("statement", locale), faults)
    for locale, text in package.solutions.items():
        yield from _findings(text_path("solution", locale), render_text(text, constants).faults)
    for number, hint in enumerate(package.hints, start=1):
        for locale, text in hint.items():
            path = text_path("hints", locale, number)
            yield from _findings(path, render_text(text, constants).faults)


def typed_titles(package: Package) -> Iterator[Finding]:
    """A statement has no title of its own: the page shows the name from problem.yaml."""
    for locale, text in package.statements.items():
        for token in statement_tokens(text):
            if token.type == "heading_open" and token.tag == "h1" and token.map:
                where = f"{text_path('statement', locale)}:{token.map[0] + 1}"
                yield Finding("statement-title", where, "start sections with ##, no title")


def flattened_formulas(package: Package) -> Iterator[Finding]:
    """No fraction was pasted as plain text, as in ``p(x)q(x)``."""
    for locale, text in package.statements.items():
        for token in statement_tokens(text):
            prose = (child.content for child in token.children or () if child.type == "text")
            for match in map(_FLATTENED.search, prose):
                if match and token.map:
                    where = f"{text_path('statement', locale)}:{token.map[0] + 1}"
                    message = f"{match.group()!r} looks like a formula that lost its fraction bar"
                    yield Finding("flattened-formula", where, message)


def samples_shown(package: Package) -> Iterator[Finding]:
    """Every sample is shown exactly once."""
    samples = sample_count(package)
    for locale, text in package.statements.items():
        macros = sample_macros(text)
        shown = sum(macro == NEXT_SAMPLE for _, macro in macros)
        rest_shown = any(macro == REMAINING_SAMPLES for _, macro in macros)
        if shown > samples or (shown < samples and not rest_shown):
            message = f"{shown} of {samples} samples are shown with {NEXT_SAMPLE}"
            where = f"{text_path('statement', locale)}:{macros[-1][0] if macros else 1}"
            yield Finding("sample-count", where, message)


def samples_explained(package: Package) -> Iterator[Finding]:
    """Text of its own follows every sample."""
    for locale, text in package.statements.items():
        path = text_path("statement", locale)
        seen: dict[str, int] = {}
        for line, explanation in explanations(text):
            if not explanation:
                message = "the sample shown here is not explained"
                yield Finding("sample-unexplained", f"{path}:{line}", message)
            elif explanation in seen:
                message = f"explanation is the same as after line {seen[explanation]}"
                yield Finding("sample-explanation-boilerplate", f"{path}:{line}", message)
            else:
                seen[explanation] = line


def explanations(statement: str) -> list[tuple[int, str]]:
    """Line of each sample macro and the text between it and the next macro or heading."""
    lines = statement.splitlines()
    starts = [line for line, _ in sample_macros(statement)]
    result: list[tuple[int, str]] = []
    for start, end in pairwise([*starts, len(lines) + 1]):
        block = lines[start : end - 1]
        headings = (index for index, text in enumerate(block) if _HEADING.match(text))
        result.append((start, "\n".join(block[: next(headings, None)]).strip()))
    return result


def sample_count(package: Package) -> int:
    """How many samples the package has."""
    return sum(case.group == "sample" for case in package.problem.cases)


def _findings(path: str, faults: tuple[Fault, ...]) -> Iterator[Finding]:
    for fault in faults:
        severity = "warning" if fault.code in _WARNINGS else "error"
        yield Finding(fault.code, f"{path}:{fault.line}", fault.message, severity)
