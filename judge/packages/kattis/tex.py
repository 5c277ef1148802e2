"""A statement in Markdown as LaTeX, which is what the legacy format asks for.

Samples have no place in the text there: the tools print them behind it. Where a sample stands in
the Markdown, its name stands in the LaTeX, so that its explanation keeps its subject.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from markdown_it.token import Token

from judge.packages.render import NEXT_SAMPLE, statement_tokens

_SAMPLE_WORDS = {"vi": "Mẫu", "ja": "サンプル", "en": "Sample"}
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip
_HEADINGS = {"h1": "section*", "h2": "section*", "h3": "subsection*"}
_OPENED = {
    "paragraph_open": "", "paragraph_close": "\n\n", "bullet_list_open": "\\begin{itemize}\n",
    "bullet_list_close": "\\end{itemize}\n\n", "ordered_list_open": "\\begin{enumerate}\n",
    "ordered_list_close": "\\end{enumerate}\n\n", "list_item_open": "\\item ",
    "list_item_close": "", "blockquote_open": "\\begin{quote}\n",
    "blockquote_close": "\\end{quote}\n\n", "heading_close": "}\n\n", "strong_open": "\\textbf{",
    "strong_close": "}", "em_open": "\\emph{", "em_close": "}", "softbreak": "\n",
    "hardbreak": "\\\\\n", "hr": "\n\n", "thead_open": "", "thead_close": "", "tbody_open": "",
    "tbody_close": "", "table_close": "\\hline\n\\end{tabular}\n\n", "link_close": "}",
    "th_close": "", "td_close": "", "tr_close": " \\\\\n",
}  # fmt: skip
_VERBATIM = ("\\begin{verbatim}\n", "\n\\end{verbatim}\n\n")
# What stands around a content that is copied as it is.
_AROUND = {
    "math_inline": ("$", "$"),
    "math_inline_double": ("$", "$"),
    "math_block": ("\\[", "\\]\n\n"),
    "fence": _VERBATIM,
    "code_block": _VERBATIM,
}
_CONSTANT = re.compile(r"\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}")


def to_tex(markdown: str, name: str, locale: str, constants: Mapping[str, object]) -> str:
    """One statement with its title."""

    def value(match: re.Match[str]) -> str:
        return str(constants.get(match[1], match.group()))

    tokens = statement_tokens(_CONSTANT.sub(value, markdown))
    body = _Writer(_SAMPLE_WORDS[locale]).write(tokens)
    body = re.sub(r"\n{3,}", "\n\n", body).strip()
    return f"\\problemname{{{escape(name)}}}\n\n{body}\n"


def escape(text: str) -> str:
    """A text in which nothing is a command."""
    return "".join(_SPECIAL.get(character, character) for character in text)


class _Writer:
    """Writes tokens; it counts samples and the cells of a table's row."""

    def __init__(self, sample_word: str) -> None:
        self._sample_word = sample_word
        self._samples = 0
        self._is_first_cell = True

    def write(self, tokens: Sequence[Token]) -> str:
        """The text of a whole document."""
        return "".join(self._token(token, tokens[at:]) for at, token in enumerate(tokens))

    def _token(self, token: Token, rest: Sequence[Token]) -> str:
        if token.type in _OPENED:
            self._is_first_cell |= token.type == "tr_close"
            return _OPENED[token.type]
        match token.type:
            case "inline":
                return "".join(self._token(child, ()) for child in token.children or ())
            case "heading_open":
                return f"\\{_HEADINGS.get(token.tag, 'subsubsection*')}{{"
            case "link_open":
                return f"\\href{{{escape(str(token.attrGet('href') or ''))}}}{{"
            case "sample_macro":
                return self._sample(token.content)
            case _:
                return self._other(token, rest)

    def _other(self, token: Token, rest: Sequence[Token]) -> str:
        if token.type in _AROUND:
            before, after = _AROUND[token.type]
            return f"{before}{token.content.strip()}{after}"
        if token.type == "code_inline":
            return f"\\texttt{{{escape(token.content)}}}"
        return self._table(token, rest)

    def _table(self, token: Token, rest: Sequence[Token]) -> str:
        if token.type == "table_open":
            columns = sum(1 for _ in _header_cells(rest))
            return f"\\begin{{tabular}}{{|{'l|' * columns}}}\n"
        if token.type == "tr_open":
            self._is_first_cell = True
            return "\\hline\n"
        if token.type in ("td_open", "th_open"):
            first, self._is_first_cell = self._is_first_cell, False
            return "" if first else " & "
        return escape(token.content)

    def _sample(self, macro: str) -> str:
        if macro != NEXT_SAMPLE:
            return ""
        self._samples += 1
        return f"\\textbf{{{self._sample_word} {self._samples}.}} "


def _header_cells(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type == "thead_close":
            return
        if token.type == "th_open":
            yield token
