"""What every command's exit status means, and how errors become one.

``error_exits`` knows the judge's own errors; ``run_guarded`` stands around a whole process and
turns whatever else is raised into one line and JUDGE_FAULT. With JUDGE_LOG_LEVEL=debug the
traceback is printed before that line.
"""

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from judge.errors import (
    Invalid,
    JudgeBroken,
    Misconfigured,
    PackageInvalid,
    Refused,
    StorageUnavailable,
)
from judge.i18n import FALLBACK, flaw_message, refusal

DONE, NOT_DONE, USAGE, JUDGE_FAULT = range(4)


def leave(status: int, message: str = "") -> NoReturn:
    """End the command; the message goes to the error stream."""
    if message:
        print(message, file=sys.stderr)
    sys.exit(status)


@contextmanager
def error_exits() -> Iterator[None]:
    """Turn the judge's errors into exit statuses with one message."""
    try:
        yield
    except PackageInvalid as error:
        leave(USAGE, str(error))
    except Refused as error:
        leave(USAGE, _sentence(error))
    except Misconfigured as error:
        leave(USAGE, f"judge: {error}")
    except StorageUnavailable as error:
        leave(JUDGE_FAULT, f"judge: {error}")
    except JudgeBroken as error:
        leave(JUDGE_FAULT, f"the judge's own fault: {error}")


def run_guarded(command: Callable[[], object]) -> None:
    """Run a process's command; nothing that it raises becomes a traceback.

    Whoever stops reading our output gets no complaint about it. Output that cannot be written for
    another reason, such as a full disk, is the judge's own fault even if the command was done.
    """
    try:
        try:
            command()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        leave(NOT_DONE)
    except Exception as error:
        if isinstance(error, OSError):
            _drop_output()
        if os.environ.get("JUDGE_LOG_LEVEL", "").lower() == "debug":
            traceback.print_exc()
        leave(JUDGE_FAULT, f"judge: the judge's own fault: {describe_error(error)}")


def describe_error(error: Exception) -> str:
    """An exception in one line: further lines of a database's error hold SQL and its values."""
    name, words = type(error).__name__, str(error).strip().partition("\n")[0]
    return f"{name}: {words}" if words else name


def _drop_output() -> None:
    """Let the interpreter's last flush go nowhere: it would fail again, and say so."""
    try:
        output = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, output)
    os.close(nowhere)


def _sentence(error: Refused) -> str:
    if isinstance(error, Invalid) and error.flaws:
        return " ".join(
            flaw_message(flaw.code, flaw.variant, FALLBACK, flaw.details) for flaw in error.flaws
        )
    return refusal(error.code, error.variant, FALLBACK, error.details)
