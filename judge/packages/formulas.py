r"""LaTeX formulas to MathML.

Owns the conversion of one formula and the small table of what the converter does not know. It
never raises for a bad formula: the reader sees the source as code, the author gets a fault.
"""

import html
import re
from dataclasses import dataclass

from latex2mathml.converter import convert

MAX_FORMULA_CHARACTERS = 4000

# What latex2mathml would print as an unknown command or lay out wrongly, in terms that it knows.
_MACROS: tuple[tuple[str, str], ...] = (
    (r"\\arg\s*\\max(?![A-Za-z])", r"\\operatorname*{argmax}"),
    (r"\\arg\s*\\min(?![A-Za-z])", r"\\operatorname*{argmin}"),
    (r"\\argmax(?![A-Za-z])", r"\\operatorname*{argmax}"),
    (r"\\argmin(?![A-Za-z])", r"\\operatorname*{argmin}"),
    (r"\\arg(?![A-Za-z])", r"\\operatorname{arg}"),
    (r"\\softmax(?![A-Za-z])", r"\\operatorname{softmax}"),
    (r"\\(begin|end)\{aligned\}", r"\\\1{split}"),
    (r"\\(begin|end)\{gathered\}", r"\\\1{matrix}"),
    (r"\\(begin|end)\{align\}", r"\\\1{align*}"),
)
_FENCES = {
    "&#x0230A;": "prefix",
    "&#x0230B;": "postfix",
    "&#x02308;": "prefix",
    "&#x02309;": "postfix",
    "&#x027E8;": "prefix",
    "&#x027E9;": "postfix",
}
_UPRIGHT_LETTERS = re.compile(r'(?:<mi mathvariant="normal">[A-Za-z]</mi>){2,}')
_TEXT = re.compile(r"(<mtext[^>]*>)([^<]*)(</mtext>)")
_LEAF = re.compile(r"<m(?:i|o|n|text)[^>]*>([^<]*)</m")


@dataclass(frozen=True)
class Formula:
    """One converted formula; ``fault`` is empty if nothing was wrong with its source."""

    markup: str
    fault: str = ""


def to_mathml(latex: str, *, display: bool) -> Formula:
    """Convert one formula; its source stays readable as the ``alttext`` of the result."""
    source = " ".join(latex.split())
    if not source:
        return Formula("", "a formula is empty")
    if len(source) > MAX_FORMULA_CHARACTERS:
        return _unreadable(source[:200], f"a formula is over {MAX_FORMULA_CHARACTERS} characters")
    expanded = source
    for pattern, replacement in _MACROS:
        expanded = re.sub(pattern, replacement, expanded)
    try:
        markup = convert(expanded, display="block" if display else "inline")
    except Exception as error:  # the converter lets errors of any class through
        detail = str(error) or type(error).__name__
        return _unreadable(source, f"formula cannot be read: {source} ({detail})")
    markup = _polish(markup)
    fault = next((_leaf_fault(leaf, source) for leaf in _leaves(markup) if _is_raw(leaf)), "")
    alternative = html.escape(source, quote=True)
    return Formula(markup.replace("<math ", f'<math alttext="{alternative}" ', 1), fault)


def _polish(markup: str) -> str:
    for fence, form in _FENCES.items():
        operator = f'<mo fence="true" stretchy="false" form="{form}">{fence}</mo>'
        markup = markup.replace(f"<mi>{fence}</mi>", operator)
    markup = _UPRIGHT_LETTERS.sub(_join_letters, markup)
    return _TEXT.sub(_unescape_text, markup)


def _join_letters(match: re.Match[str]) -> str:
    """``softmax`` as one identifier: read aloud as a word, upright because it has many letters."""
    return f"<mi>{''.join(re.findall(r'>([A-Za-z])<', match.group()))}</mi>"


def _unescape_text(match: re.Match[str]) -> str:
    opening, text, closing = match.groups()
    return opening + re.sub(r"\\([_%#{}$])", r"\1", text) + closing


def _leaves(markup: str) -> list[str]:
    return [match.group(1) for match in _LEAF.finditer(markup)]


def _is_raw(leaf: str) -> bool:
    return "\\" in leaf or leaf == "&"


def _leaf_fault(leaf: str, source: str) -> str:
    if leaf == "&":
        return f"formula has a & outside of an environment: {source}"
    return f"formula has an unknown command {leaf}: {source}"


def _unreadable(source: str, fault: str) -> Formula:
    return Formula(f"<code>{html.escape(source)}</code>", fault)
