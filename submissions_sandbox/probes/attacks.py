"""Small live attacks: each is tried in a box, and its effect must not happen.

The program says on its result descriptor that it tries, then acts, then says that it is done: an
attack that could not even be tried is no proof. Bait on the host shows the same from outside.
"""

from dataclasses import dataclass
from functools import partial

from submissions_sandbox.limits import RunLimits
from submissions_sandbox.outcome import Outcome, OutcomeKind
from submissions_sandbox.probes.bait import Bait
from submissions_sandbox.probes.report import (
    HOW_TO_REPORT,
    Decides,
    DidNotHold,
    Probe,
    attempt,
)
from submissions_sandbox.sandbox import Sandbox

PROGRAM = """
import ctypes, mmap, os, socket, time

libc = ctypes.CDLL(None)
names = {"ctypes": ctypes, "libc": libc, "mmap": mmap, "os": os, "socket": socket, "time": time}

def preload():
    pass

def main(request):
    os.write(3, b"tried ")
    exec(compile(request, "probe", "exec"), dict(names))
    os.write(3, b"done")
"""
HOW_TO_SEE_MORE = (
    "mend the lines above first; "
    "python -m submissions_sandbox run --facts -- true shows how a program ends here"
)
TRIED = b"tried "
LIMITS = RunLimits(cpu_ms=200, memory_kb=64 * 1024)
# An honest program is judged by what it did, not by how fast this machine is.
HONEST_LIMITS = RunLimits(cpu_ms=5000, memory_kb=64 * 1024)
_IDLE_KILL_S = 0.3


@dataclass(frozen=True)
class Attack:
    """One attack.

    Attributes:
        name: what it does.
        code: Python that returns only if it was done; names of ``Bait`` stand in braces.
        ends: how its run must end, where it is not the act that is refused.
        limits: what its run may use.
        idle_kill_s: for how long it may idle.
    """

    name: str
    code: str
    ends: OutcomeKind | None = None
    limits: RunLimits = LIMITS
    idle_kill_s: float | None = None


ATTACKS = (
    Attack("reads a file of the host", "open({secret!r}).read()"),
    Attack("reads the host's accounts", "open('/etc/passwd').read()"),
    Attack("lists processes", "os.listdir('/proc')"),
    Attack("writes outside", "open({folder!r} + '/written', 'w').close()"),
    Attack("makes a process", "os.fork() or os._exit(0)"),
    Attack("opens a socket", "socket.socket(socket.AF_INET)"),
    Attack(
        "reaches a neighbour",
        "socket.socket(socket.AF_UNIX).connect(bytes.fromhex({address!r}))",
    ),
    Attack("ends another process", "os.kill({victim}, 9)"),
    Attack("starts a program", "os.execv('/bin/sh', ['sh', '-c', 'printf done >&3'])"),
    Attack("makes namespaces", "assert libc.unshare(0x10000000) == 0"),
    Attack("traces a process", "assert libc.ptrace(0x4206, {victim}, None, None) == 0"),
    Attack(
        "sets up io_uring",
        "assert libc.syscall(425, 1, ctypes.create_string_buffer(120)) >= 0",
    ),
    Attack("takes more memory than its limit", "b'x' * (96 << 20)"),
    Attack(
        "takes it as shared memory",
        "shared = mmap.mmap(-1, 96 << 20)\n"
        "for at in range(0, 96 << 20, 4096): shared[at] = 1\n"
        "time.sleep(0.1)",
    ),
    Attack("runs for ever", "while True: pass", OutcomeKind.TIME),
    Attack("idles for ever", "time.sleep(60)", OutcomeKind.TIME, HONEST_LIMITS, _IDLE_KILL_S),
    Attack(
        "prints for ever",
        "while True: os.write(1, bytes(65536))",
        OutcomeKind.OUTPUT,
        HONEST_LIMITS,
    ),
)


def probe_attacks(sandbox: Sandbox, attacks: tuple[Attack, ...] = ATTACKS) -> list[Probe]:
    """A line for each attack, and one for an honest program after all of them."""
    lines = []
    for attack in attacks:
        name = f"refused: {attack.name}"
        lines.append(attempt(name, Decides.FITNESS, partial(held, sandbox, attack)))
    name = "an honest program runs after them"
    return [*lines, attempt(name, Decides.FITNESS, lambda: honest(sandbox))]


def held(sandbox: Sandbox, attack: Attack) -> str:
    """Try one attack in a box and with bait of its own.

    Raises:
        DidNotHold: it had its effect, or could not be tried.
    """
    with Bait() as bait, sandbox.open_box() as box:
        places = {name: getattr(bait, name) for name in ("secret", "folder", "victim", "address")}
        code = attack.code.format(**places)
        outcome = box.run(code.encode(), attack.limits, idle_kill_s=attack.idle_kill_s)
        harm = bait.harm()
    if outcome.result != TRIED or harm:
        raise DidNotHold(", ".join(filter(None, (facts(outcome), harm))), HOW_TO_REPORT)
    if attack.ends is not None and outcome.kind is not attack.ends:
        raise DidNotHold(facts(outcome), HOW_TO_REPORT)
    return "held"


def honest(sandbox: Sandbox) -> str:
    """Run a program that must run.

    Raises:
        DidNotHold: it did not.
    """
    with sandbox.open_box() as box:
        outcome = box.run(b"assert sum(range(1000)) == 499500", HONEST_LIMITS)
    if outcome.result != TRIED + b"done":
        raise DidNotHold(facts(outcome), HOW_TO_SEE_MORE)
    return facts(outcome)


def facts(outcome: Outcome) -> str:
    """How a run ended; of a broken one what it said last."""
    words = [
        " ".join(filter(None, (outcome.kind.value, outcome.detail))),
        f"{outcome.cpu_ms:.1f} ms CPU",
        f"{outcome.memory_kb} KiB by {outcome.memory_source}",
    ]
    said = outcome.stderr.decode("utf-8", "replace").strip()
    return ", ".join([*words, *([said[-200:]] if said else [])])
