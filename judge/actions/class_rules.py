"""What holds for every class: names, time zones, join codes."""

import hashlib
import re
import secrets
from datetime import UTC, datetime

from judge.actions.time_zones import find_time_zone, is_time_zone
from judge.domain.problem import LOCALES
from judge.errors import Flaw, flaw

# The kind of notice that tells of an invitation; its ref is the class.
INVITATION_NOTICE = "class-invitation"
MAX_NAME = 128
MAX_CLASSES = 200
MAX_MEMBERS = 2000
MAX_ASSIGNMENTS = 200
# Without letters and digits that look like each other; twelve of these cannot be guessed.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_CODE_LENGTH = 12
_SEPARATORS = re.compile(r"[\s-]+")


def new_join_code() -> str:
    """A code that lets whoever has it join, in groups that can be read aloud."""
    code = "".join(secrets.choice(_ALPHABET) for _ in range(_CODE_LENGTH))
    return "-".join(code[start : start + 4] for start in range(0, _CODE_LENGTH, 4))


def hash_join_code(code: str) -> str:
    """What is stored of a code, however it is typed."""
    plain = _SEPARATORS.sub("", code).lower()
    return hashlib.sha256(plain.encode(errors="replace")).hexdigest()


def check_class(name: str | None, locale: str | None, time_zone: str | None) -> list[Flaw]:
    """The rules that these fields break; None is not looked at."""
    flaws = []
    if name is not None and not (0 < len(name.strip()) <= MAX_NAME and name.isprintable()):
        flaws.append(flaw("/name", "class-name", most=MAX_NAME))
    if locale is not None and locale not in LOCALES:
        flaws.append(flaw("/locale", "locale", locales=LOCALES))
    if time_zone is not None and not is_time_zone(time_zone):
        flaws.append(flaw("/time_zone", "time-zone"))
    return flaws


def to_moment(local: datetime, time_zone: str) -> datetime | None:
    """A wall clock time of a class in UTC; None if it lies outside the years that exist.

    Of a time that the clocks show twice the first is meant; one that they skip is as much later.
    """
    try:
        return local.replace(tzinfo=find_time_zone(time_zone)).astimezone(UTC)
    except OverflowError:
        return None
