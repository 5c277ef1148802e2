"""Live probes: does this machine isolate, and does the isolation hold?

Nothing is concluded from version numbers. The first probe starts a real zygote; the others run
small attacks in it and look whether their effect happened.
"""

from dataclasses import dataclass

from submissions_sandbox.limits import RunLimits
from submissions_sandbox.outcome import Outcome, OutcomeKind, SandboxError, SandboxUnavailable
from submissions_sandbox.profile import python_profile
from submissions_sandbox.sandbox import Box, Sandbox

_PROGRAM = """
import os

def preload():
    pass

def main(request):
    exec(compile(request, "probe", "exec"), {"os": os})
    os.write(3, b"done")
"""
_QUICK = RunLimits(cpu_ms=200, memory_kb=64 * 1024)

# Each attack writes "done" to the result only if its effect happened.
_ATTACKS = (
    ("reads the host's files", "open('/etc/passwd').read()"),
    ("sees processes", "os.listdir('/proc')"),
    ("writes outside /tmp", "open('/usr/lib/probe', 'w')"),
    ("makes a process", "os.fork()"),
    ("opens a socket", "import socket; socket.socket()"),
    ("signals box init", "os.kill(1, 9)"),
    ("starts a program", "os.execv('/usr/bin/true', ['true'])"),
    ("takes 64 MB more than its limit", "bytearray(128 << 20)"),
)


@dataclass(frozen=True)
class Probe:
    """One line of the report."""

    name: str
    passed: bool
    detail: str = ""


def run_probes() -> list[Probe]:
    """Probe isolation, then attack it; the list ends at the first probe without which none runs."""
    try:
        sandbox = Sandbox(python_profile(_PROGRAM))
    except SandboxUnavailable as error:
        return [Probe("isolation", passed=False, detail=str(error))]
    with sandbox, sandbox.open_box() as box:
        described = sandbox.description
        probes = [
            Probe(
                "isolation",
                passed=True,
                detail=f"tier {described.tier}: " + ", ".join(described.layers),
            )
        ]
        probes.append(_honest(box))
        probes.extend(_attack(box, name, code) for name, code in _ATTACKS)
        probes.append(_endless(box))
    return probes


def _honest(box: Box) -> Probe:
    outcome = _run(box, "sum(range(1000))")
    passed = outcome is not None and outcome.result == b"done"
    return Probe("an honest program runs", passed=passed, detail=_facts(outcome))


def _attack(box: Box, name: str, code: str) -> Probe:
    outcome = _run(box, code)
    held = outcome is not None and outcome.result == b""
    return Probe(f"refused: {name}", passed=held, detail="" if held else _facts(outcome))


def _endless(box: Box) -> Probe:
    outcome = _run(box, "while True: pass")
    held = outcome is not None and outcome.kind is OutcomeKind.TIME
    return Probe("refused: runs for ever", passed=held, detail="" if held else _facts(outcome))


def _run(box: Box, code: str) -> Outcome | None:
    try:
        return box.run(code.encode(), _QUICK)
    except SandboxError:
        return None


def _facts(outcome: Outcome | None) -> str:
    if outcome is None:
        return "the sandbox broke"
    return f"{outcome.kind.value}, {outcome.cpu_ms:.1f} ms CPU, {outcome.memory_kb} KiB"
