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
_CHECK_ENDS = """\
exit status: 0 the machine is fit, 1 it is not, 2 wrong usage
"""
_RUN_TELLS = """\
Run one program of this machine in a box, in the strongest tier that can be had:
it reads nothing, sees the host's /usr/bin and /usr/lib and none of its other
files, may write below /tmp at most, and makes no other process. PROGRAM is a path
or a name in /usr/bin; what stands behind it are its arguments. What it prints
is printed when it has ended.
"""
_RUN_ENDS = f"""\
exit status:
  that of the program where it ended by itself
  128 + N  a signal N ended it
  {_EXIT_LIMIT}      it was ended for a limit: time, memory or output
  {_EXIT_BROKEN}      no box can be had here, or the sandbox broke; `check` says what to do
  2        wrong usage
"""


def main(arguments: list[str]) -> int:
    """Parse and act; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m submissions_sandbox")
    commands = parser.add_subparsers(dest="command", required=True)
    tells = "Probe and attack the isolation of this machine."
    _add_options_of_check(
        commands.add_parser("check", help=tells, description=tells, epilog=_CHECK_ENDS)
    )
    _add_options_of_run(
        commands.add_parser(
            "run",
            help="Run one program in a box.",
            usage="%(prog)s [--cpu-ms N] [--memory-mb N] [--facts] -- PROGRAM [ARGUMENT ...]",
            description=_RUN_TELLS,
            epilog=_RUN_ENDS,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
    )
    options = parser.parse_args(arguments)
    return _check(options) if options.command == "check" else _run(options)


def _add_options_of_check(check: argparse.ArgumentParser) -> None:
    check.add_argument("--json", action="store_true", help="print one JSON object")
    tiers = [tier.value for tier in ALL_TIERS]
    check.add_argument("--tier", choices=tiers, help="in this tier; the best one by default")


def _add_options_of_run(run: argparse.ArgumentParser) -> None:
    for option, default, limited in (
        ("--cpu-ms", 6000, "CPU time in milliseconds, summed over its threads"),
        ("--memory-mb", 512, "memory in MiB"),
    ):
        told = f"limit of {limited} (default: {default})"
        run.add_argument(option, type=int, default=default, metavar="N", help=told)
    run.add_argument("--facts", action="store_true", help="print the outcome as JSON on stderr")
    run.add_argument("argv", nargs="+", metavar="PROGRAM", help="what to run, with its arguments")


def _check(options: argparse.Namespace) -> int:
    report = run_probes((Tier(options.tier),) if options.tier else ALL_TIERS)
    if options.json:
        sys.stdout.write(json.dumps(report.as_json(), indent=2) + "\n")
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
