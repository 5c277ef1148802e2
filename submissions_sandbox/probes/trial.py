"""Trying out in a forked child what a process cannot take back: namespaces, filters, rules.

The caller stays what it is. A child that does not come to an end is ended with all that it forked.
"""

import json
import os
import select
import signal
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from submissions_sandbox.probes.report import DidNotHold, NotThere, ProbeBroke

TRIAL_WALL_S = 10.0
_LOOK_EVERY_S = 0.002
_READ_BYTES = 1 << 16
_CLASSES = {"absent": NotThere, "did not hold": DidNotHold}


def in_child(act: Callable[[], str], wall_s: float = TRIAL_WALL_S) -> str:
    """What ``act`` returns, called in a process of its own.

    Raises:
        NotThere, DidNotHold: as ``act`` did.
        ProbeBroke: it raised something else, died, or did not end in time.
    """
    read_end, write_end = os.pipe()
    pid = fork()
    if pid == 0:
        _be_child(act, write_end)
    os.close(write_end)
    try:
        said = _read_until(read_end, time.monotonic() + wall_s)
    finally:
        os.close(read_end)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    if said is None:
        raise ProbeBroke(f"it hung, and was ended after {wall_s:.0f} s")
    return _understood(said, status)


def fork() -> int:
    """Fork; the child makes a few calls and leaves, so that locks of other threads do not matter.

    Python warns of every fork where there are other threads.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def wait_within(pid: int, wall_s: float) -> int:
    """The status of a child at its end; it is ended where that does not come.

    Raises:
        ProbeBroke: it had to be ended.
    """
    give_up_s = time.monotonic() + wall_s
    while time.monotonic() < give_up_s:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        time.sleep(_LOOK_EVERY_S)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    raise ProbeBroke(f"it hung, and was ended after {wall_s:.0f} s")


def _be_child(act: Callable[[], str], write_end: int) -> NoReturn:
    try:
        os.setsid()
        message = {"ok": act()}
    except NotThere as lack:
        kind = "did not hold" if isinstance(lack, DidNotHold) else "absent"
        message = {kind: lack.detail, "fix": lack.fix}
    except BaseException as error:
        message = {"broke": f"{type(error).__name__}: {error}"}
    with suppress(OSError):
        os.write(write_end, json.dumps(message).encode())
    os._exit(0)


def _read_until(descriptor: int, deadline_s: float) -> bytes | None:
    """All that comes until the end; None where that does not come in time."""
    parts: list[bytes] = []
    while True:
        left_s = max(0.0, deadline_s - time.monotonic())
        if not select.select([descriptor], [], [], left_s)[0]:
            return None
        part = os.read(descriptor, _READ_BYTES)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _understood(said: bytes, status: int) -> str:
    if not said:
        raise ProbeBroke(f"it died with status {os.waitstatus_to_exitcode(status)}")
    message: dict[str, str] = json.loads(said)
    for kind, error in _CLASSES.items():
        if kind in message:
            raise error(message[kind], message["fix"])
    if "broke" in message:
        raise ProbeBroke(message["broke"])
    return message["ok"]
