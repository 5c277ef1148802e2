"""Identifiers as the API shows them: ``sub_<32 hex digits>`` and the like."""

import re

from judge.errors import NotFound

ACCOUNT = "acc"
ASSIGNMENT = "asg"
AUDIT = "aud"
CLASS = "cls"
EXPORT = "exp"
FEEDBACK = "fbk"
NOTICE = "ntc"
RUN = "run"
TOKEN = "tok"  # noqa: S105 - a prefix
REJUDGE = "rej"
REVISION = "rev"
SESSION = "ses"
SUBMISSION = "sub"
_DIGITS = re.compile(r"[0-9a-f]{32}")


def show(prefix: str, identifier: str) -> str:
    """An identifier of the database as the API shows it."""
    return f"{prefix}_{identifier}"


def read(prefix: str, text: str) -> str:
    """An identifier that a client sent, as the database knows it.

    Raises:
        NotFound: it cannot be the identifier of anything of this kind.
    """
    head, _, digits = text.partition("_")
    if head != prefix or not _DIGITS.fullmatch(digits):
        raise NotFound("not-found")
    return digits
