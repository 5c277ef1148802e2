"""Rules on the form of texts: what renders wrongly, titles, samples and their explanations."""

import re
from collections.abc import Iterator

from markdown_it.token import Token

from judge.domain.problem import Mode
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
from judge.packages.rules.data import awaits_cases
from judge.packages.rules.explanations import explanations
from judge.packages.texts import text_path

_WARNINGS = ("leftover-dollar",)
# Two calls side by side with nothing between them: a fraction that lost its bar.
_LOST_BAR = re.compile(r"(?<!\w)[A-Za-z]\w{0,8}\([^()\s]{1,12}\)[A-Za-z]\w{0,8}\([^()\s]{1,12}\)")
# Large operators have limits above and below them, which no line of text can show; as capital
# letters they stand right before what they sum. What is shown
# around one is bounded: a hostile text may be one long word.
_LARGE_OPERATOR = re.compile(r"\S{0,40}(?:[∑∏∫√]|[ΣΠ](?=[\w({_^]))\S{0,40}")
# An index or a power as TeX writes it; names with more letters are names of code.
_RAW_INDEX = re.compile(r"(?<![\w`])[A-Za-z](?:_(?:\w(?!\w)|\{)|\^(?:[\w({+-]))")


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
    """No formula was pasted as plain text, as in ``p(x)q(x)``, ``∑ xi`` or ``x_i``."""
    for path, text in package_texts(package):
        for token in statement_tokens(text):
            for line, prose in _prose(token):
                yield from _flattened(f"{path}:{line}", prose)


def package_texts(package: Package) -> Iterator[tuple[str, str]]:
    """Path and Markdown of every statement, hint and solution."""
    for locale, text in package.statements.items():
        yield text_path("statement", locale), text
    for number, hint in enumerate(package.hints, start=1):
        for locale, text in hint.items():
            yield text_path("hints", locale, number), text
    for locale, text in package.solutions.items():
        yield text_path("solution", locale), text


def samples_shown(package: Package) -> Iterator[Finding]:
    """Every sample is shown exactly once."""
    samples = sample_count(package)
    if awaits_cases(package):
        return
    for locale, text in package.statements.items():
        macros = sample_macros(text)
        if package.problem.mode is Mode.STDIO and not macros:
            continue  # as Kattis has it: all samples follow the text
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


def sample_count(package: Package) -> int:
    """How many samples the package has."""
    return sum(case.group == "sample" for case in package.problem.cases)


def _prose(token: Token) -> Iterator[tuple[int, str]]:
    """Line and text of everything in a block that is neither code nor formula."""
    line = token.map[0] + 1 if token.map else 1
    for child in token.children or ():
        if child.type == "text":
            yield line, child.content
        line += child.content.count("\n") + (child.type in ("softbreak", "hardbreak"))


def _flattened(where: str, prose: str) -> Iterator[Finding]:
    for pattern, lost in (
        (_LOST_BAR, "looks like a formula that lost its fraction bar"),
        (_LARGE_OPERATOR, "belongs into a formula between dollar signs"),
        (_RAW_INDEX, "looks like a formula without its dollar signs"),
    ):
        match = pattern.search(prose)
        if match:
            yield Finding("flattened-formula", where, f"{match.group()!r} {lost}")


def _findings(path: str, faults: tuple[Fault, ...]) -> Iterator[Finding]:
    for fault in faults:
        severity = "warning" if fault.code in _WARNINGS else "error"
        yield Finding(fault.code, f"{path}:{fault.line}", fault.message, severity)
