"""Hashing and checking of passwords (argon2id).

The hash costs some 80 ms on purpose, so it is computed before a transaction begins, never inside.
"""

from functools import cache

from pwdlib import PasswordHash
from pwdlib.exceptions import UnknownHashError

from judge.domain.texts import text_flaw
from judge.errors import Invalid, flaw

MIN_LENGTH = 8
MAX_LENGTH = 256
_HASHER = PasswordHash.recommended()


def hash_password(password: str, pointer: str = "/password") -> str:
    """The argon2id hash of a password that keeps the rules; ``pointer`` names its field.

    Raises:
        Invalid: the password is too short or too long, or no text that can be typed again.
    """
    unusable = text_flaw(pointer, password)
    if unusable is not None:
        raise Invalid("invalid-password", unusable)
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise Invalid(
            "invalid-password",
            flaw(pointer, "password-length", least=MIN_LENGTH, most=MAX_LENGTH),
        )
    return _HASHER.hash(password.encode())


def check_password(password: str, secret_hash: str | None) -> bool:
    """Whether the password fits the hash.

    Without a hash (no such account) the same work is done on a dummy, so that the time of the
    answer does not tell whether a handle exists.
    """
    attempt = password[:MAX_LENGTH].encode(errors="surrogatepass")
    try:
        fits = _HASHER.verify(attempt, secret_hash or _dummy_hash())
    except UnknownHashError:
        return False
    return fits and secret_hash is not None and len(password) <= MAX_LENGTH


@cache
def _dummy_hash() -> str:
    return _HASHER.hash("a password that nobody has")
