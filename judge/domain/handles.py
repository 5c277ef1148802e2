"""Handles that nobody may give itself: names under which the judge itself might speak.

Whoever runs the judge, and admins who import accounts, may give them all the same.
"""

RESERVED = frozenset(
    {
        "admin",
        "administrator",
        "anonymous",
        "api",
        "decodejudge",
        "everybody",
        "help",
        "judge",
        "moderator",
        "nobody",
        "null",
        "operator",
        "root",
        "security",
        "staff",
        "support",
        "sysadmin",
        "system",
        "teacher",
        "undefined",
        "webmaster",
    }
)


def is_reserved(handle: str) -> bool:
    """Whether a handle is reserved, however it is capitalised, with hyphens or without."""
    return handle.lower().replace("_", "").replace("-", "") in RESERVED
