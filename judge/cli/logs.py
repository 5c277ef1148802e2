"""Log lines of the long-running commands, on standard error."""

import logging

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
# What these tell at their info level is of use only to who develops them.
_CHATTY = ("alembic", "dramatiq", "uvicorn")


def set_up_logs(level: str) -> None:
    """Log from ``level`` on: debug, info, warning or error."""
    logging.basicConfig(level=level.upper(), format=_FORMAT)
    if level == "info":
        for name in _CHATTY:
            logging.getLogger(name).setLevel(logging.WARNING)
