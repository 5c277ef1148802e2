"""C++ with a precompiled header against without, and a warm compile server against ``javac``."""

import itertools
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from blocks import Measured, NotMeasured, Plan, Row, Side, compare

from benchmarks.compile_cost import Compilers, cpp_compilers, java_compilers, time_compile
from judge.grading.toolchains.found import Lacking, find_cpp, find_java


def _measure_cpp(plan: Plan) -> Measured:
    return _compare_compilers(plan, find_cpp(), cpp_compilers)


def _measure_java(plan: Plan) -> Measured:
    return _compare_compilers(plan, find_java(), java_compilers)


def _compare_compilers(
    plan: Plan,
    toolchain: Any | Lacking,
    opener: Callable[[Any, Path], AbstractContextManager[Compilers]],
) -> Measured:
    if isinstance(toolchain, Lacking):
        raise NotMeasured(toolchain.detail)
    numbers = itertools.count()

    def side(name: str, compile_one: Callable[[str], None]) -> Side:
        def run_block(runs: int) -> list[float]:
            return [time_compile(compile_one, source, next(numbers)) for _ in range(runs)]

        return Side(name, run_block, 1)

    with tempfile.TemporaryDirectory() as folder, opener(toolchain, Path(folder)) as compilers:
        source = compilers.source
        ours, other = (side(*each) for each in compilers.sides.items())
        return compare(plan, ours, other)


ROWS = (
    Row("cpp", 0.6, at_least=False, measure=_measure_cpp),
    Row("java", 0.15, at_least=False, measure=_measure_java),
)
