"""Tests a second in full isolation: of one zygote, and of two on two cores.

The supervisor is Python, so each zygote has one in a process of its own; the two share a core that
no other pair has. Opening a box for every twenty tests is part of it.
"""

import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection

import programs
from blocks import Measured, NotMeasured, Plan, Row, Side, alone, compare

from submissions_sandbox import Sandbox

_TESTS_A_BOX = 20
_BOXES_A_RUN = 5
_UNIT = "runs/s"


def _measure_one(plan: Plan) -> Measured:
    with _workers(1) as workers:
        return alone(plan, _side("one zygote", workers))


def _measure_two(plan: Plan) -> Measured:
    with _workers(2) as workers:
        return compare(plan, _side("two zygotes", workers), _side("one zygote", workers[:1]))


def _side(name: str, workers: Sequence[Connection]) -> Side:
    def run_block(runs: int) -> list[float]:
        return [_rate(workers) for _ in range(runs)]

    return Side(name, run_block, 1, _UNIT)


def _rate(workers: Sequence[Connection]) -> float:
    """Tests a second of these workers at once, from the first one's start to the last one's end."""
    for worker in workers:
        worker.send(_BOXES_A_RUN)
    spans = [worker.recv() for worker in workers]
    took_s = max(end for _, end in spans) - min(start for start, _ in spans)
    return len(workers) * _BOXES_A_RUN * _TESTS_A_BOX / took_s


@contextmanager
def _workers(count: int) -> Iterator[list[Connection]]:
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < count:
        raise NotMeasured(f"it takes {count} cores, and there is {len(cores)}")
    context = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        connections = []
        for core in cores[:count]:
            ours, theirs = context.Pipe()
            worker = context.Process(target=_work, args=(theirs, core), daemon=True)
            worker.start()
            theirs.close()
            # Last in, first out: they hang up, so the process ends.
            stack.callback(worker.join)
            stack.callback(ours.close)
            connections.append(ours)
        for connection in connections:
            connection.recv()
        yield connections


def _work(connection: Connection, core: int) -> None:
    """Run in a process of its own: a supervisor and its zygote on one core."""
    os.sched_setaffinity(0, {core})
    with Sandbox(programs.profile()) as sandbox:
        run_block = programs.box_block(sandbox, programs.NUMPY_SOURCE)
        connection.send(None)
        while True:
            try:
                boxes = connection.recv()
            except EOFError:
                return
            start = time.monotonic()
            for _ in range(boxes):
                run_block(_TESTS_A_BOX)
            connection.send((start, time.monotonic()))


ROWS = (
    Row("throughput", 280, at_least=True, measure=_measure_one),
    Row("throughput-two", 1.8, at_least=True, measure=_measure_two),
)
