"""Which texts from outside the judge can keep at all.

Two kinds of text cannot be stored, compared or sent on: one with a NUL character (PostgreSQL keeps
none) and one with half a character (a lone surrogate has no UTF-8). JSON, the command line and
standard input can all carry them. What else a field may hold is the rule of its own action.
"""

from judge.errors import Flaw, flaw


def text_flaw(pointer: str, text: str) -> Flaw | None:
    """Why the text in this field cannot be kept; None if it can."""
    if "\0" in text:
        return flaw(pointer, "nul-character")
    try:
        text.encode()
    except UnicodeEncodeError:
        return flaw(pointer, "lone-surrogate")
    return None
