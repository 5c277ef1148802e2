r"""Rule on formulas: no command lost its backslash on the way into a text.

``frac{a}{b}`` renders as five letters and two groups, and nothing else complains of it. Found are
words that mean a command where nothing else can be meant (errors), and some that an author may
have meant as a name (warnings). A doubled backslash, which breaks the line, is found as well.
Functions such as ``max`` and ``log`` read the same without a backslash and are left alone.
"""

import re
from collections.abc import Iterator

from judge.errors import Finding
from judge.packages.package import Package
from judge.packages.rules.spans import spans
from judge.packages.rules.statements import package_texts

_BEFORE = r"(?<![A-Za-z\\])"
_NO_NAME_BEFORE = _BEFORE + r"(?<![A-Za-z]{2}_)"
_AFTER = r"(?![A-Za-z])"
_TAKES_A_GROUP = (
    "frac|dfrac|tfrac|cfrac|sqrt|binom|text|textbf|textit|textrm|texttt|mathrm|mathbf|mathbb|mathcal"
    "|mathit|mathsf|mathtt|operatorname|overline|underline|overbrace|underbrace|hat|widehat|tilde"
    "|widetilde|bar|vec|begin|end|boldsymbol"
)
_TAKES_LIMITS = "sum|prod|int|lim|bigcup|bigcap"
_SYMBOLS = (
    "leq|geq|neq|approx|equiv|cdot|infty|nabla|forall|notin|subseteq|supseteq|ldots|cdots|lfloor"
    "|rfloor|lceil|rceil|langle|rangle|propto|mapsto|rightarrow|leftarrow|Rightarrow|Leftarrow"
    "|leftrightarrow|qquad|displaystyle|textstyle|emptyset|setminus|varepsilon|varphi"
)
_PLAUSIBLE_NAMES = (
    "alpha|beta|gamma|delta|epsilon|zeta|kappa|lambda|sigma|theta|omega|Gamma|Delta|Theta|Lambda"
    "|Sigma|Omega|times|partial"
)
# The words between operands only: "ne" without spaces around it is a product.
_RELATIONS = r"(?<!\S)(?:le|ge|ne|in)(?=\s+\S)"
_LOST = re.compile(
    rf"{_BEFORE}(?:{_TAKES_A_GROUP})(?=\*?\s*\{{)"
    rf"|{_BEFORE}(?:{_TAKES_LIMITS})(?=\s*[_^]\s*\{{)"
    rf"|{_NO_NAME_BEFORE}(?:{_SYMBOLS}){_AFTER}"
    rf"|{_RELATIONS}"
)
# A function of the name "right" has its bracket the other way round.
_RIGHT = re.compile(rf"{_BEFORE}right(?=\s*(?:[)\]|.]|\\[}}|]))")
_LEFT = re.compile(rf"{_BEFORE}left(?=\s*(?:[(\[|.]|\\[{{|]))")
_DOUBTFUL = re.compile(
    rf"{_BEFORE}(?:{_TAKES_LIMITS})(?=[_^]\w(?!\w))|{_NO_NAME_BEFORE}(?:{_PLAUSIBLE_NAMES}){_AFTER}"
)
# A line break, then the command's letters: the backslash was doubled on the way.
_DOUBLED = re.compile(
    rf"(?<!\\)\\\\(?:(?:{_TAKES_A_GROUP})(?=\*?\s*\{{)|(?:{_TAKES_LIMITS})(?=\s*[_^])"
    rf"|(?:{_SYMBOLS}|{_PLAUSIBLE_NAMES}){_AFTER})"
)
# What a program made of "\f", "\b", "\v" or "\a" where it took a command for an escape.
_ESCAPE = re.compile(r"[\a\b\v\f]|\t(?=(?:ext|imes|heta|au|ilde|frac|o)\b)")
_PLAIN = re.compile(
    r"\{\{\w+\}\}"
    r"|\\(?:text\w*|mathrm|mathbf|mathit|mathsf|mathtt|operatorname\*?|begin|end)\s*\{[^{}]*\}"
)


def lost_backslashes(package: Package) -> Iterator[Finding]:
    """Every word in a formula that is a command stands behind a backslash."""
    for path, text in package_texts(package):
        for span in spans(text):
            if span.is_formula:
                for offset, message, severity in _lost(_without_plain_words(span.content)):
                    line = span.line + span.content.count("\n", 0, offset)
                    yield Finding("lost-backslash", f"{path}:{line}", message, severity)


def _lost(formula: str) -> Iterator[tuple[int, str, str]]:
    """Place, message and severity of each word once."""
    surely = _first(_LOST, formula) | _brackets(formula)
    for word, offset in surely.items():
        message = f"{word!r} in a formula is a command without its backslash: write \\{word}"
        yield offset, message, "error"
    for word, offset in _first(_DOUBTFUL, formula).items():
        if word not in surely:
            message = f"{word!r} in a formula may be a command without its backslash: \\{word}"
            yield offset, message, "warning"
    for word, offset in _first(_DOUBLED, formula).items():
        message = f"'{word}' in a formula is a line break and letters: write {word[1:]}"
        yield offset, message, "error"
    escape = _ESCAPE.search(formula)
    if escape:
        rest = formula[escape.end() :].split(maxsplit=1)
        message = f"a control character before {''.join(rest[:1])!r} was a backslash and a letter"
        yield escape.start(), message, "error"


def _first(pattern: re.Pattern[str], formula: str) -> dict[str, int]:
    """Where each word that the pattern finds stands first."""
    places: dict[str, int] = {}
    for match in pattern.finditer(formula):
        places.setdefault(match.group(), match.start())
    return places


def _brackets(formula: str) -> dict[str, int]:
    """``right`` before a closing bracket, and ``left`` before an opening one that it closes."""
    closing = [match.start() for match in _RIGHT.finditer(formula)]
    if not closing:
        return {}
    opening = [match.start() for match in _LEFT.finditer(formula, 0, closing[-1])]
    return {"right": closing[0], **({"left": opening[0]} if opening else {})}


def _without_plain_words(formula: str) -> str:
    """The formula with what is text in it blanked out, at the same places."""
    return _PLAIN.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), formula)
