"""Every figure that the sandbox must reach, measured in one run. See README.md beside this file."""

import argparse
import json
import statistics
from dataclasses import asdict
from pathlib import Path
from typing import Any

import bare_fork
import compilers
import dmoj_peer
import private_memory
import processes
import spare_latency
import throughput
from blocks import Measured, NotMeasured, Plan, Row
from machine import Machine, load

_ROWS: tuple[Row, ...] = (
    *bare_fork.ROWS,
    *processes.ROWS,
    *dmoj_peer.ROWS,
    *spare_latency.ROWS,
    *throughput.ROWS,
    *private_memory.ROWS,
    *compilers.ROWS,
)
_FULL, _QUICK = (16, 20, 4), (3, 10, 2)
_SAID = {True: "yes", False: "NO", None: "-"}
_LINE = "{:<15} {:>13}  {:<13} {:<15} {:<8} {}"


def main() -> None:
    """Measure, print a line a row, write JSON if asked to."""
    options = _options()
    machine = Machine.look()
    print(machine)
    print(_LINE.format("row", "figure", "quartiles", "demand", "reached", "medians (runs)"))
    plan = Plan(*(_QUICK if options.quick else _FULL), options.patience)
    results = [_measure(row, plan) for row in _ROWS if not options.only or row.name in options.only]
    end_load = load()
    if plan.calibration_ms:
        least, middle = min(plan.calibration_ms), statistics.median(plan.calibration_ms)
        print(f"3,000,000 additions before each block: least {least:.0f}, median {middle:.0f} ms")
        print(f"others were at work before {sum(plan.disturbed)} of {len(plan.disturbed)} blocks")
    print(f"load at the end {end_load:.2f}")
    if options.json:
        whole = {"machine": asdict(machine), "rows": results, "load_at_end": end_load}
        options.json.write_text(json.dumps(whole, indent=1) + "\n")
    if any("failed" in result for result in results):
        raise SystemExit(1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few blocks: a trial, no result")
    parser.add_argument(
        "--patience",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="how long each block waits at most for a machine that idles",
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[row.name for row in _ROWS])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there too")
    return parser.parse_args()


def _measure(row: Row, plan: Plan) -> dict[str, Any]:
    """Print one row; the same as plain data. A row that breaks does not keep others from theirs."""
    before = len(plan.calibration_ms)
    demand = {"row": row.name, "demand": row.demand, "at_least": row.at_least}
    try:
        measured = row.measure(plan)
    except NotMeasured as lacking:
        print(f"{row.name:<15} not measured: {lacking}", flush=True)
        return demand | {"not_measured": str(lacking)}
    except Exception as error:
        print(f"{row.name:<15} failed: {type(error).__name__}: {error}", flush=True)
        return demand | {"failed": f"{type(error).__name__}: {error}"}
    print(_shown(row, measured), flush=True)
    reached = {"reached": row.is_reached_by(measured)}
    blocks = {
        "calibration_ms": plan.calibration_ms[before:],
        "disturbed": plan.disturbed[before:],
    }
    return demand | asdict(measured) | reached | blocks


def _shown(row: Row, measured: Measured) -> str:
    """One line."""
    unit = "x" if measured.unit == "x" else f" {measured.unit}"
    demand = "-"
    if row.demand is not None:
        demand = f"{'>=' if row.at_least else '<='} {row.demand:g}{unit}"
    low, high = measured.quartiles
    medians = ", ".join(
        f"{each.name} {each.value:.2f} {each.unit} ({each.runs})" for each in measured.medians
    )
    return _LINE.format(
        row.name,
        f"{measured.figure:.2f}{unit}",
        f"{low:.2f}-{high:.2f}",
        demand,
        _SAID[row.is_reached_by(measured)],
        medians,
    )


if __name__ == "__main__":
    main()
