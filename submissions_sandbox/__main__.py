"""``python -m submissions_sandbox check [--tier T]`` and ``run [--cpu-ms N] … -- argv``."""

import argparse
import json
import sys
from dataclasses import asdict

from submissions_sandbox.limits import RunLimits
from submissions_sandbox.outcome import Outcome, OutcomeKind, SandboxError
from submissions_sandbox.probes import run_probes
from submissions_sandbox.profiles import exec_profile
from submissions_sandbox.sandbox import Sandbox
from submissions_sandbox.tiers import ALL_TIERS, Tier

_EXIT_LIMIT, _EXIT_BROKEN = 124, 125


def main(arguments: list[str]) -> int:
    """Parse and act; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m submissions_sandbox")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="probe and attack the isolation of this machine")
    check.add_argument("--json", action="store_true", help="print one JSON object")
    check.add_argument("--tier", choices=ALL_TIERS, help="in this tier; the best one by default")
    run = commands.add_parser("run", help="run one program in a box; its stdin is /dev/null")
    run.add_argument("--cpu-ms", type=int, default=6000)
    run.add_argument("--memory-mb", type=int, default=512)
    run.add_argument("--facts", action="store_true", help="print the outcome as JSON on stderr")
    run.add_argument("argv", nargs="+", metavar="-- argv")
    options = parser.parse_args(arguments)
    return _check(options) if options.command == "check" else _run(options)


def _check(options: argparse.Namespace) -> int:
    report = run_probes((Tier(options.tier),) if options.tier else ALL_TIERS)
    if options.json:
        content = {"passed": report.fit, **report.as_json()}
        sys.stdout.write(json.dumps(content, indent=2) + "\n")
    else:
        lines = [line for probe in report.probes for line in probe.lines()]
        sys.stdout.write("\n".join([*lines, *report.summary()]) + "\n")
    return 0 if report.fit else 1


def _run(options: argparse.Namespace) -> int:
    limits = RunLimits(cpu_ms=options.cpu_ms, memory_kb=options.memory_mb * 1024)
    try:
        with Sandbox(exec_profile()) as sandbox, sandbox.open_box() as box:
            outcome = box.run(b"", limits, options.argv)
    except SandboxError as error:
        sys.stderr.write(f"submissions_sandbox: {error}\n")
        return _EXIT_BROKEN
    sys.stdout.buffer.write(outcome.stdout)
    sys.stdout.flush()
    sys.stderr.buffer.write(outcome.stderr)
    if options.facts:
        sys.stderr.write(json.dumps(_facts(outcome)) + "\n")
    return _exit_status(outcome)


def _exit_status(outcome: Outcome) -> int:
    if outcome.kind is OutcomeKind.EXITED:
        return outcome.exit_code
    if outcome.kind in (OutcomeKind.SIGNALLED, OutcomeKind.DENIED):
        return 128 + outcome.signal
    sys.stderr.write(f"submissions_sandbox: ended for {outcome.kind.value} ({outcome.detail})\n")
    return _EXIT_LIMIT


def _facts(outcome: Outcome) -> dict[str, object]:
    facts = asdict(outcome)
    for stream in ("stdout", "stderr", "result"):
        facts.pop(stream)
    return facts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
