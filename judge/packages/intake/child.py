"""The process that reads one upload: ``python -m judge.packages.intake.child``.

It takes an order from standard input and writes an answer to standard output. Before it reads the
order it gives up what reading does not need: time, memory, files, processes. If that is too little
for a package it ends without an answer, and whoever started it says that the package costs too
much. It has no database, no secret in its environment and no descriptor but these two.
"""

import resource
import sys

from judge.errors import Finding
from judge.packages.intake.examine import Examined, examine, reread
from judge.packages.intake.wire import Order, WireBroken, read_order, write_answer

CPU_S = 20
ADDRESS_SPACE_BYTES = 1536 * 1024 * 1024
# Modules that are imported late, and the three that every process has.
OPEN_FILES = 16
TOO_COSTLY = 3


def main() -> int:
    """Answer one order; the exit code is 0, or ``TOO_COSTLY`` where memory or room ran out."""
    _give_up()
    try:
        answer = write_answer(_answer(read_order(sys.stdin.buffer.read())))
    except (MemoryError, RecursionError, WireBroken):
        return TOO_COSTLY
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
    return 0


def too_costly() -> Finding:
    """What is said of a package of which no answer came."""
    message = (
        f"reading and checking the package takes more than {CPU_S} s or too much memory; make test "
        "data and texts smaller and put large arrays into .npy files; dry_run=true tries it again"
    )
    return Finding("package-too-costly", "(package)", message)


def _answer(order: Order) -> Examined:
    return reread(order.archive) if order.known is None else examine(order.archive, order.known)


def _give_up() -> None:
    for what, most in (
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_AS, ADDRESS_SPACE_BYTES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    sys.exit(main())
