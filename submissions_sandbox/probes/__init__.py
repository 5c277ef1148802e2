"""Live probes: does this machine isolate, in which tier, and does the isolation hold?

Nothing is concluded from version numbers. What the kernel offers is tried in children
(submissions_sandbox.probes.machine, groups); then a real sandbox starts in the best tier, and
honest programs and attacks run in its boxes (boxes, attacks). Whatever breaks on the way becomes a
line of the report. ``way_to`` says in the same words what to do to whoever tried in vain.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

from submissions_sandbox.cgroups import Groups
from submissions_sandbox.outcome import SandboxUnavailable
from submissions_sandbox.probes.attacks import PROGRAM, honest, probe_attacks
from submissions_sandbox.probes.boxes import probe_boxes
from submissions_sandbox.probes.fixes import way_to_namespaces
from submissions_sandbox.probes.groups import probe_groups
from submissions_sandbox.probes.machine import probe_machine
from submissions_sandbox.probes.report import (
    HOW_TO_REPORT,
    Decides,
    DidNotHold,
    NotThere,
    Probe,
    Report,
    State,
    attempt,
    not_tried,
    settle,
)
from submissions_sandbox.profiles import python_profile
from submissions_sandbox.sandbox import Sandbox
from submissions_sandbox.tiers import ALL_TIERS, Tier

__all__ = [
    "HOW_TO_REPORT",
    "Decides",
    "DidNotHold",
    "NotThere",
    "Probe",
    "Report",
    "State",
    "attempt",
    "run_probes",
    "way_to",
]

_TIER_A_IS_THERE = "tier A is there: leave out --tier B"


def run_probes(tiers: Sequence[Tier] = ALL_TIERS) -> Report:
    """Probe this machine, then its isolation in the first of these tiers that starts."""
    lines = probe_machine()
    with ExitStack() as stack:
        groups, about_groups = probe_groups()
        lines += about_groups
        if groups is not None:
            stack.enter_context(groups)
        sandbox, isolation = _start(tiers, groups, lines)
        lines.append(isolation)
        if sandbox is None:
            return Report(None, (), isolation.fix, tuple(settle(lines, None, tiers)))
        stack.enter_context(sandbox)
        lines.append(attempt("an honest program runs", Decides.FITNESS, lambda: honest(sandbox)))
        lines += probe_boxes(sandbox, groups)
        lines += probe_attacks(sandbox)
    layers = sandbox.description.layers
    return Report(sandbox.tier, layers, isolation.fix, tuple(settle(lines, sandbox.tier, tiers)))


def way_to(tiers: Sequence[Tier]) -> str:
    """What to type or to set so that this machine has one of these tiers.

    Tries out what the kernel offers, which takes about a tenth of a second.
    """
    return _ways_to(tiers, probe_machine())


def _start(
    tiers: Sequence[Tier], groups: Groups | None, lines: Sequence[Probe]
) -> tuple[Sandbox | None, Probe]:
    """Start a sandbox if that can be; the line says which tier it has, and what decides that."""
    started: list[Sandbox] = []
    for line in lines:
        if line.decides is Decides.EVERY_TIER and line.state is not State.OK:
            untried = not_tried("isolation", line, Decides.EVERY_TIER)
            return None, replace(untried, fix=_ways_to(tiers, lines))

    def start() -> str:
        try:
            sandbox = Sandbox(python_profile(PROGRAM), tiers, groups)
        except SandboxUnavailable as error:
            raise DidNotHold(str(error), _ways_to(tiers, lines)) from error
        started.append(sandbox)
        layers = ", ".join(sandbox.description.layers)
        if sandbox.tier is Tier.A:
            return f"tier A: {layers}"
        decisive = ", ".join(line.name for line in _lacking(Tier.A, lines)) or "--tier"
        return f"TIER B ONLY, weaker than A: {layers}; decided by: {decisive}"

    line = attempt("isolation", Decides.EVERY_TIER, start)
    if not started:
        return None, line
    if started[0].tier is Tier.B:
        line = replace(line, fix=_way_to(Tier.A, lines, tiers))
    return started[0], line


def _ways_to(tiers: Sequence[Tier], lines: Sequence[Probe]) -> str:
    """What leads to each tier; said once where it is the same for all of them."""
    ways = {tier: _way_to(tier, lines, tiers) for tier in tiers}
    if len(set(ways.values())) == 1:
        return ways[tiers[0]]
    return "; or ".join(f"for tier {tier}: {way}" for tier, way in ways.items())


def _way_to(tier: Tier, lines: Sequence[Probe], tiers: Sequence[Tier]) -> str:
    """What leads to a tier: the fix of the first line that keeps this machine from it."""
    for line in _lacking(tier, lines):
        if line.fix:
            return line.fix
    return way_to_namespaces(OSError()) if Tier.A in tiers else _TIER_A_IS_THERE


def _lacking(tier: Tier, lines: Sequence[Probe]) -> list[Probe]:
    deciding = (Decides.TIER_A if tier is Tier.A else Decides.TIER_B, Decides.EVERY_TIER)
    return [
        line
        for line in lines
        if line.decides in deciding and line.state is not State.OK and line.was_tried
    ]
