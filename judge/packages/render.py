"""Markdown with formulas to safe HTML.

Owns the Markdown dialect: CommonMark without raw HTML, tables, ``$..$`` and ``$$..$$``, and the
macros of Kattis' format (``{{nextsample}}``, ``{{remainingsamples}}``, ``{{constant}}``). It never
raises for what an author wrote: every fault comes back with its line, beside HTML that a reader
can use. What a sample looks like is not decided here; a statement is split where samples stand.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from markdown_it.utils import EnvType
from mdit_py_plugins.dollarmath import dollarmath_plugin

from judge.packages.formulas import to_mathml
from judge.packages.sanitize import sanitize

NEXT_SAMPLE = "{{nextsample}}"
REMAINING_SAMPLES = "{{remainingsamples}}"
Constants = Mapping[str, int | float | str]
_SAMPLE_TOKEN = "sample_macro"  # noqa: S105 - a Markdown token
# As much as a text itself may have: a short one can name a constant thousands of times.
MAX_FILLED_CHARACTERS = 64 * 1024
_NAME = re.compile(r"\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}")
_MATH_TOKENS = {"math_inline": False, "math_inline_double": True, "math_block": True}


@dataclass(frozen=True)
class Fault:
    """Something in a text that does not render as meant; ``line`` is 1-based."""

    code: str
    line: int
    message: str


@dataclass(frozen=True)
class RenderedText:
    """Safe HTML of a hint or a solution."""

    html: str
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class RenderedStatement:
    """A statement in parts: safe HTML (str), or the 1-based number of a sample to show (int)."""

    parts: tuple[str | int, ...]
    faults: tuple[Fault, ...]


def render_text(markdown: str, constants: Constants | None = None) -> RenderedText:
    """Render a hint or a solution."""
    renderer = _renderer()
    env: EnvType = {}
    filled = _with_constants(markdown, constants or {})
    tokens = renderer.parse(filled.text, env)
    faults = [*filled.faults, *_finish(tokens)]
    html = renderer.renderer.render(tokens, renderer.options, env)
    return RenderedText(sanitize(html), tuple(faults))


def render_statement(
    markdown: str, sample_count: int, constants: Constants | None = None
) -> RenderedStatement:
    """Render a statement, split at its samples; samples that it never names come at the end."""
    renderer = _statement_renderer()
    env: EnvType = {}
    filled = _with_constants(markdown, constants or {})
    tokens = renderer.parse(filled.text, env)
    faults = [*filled.faults, *_finish(tokens)]
    parts: list[str | int] = []
    shown = 0
    for chunk in _chunks(tokens):
        if isinstance(chunk, Token):
            last = shown + 1 if chunk.content == NEXT_SAMPLE else sample_count
            parts += range(shown + 1, min(last, sample_count) + 1)
            shown = max(shown, last)
        else:
            parts.append(sanitize(renderer.renderer.render(chunk, renderer.options, env)))
    parts += range(shown + 1, sample_count + 1)
    return RenderedStatement(tuple(parts), tuple(faults))


def statement_tokens(markdown: str) -> tuple[Token, ...]:
    """The block tokens of a statement, for rules that look at its form."""
    return tuple(_statement_renderer().parse(markdown))


def sample_macros(markdown: str) -> tuple[tuple[int, str], ...]:
    """Line and text of every sample macro that stands alone on its line outside of code."""
    return tuple(
        (token.map[0] + 1, token.content)
        for token in statement_tokens(markdown)
        if token.type == _SAMPLE_TOKEN and token.map
    )


def _renderer() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    # No picture can be served from a package, so "!" stays what it is.
    markdown.disable("image")
    dollarmath_plugin(markdown, allow_labels=False, allow_blank_lines=False, double_inline=True)
    return markdown


def _statement_renderer() -> MarkdownIt:
    markdown = _renderer()
    ends_these: RuleOptionsType = {"alt": ["paragraph", "reference"]}
    markdown.block.ruler.before("fence", _SAMPLE_TOKEN, _sample_macro, ends_these)
    return markdown


@dataclass(frozen=True)
class _Filled:
    """A text with its constants filled in, or as it was where that would make it too long."""

    text: str
    faults: tuple[Fault, ...] = ()


def _with_constants(markdown: str, constants: Constants) -> _Filled:
    values = {name: " ".join(str(value).split()) for name, value in constants.items()}
    named = [match for match in _NAME.finditer(markdown) if match.group(1) in values]
    added = sum(len(values[match.group(1)]) - len(match.group()) for match in named)
    if added > 0 and len(markdown) + added > MAX_FILLED_CHARACTERS:
        message = f"with its constants the text has over {MAX_FILLED_CHARACTERS} characters"
        return _Filled(markdown, (Fault("text-too-large", 1, message),))
    return _Filled(_NAME.sub(lambda match: values.get(match.group(1), match.group()), markdown))


def _sample_macro(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """Block rule: a line of the document's top level that is nothing but a sample macro."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].strip()
    nested = state.level > 0 or state.parentType not in ("root", "paragraph")
    if nested or line not in (NEXT_SAMPLE, REMAINING_SAMPLES):
        return False
    if not silent:
        token = state.push(_SAMPLE_TOKEN, "", 0)
        token.content, token.map = line, [start, start + 1]
        state.line = start + 1
    return True


def _chunks(tokens: Sequence[Token]) -> Iterator[Token | Sequence[Token]]:
    """Runs of ordinary tokens, and the sample macros between them."""
    start = 0
    for position, token in enumerate(tokens):
        if token.type == _SAMPLE_TOKEN:
            if position > start:
                yield tokens[start:position]
            yield token
            start = position + 1
    if start < len(tokens):
        yield tokens[start:]


def _finish(tokens: Sequence[Token]) -> list[Fault]:
    """Turn formulas into MathML in place and list what does not render as meant."""
    faults: list[Fault] = []
    line = 1
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        if token.type in _MATH_TOKENS:
            faults += _to_markup(token, line)
        inner = line
        for child in token.children or ():
            if child.type in _MATH_TOKENS:
                faults += _to_markup(child, inner)
            elif child.type == "text":
                faults += _text_faults(child.content, inner)
            inner += child.content.count("\n") + (child.type in ("softbreak", "hardbreak"))
    return faults


def _to_markup(token: Token, line: int) -> list[Fault]:
    lines = token.content.count("\n")
    formula = to_mathml(token.content, display=_MATH_TOKENS[token.type])
    is_block = token.type == "math_block"
    token.type = "html_block" if is_block else "html_inline"
    # The newlines keep the line count of the text around right; HTML does not care.
    markup = f"<p>{formula.markup}</p>\n" if is_block else formula.markup
    token.content = markup + "\n" * lines
    return [Fault("bad-formula", line, formula.fault)] if formula.fault else []


def _text_faults(text: str, line: int) -> Iterator[Fault]:
    if "\\" in text:
        yield Fault("leftover-backslash", line, f"a backslash stays in the text: {text.strip()!r}")
    if "$" in text:
        yield Fault("leftover-dollar", line, f"a dollar sign stays in the text: {text.strip()!r}")
    for name in _NAME.findall(text):
        if f"{{{{{name}}}}}" in (NEXT_SAMPLE, REMAINING_SAMPLES):
            yield Fault("misplaced-sample", line, f"{{{{{name}}}}} must stand alone on its line")
        else:
            yield Fault("unknown-constant", line, f"problem.yaml has no constant {name!r}")
