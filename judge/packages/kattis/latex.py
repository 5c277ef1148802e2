"""The fixed subset of LaTeX in which most statements are written, as Markdown.

Understood are paragraphs, sections, lists, bold, emphasis, typewriter text, links, quotation marks,
formulas (which stay TeX) and Kattis' macros for samples. Whatever else a text uses, pictures and
tables for two, raises NotInSubset: no half of a statement is better than none.
"""

import re
from collections.abc import Callable

_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*\n?)"
    r"|(?P<math>\$\$.+?\$\$|\$(?:\\.|[^$\\])+\$|\\\[.+?\\\]|\\\(.+?\\\))"
    r"|(?P<verb>\\verb\*?(?P<fence>[^a-zA-Z\s*]).*?(?P=fence))"
    r"|(?P<command>\\(?:[a-zA-Z]+\*?|[^a-zA-Z]))"
    r"|(?P<open>\{)|(?P<close>\})"
    r"|(?P<text>[^\\{}$%]+|\$)",
    re.DOTALL,
)
_MARKDOWN = re.compile(r"([*_`<>\[\]#|])")
_AFTER_MARK = re.compile(r"^( *(?:\*|1\.)) +", re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_QUOTES = (("``", "“"), ("''", "”"), ("---", "—"), ("--", "\N{EN DASH}"), ("~", " "))
_WORDS = {
    "ldots": "…", "dots": "…", "%": "%", "&": "&", "_": r"\_", "#": r"\#", "$": r"\$", "{": "{",
    "}": "}", ",": " ", " ": " ", "\\": "\n", "newline": "\n", "textbackslash": r"\\",
    "par": "\n\n", "noindent": "", "bigskip": "", "medskip": "", "smallskip": "", "-": "",
    "nextsample": "\n\n{{nextsample}}\n\n", "remainingsamples": "\n\n{{remainingsamples}}\n\n",
    "textasciitilde": "~", "textless": r"\<", "textgreater": r"\>", "LaTeX": "LaTeX",
}  # fmt: skip
_AROUND = {
    "textbf": "**", "emph": "*", "textit": "*", "textsl": "*", "texttt": "`", "text": "",
    "mbox": "", "underline": "", "textrm": "",
}  # fmt: skip
_HEADINGS = {"section": "##", "subsection": "###", "subsubsection": "####", "paragraph": "####"}
_NAMES = ("problemname", "plainproblemname")
_LISTS = {"itemize": "*", "enumerate": "1."}


class NotInSubset(ValueError):
    """The text holds what has no translation; its message says what."""


def to_markdown(source: str) -> tuple[str, str]:
    """A statement as Markdown, and the problem's name that it states (empty for none).

    Raises:
        NotInSubset: it holds something else.
    """
    reader = _Reader(source.replace("\r\n", "\n"))
    text = _AFTER_MARK.sub(r"\1 ", reader.read())
    lines = [
        line.strip() if not line.startswith("  ") else line.rstrip() for line in text.split("\n")
    ]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n", reader.name


class _Reader:
    """Goes through a text once, front to back."""

    def __init__(self, source: str) -> None:
        self._tokens = list(_TOKEN.finditer(source))
        if sum(len(token.group()) for token in self._tokens) != len(source):
            raise NotInSubset("a lone backslash or an unfinished formula")
        self._position = 0
        self._lists: list[str] = []
        self.name = ""

    def read(self, *, in_group: bool = False) -> str:
        """The text up to the end, or to the brace that closes this group."""
        parts: list[str] = []
        while self._position < len(self._tokens):
            token = self._tokens[self._position]
            self._position += 1
            if token["close"]:
                if in_group:
                    return "".join(parts)
                raise NotInSubset("a closing brace too many")
            parts.append(self._token(token))
        if in_group or self._lists:
            raise NotInSubset("a brace or a list that is not closed")
        return "".join(parts)

    def _token(self, token: re.Match[str]) -> str:
        if token["comment"]:
            return ""
        if token["math"]:
            return _formula(token["math"])
        if token["verb"]:
            body = token["verb"].removeprefix("\\verb").removeprefix("*")
            return f"`{body[1:-1]}`"
        if token["open"]:
            return self.read(in_group=True)
        if token["command"]:
            return self._command(token["command"][1:])
        return _plain(token["text"])

    def _command(self, command: str) -> str:
        name = command.rstrip("*") if len(command) > 1 else command
        if name in _WORDS:
            return _WORDS[name]
        if name in _AROUND:
            return self._around(_AROUND[name])
        if name in _HEADINGS:
            return f"\n\n{_HEADINGS[name]} {self._argument().strip()}\n\n"
        known: dict[str, Callable[[], str]] = {
            "begin": self._begin, "end": self._end, "item": self._item, "url": self._url,
            "href": self._link,
        }  # fmt: skip
        if name in known:
            return known[name]()
        if name in _NAMES:
            self.name = self._argument().strip().replace("\\", "")
            return ""
        raise NotInSubset(f"\\{name}")

    def _around(self, mark: str) -> str:
        inside = self._argument()
        if mark == "`":
            return "`" + _ESCAPED.sub(r"\1", inside) + "`"
        return f"{mark}{inside.strip()}{mark}" if inside.strip() else inside

    def _argument(self) -> str:
        """What stands in the braces that follow."""
        while (
            self._position < len(self._tokens) and not self._tokens[self._position].group().strip()
        ):
            self._position += 1
        if self._position >= len(self._tokens) or not self._tokens[self._position]["open"]:
            raise NotInSubset("a command without its braces")
        self._position += 1
        return self.read(in_group=True)

    def _begin(self) -> str:
        name = self._argument()
        if name not in _LISTS:
            raise NotInSubset(f"\\begin{{{name}}}")
        self._lists.append(name)
        return "\n\n"

    def _end(self) -> str:
        name = self._argument()
        if not self._lists or self._lists.pop() != name:
            raise NotInSubset(f"\\end{{{name}}} without its beginning")
        return "\n\n"

    def _item(self) -> str:
        if not self._lists:
            raise NotInSubset("\\item outside of a list")
        return f"\n{'   ' * (len(self._lists) - 1)}{_LISTS[self._lists[-1]]} "

    def _url(self) -> str:
        return f"<{self._argument().replace(chr(92), '')}>"

    def _link(self) -> str:
        address = self._argument().replace("\\", "")
        return f"[{self._argument()}]({address})"


def _formula(text: str) -> str:
    """A formula between dollar signs; one on lines of its own stands in a block."""
    if text.startswith(("$$", "\\[")):
        return f"\n\n$${' '.join(text[2:-2].split())}$$\n\n"
    inside = text[2:-2] if text.startswith("\\(") else text[1:-1]
    return f"${' '.join(inside.split())}$"


def _plain(text: str) -> str:
    if text == "$":
        raise NotInSubset("an unfinished formula")
    for mark, meant in _QUOTES:
        text = text.replace(mark, meant)
    return _MARKDOWN.sub(r"\\\1", text)
