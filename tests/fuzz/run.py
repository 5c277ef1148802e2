"""Fuzz by hand: ``python tests/fuzz/run.py --seconds 600 [--seed N] [--only NAME] [--round N]``.

The seconds are shared among the targets; ``--only`` takes the beginning of a target's name. A
finding is printed with the line that repeats it, and the exit status is 1 then.
"""

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / name) for name in ("sandbox", "unit"))]

from fuzz_driver import rounds_for, run_rounds  # noqa: E402 - found by the line above
from fuzz_source import Finding  # noqa: E402
from fuzz_targets import TARGETS, library_unchanged  # noqa: E402
from fuzz_world import Missing  # noqa: E402


def main() -> int:
    """Run the targets one after another; the number of findings becomes the exit status."""
    wishes = _wishes()
    names = [name for name in TARGETS if name.startswith(wishes.only)]
    if not names:
        say(f"no such target; there are {', '.join(TARGETS)}")
        return 2
    findings = 0
    with library_unchanged():
        for name in names:
            try:
                rounds = rounds_for(wishes.seconds / len(names))
                if wishes.round is not None:
                    rounds = [wishes.round]
                say(str(run_rounds(name, TARGETS[name], wishes.seed, rounds)))
            except Missing as error:
                say(f"{name}: left out: {error}")
            except Finding as error:
                findings += 1
                say(f"{name}: FINDING: {error}")
    say(f"{findings} findings, seed {wishes.seed}")
    return min(findings, 1)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _wishes() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for all targets together")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"))
    parser.add_argument("--only", default="", help="the beginning of a target's name")
    parser.add_argument("--round", type=int, default=None, help="only the round of this number")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
