"""Messages with descriptors between supervisor, zygote and box init.

One message a datagram over a SOCK_SEQPACKET pair, a JSON object or a report
(submissions_sandbox.reports): it arrives whole or not at all, and an empty read means that the
other side is gone. Only trusted code holds these sockets; a test process closes its copy before it
reads the learner's bytes.
"""

import array
import json
import os
import socket
from collections.abc import Sequence
from typing import Any

_MAX_MESSAGE_BYTES = 1 << 18
_MAX_DESCRIPTORS = 16


class ChannelClosed(Exception):
    """The other side is gone."""


class Channel:
    """One end of a message channel."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end

    @staticmethod
    def pair() -> tuple["Channel", "Channel"]:
        """Two connected ends, not inherited over exec."""
        left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        return Channel(left), Channel(right)

    @staticmethod
    def from_descriptor(descriptor: int) -> "Channel":
        """Take over an inherited descriptor."""
        return Channel(socket.socket(fileno=descriptor))

    def fileno(self) -> int:
        """The descriptor, for poll."""
        return self._socket.fileno()

    def detach(self) -> int:
        """Give the descriptor away."""
        return self._socket.detach()

    def close(self) -> None:
        """Close this end."""
        self._socket.close()

    def send(self, message: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        """Send one message.

        Raises:
            ChannelClosed: nobody listens any more.
        """
        self.send_bytes(json.dumps(message).encode(), descriptors)

    def send_bytes(self, payload: bytes, descriptors: Sequence[int] = ()) -> None:
        """Send a message that is encoded already; errors as ``send``."""
        try:
            if descriptors:
                socket.send_fds(self._socket, [payload], list(descriptors))
            else:
                self._socket.send(payload)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ChannelClosed from error

    def receive(self) -> tuple[dict[str, Any], list[int]]:
        """Wait for one message; received descriptors are close-on-exec.

        Raises:
            ChannelClosed: the other side is gone.
        """
        payload, descriptors = self.receive_bytes()
        return json.loads(payload), descriptors

    def receive_bytes(self) -> tuple[bytes, list[int]]:
        """As ``receive``, for a message that is not JSON or need not be read again."""
        room = socket.CMSG_SPACE(_MAX_DESCRIPTORS * array.array("i").itemsize)
        try:
            payload, ancillary, _, _ = self._socket.recvmsg(
                _MAX_MESSAGE_BYTES, room, socket.MSG_CMSG_CLOEXEC
            )
        except ConnectionResetError as error:
            raise ChannelClosed from error
        descriptors = array.array("i")
        for level, kind, data in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
        if not payload:
            for descriptor in descriptors:
                os.close(descriptor)
            raise ChannelClosed
        return payload, list(descriptors)
