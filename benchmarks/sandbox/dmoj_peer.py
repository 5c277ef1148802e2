"""One test in a box against one test case of DMOJ's judge, both without numpy.

With modules of the standard library, which a box has in memory and a started interpreter loads; and
once more, with no demand on it, without any import.

DMOJ's judge lives in a virtual environment of its own. ``dmoj_grader.py`` runs there, grades one
case whenever it is asked to, and says how long its grader took: neither the submission's
preparation nor the talk with this process counts against it.
"""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import programs
from blocks import Measured, NotMeasured, Plan, Row, Side, compare

from submissions_sandbox import Sandbox

_HERE = Path(__file__).resolve().parent
_PYTHON = _HERE.parent.parent / ".cache" / "dmoj" / "bin" / "python"


def _measure(plan: Plan) -> Measured:
    return _against_dmoj(plan, programs.LIBRARY_SOURCE)


def _measure_plain(plan: Plan) -> Measured:
    return _against_dmoj(plan, programs.PLAIN_SOURCE)


def _against_dmoj(plan: Plan, source: str) -> Measured:
    if not _PYTHON.exists():
        raise NotMeasured("dmoj is missing (benchmarks/sandbox/install.sh)")
    with Sandbox(programs.profile()) as sandbox, _grader(source) as grade_block:
        return compare(
            plan,
            Side("DMOJ", grade_block, plan.slow_runs),
            Side("box", programs.box_block(sandbox, source), plan.fast_runs),
        )


@contextmanager
def _grader(source: str) -> Iterator[Callable[[int], list[float]]]:
    process = subprocess.Popen(  # noqa: S603 - the program that is compared
        [_PYTHON, _HERE / "dmoj_grader.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None  # noqa: S101 - both are pipes
    assert process.stdout is not None  # noqa: S101
    incoming, outgoing = process.stdout, process.stdin

    def ask(message: object) -> list[float]:
        print(json.dumps(message), file=outgoing, flush=True)
        line = incoming.readline()
        if not line:
            raise RuntimeError(f"DMOJ's judge ended with status {process.wait()}")
        answer: list[float] = json.loads(line)
        return answer

    with process:
        try:
            ask([programs.program(source), programs.INPUT, programs.ANSWER])
            yield ask
        finally:
            outgoing.close()


ROWS = (
    Row("dmoj", 15, at_least=True, measure=_measure),
    Row("dmoj-plain", None, at_least=True, measure=_measure_plain),
)
