"""Things on the host that an attack could read, write, end or reach; made for it, and harmless.

They show from outside whether an attack had its effect.
"""

import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path

from submissions_sandbox.closing import ClosedAtEnd

# Ends by itself when nobody holds the other end any more.
_WAIT = "import sys; sys.stdin.read()"


class Bait(ClosedAtEnd):
    """A file that everybody may read, in a folder that everybody may write; a process; a socket.

    Attributes:
        secret: the file's path.
        folder: the folder's path.
        victim: the process' pid.
        address: of the listening socket, in hexadecimal digits.
    """

    def __init__(self) -> None:
        """Make all of it.

        Raises:
            OSError: the host refuses.
        """
        self._stack = ExitStack()
        self._folder = Path(tempfile.mkdtemp(prefix="submissions-sandbox-bait-"))
        self._stack.callback(shutil.rmtree, self._folder, ignore_errors=True)
        self._folder.chmod(0o777)
        secret = self._folder / "secret"
        secret.write_text(secrets.token_hex())
        secret.chmod(0o644)
        self._listener = self._stack.enter_context(socket.socket(socket.AF_UNIX))
        self._listener.bind("")  # the kernel picks an abstract name
        self._listener.listen()
        self._listener.setblocking(False)
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-I", "-S", "-c", _WAIT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._stack.callback(self._process.wait)
        self._stack.callback(self._process.kill)
        if self._process.stdin is not None:
            self._stack.callback(self._process.stdin.close)
        self.secret, self.folder = str(secret), str(self._folder)
        self.victim = self._process.pid
        self.address = bytes(self._listener.getsockname()).hex()

    def harm(self) -> str:
        """What happened to it, in words; empty where nothing did."""
        found = []
        if self._process.poll() is not None:
            found.append("a process was ended")
        if {path.name for path in self._folder.iterdir()} != {"secret"}:
            found.append("a file was written")
        with suppress(BlockingIOError):
            self._listener.accept()[0].close()
            found.append("a socket was reached")
        return ", ".join(found)

    def close(self) -> None:
        """Remove all of it."""
        self._stack.close()
