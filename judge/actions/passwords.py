"""Hashing and checking of passwords (argon2id).

The hash costs some 80 ms and 64 MiB on purpose, so it is computed before a transaction begins,
never inside, and by few at once: others wait for a moment, and are sent away where many do.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore

from pwdlib import PasswordHash
from pwdlib.exceptions import UnknownHashError

from judge.domain.texts import text_flaw
from judge.errors import Invalid, TooMany, flaw

MIN_LENGTH = 8
MAX_LENGTH = 256
_HASHER = PasswordHash.recommended()
_AT_ONCE = max(2, os.cpu_count() or 1)
# More would fill the threads that answer everybody else.
_WAITING = 8
_RETRY_AFTER_S = 2
# What they limit is this process's memory and time, whoever asks.
_places = BoundedSemaphore(_AT_ONCE + _WAITING)
_turns = BoundedSemaphore(_AT_ONCE)


def hash_password(password: str, pointer: str = "/password") -> str:
    """The argon2id hash of a password that keeps the rules; ``pointer`` names its field.

    Raises:
        Invalid: the password is too short or too long, or no text that can be typed again.
        TooMany: ``passwords-busy``.
    """
    unusable = text_flaw(pointer, password)
    if unusable is not None:
        raise Invalid("invalid-password", unusable)
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise Invalid(
            "invalid-password",
            flaw(pointer, "password-length", least=MIN_LENGTH, most=MAX_LENGTH),
        )
    with _turn():
        return _HASHER.hash(password.encode())


def check_password(password: str, secret_hash: str | None) -> bool:
    """Whether the password fits the hash.

    Without a hash (no such account) the same work is done on a dummy, so that the time of the
    answer does not tell whether a handle exists.

    Raises:
        TooMany: ``passwords-busy``.
    """
    attempt = password[:MAX_LENGTH].encode(errors="surrogatepass")
    try:
        with _turn():
            fits = _HASHER.verify(attempt, secret_hash or _dummy_hash())
    except UnknownHashError:
        return False
    return fits and secret_hash is not None and len(password) <= MAX_LENGTH


@contextmanager
def _turn() -> Iterator[None]:
    if not _places.acquire(blocking=False):
        raise TooMany("passwords-busy", seconds=_RETRY_AFTER_S)
    try:
        with _turns:
            yield
    finally:
        _places.release()


@cache
def _dummy_hash() -> str:
    return _HASHER.hash("a password that nobody has")
