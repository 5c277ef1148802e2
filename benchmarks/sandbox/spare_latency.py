"""How long after its request one Python test's result is there, when a process stood ready.

Between two requests the machine rests, so that what prepares the next process has time to.
"""

import time

import programs
from blocks import Measured, Plan, Row, Side, alone

from submissions_sandbox import RunLimits, Sandbox

_REST_S = 0.02


def _measure(plan: Plan) -> Measured:
    asked = programs.request(programs.NUMPY_SOURCE)

    def run_block(runs: int) -> list[float]:
        times = []
        with sandbox.open_box() as box:
            for _ in range(runs):
                with box.start(RunLimits()) as spare:
                    spare.wait_until_warm()
                    time.sleep(_REST_S)
                    start = time.perf_counter()
                    outcome = spare.run(asked)
                    times.append((time.perf_counter() - start) * 1000)
                    programs.checked(outcome)
        return times

    with Sandbox(programs.profile()) as sandbox:
        return alone(plan, Side("spare box", run_block, plan.fast_runs))


ROWS = (Row("spare", 3, at_least=False, measure=_measure),)
