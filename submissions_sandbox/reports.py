"""What box init and a test process report to the supervisor: one datagram a report.

Fixed binary records, because each of them is sent once a run and the test process writes its own
before it has warmed up anything. Only trusted code holds the channel on which they travel.
"""

import struct
from dataclasses import dataclass

_STARTED, _READY, _EXITED, _FAILED = b"s", b"r", b"e", b"f"
_FIGURES = struct.Struct("<dq")
_END = struct.Struct("<idq")
_MOST_TEXT_BYTES = 2000


@dataclass(frozen=True)
class Started:
    """A test process was forked; its pidfd comes with the datagram."""


@dataclass(frozen=True)
class Ready:
    """A test process is isolated and reads its request next; what it had used until then."""

    cpu_s: float
    peak_kb: int


@dataclass(frozen=True)
class Exited:
    """A test process has ended: wait status, CPU time and peak of its resident set."""

    status: int
    cpu_s: float
    peak_kb: int


@dataclass(frozen=True)
class Failed:
    """A step of the isolation failed; stands in place of ``Ready``."""

    detail: str


Report = Started | Ready | Exited | Failed


def ready_datagram(cpu_s: float, peak_kb: int) -> bytes:
    """The datagram of ``Ready``, with no object made for it: this is a test process' own time."""
    return _READY + _FIGURES.pack(cpu_s, peak_kb)


def encode(report: Report) -> bytes:
    """The datagram of a report."""
    match report:
        case Started():
            return _STARTED
        case Ready():
            return ready_datagram(report.cpu_s, report.peak_kb)
        case Exited():
            return _EXITED + _END.pack(report.status, report.cpu_s, report.peak_kb)
        case Failed():
            return _FAILED + report.detail.encode("utf-8", "replace")[:_MOST_TEXT_BYTES]


def decode(datagram: bytes) -> Report:
    """The report in a datagram.

    Raises:
        ValueError: it is none.
    """
    kind, content = datagram[:1], datagram[1:]
    try:
        if kind == _READY:
            return Ready(*_FIGURES.unpack(content))
        if kind == _EXITED:
            return Exited(*_END.unpack(content))
    except struct.error as error:
        raise ValueError(f"no report: {datagram[:40]!r}") from error
    if kind == _FAILED:
        return Failed(content.decode("utf-8", "replace"))
    if kind == _STARTED and not content:
        return Started()
    raise ValueError(f"no report: {datagram[:40]!r}")
