"""What compiling one submission costs: C++ with and without precompiled header, Java warm and cold.

Both sides of a ratio compile the same sources by turns: an accepted source of ``sample_token`` with
a comment that none before it had. C++: g++ in its box, once with the judge's header precompiled and
once with the same header as text. Java: the warm compile server in its box, and a fresh ``javac``.
"""

import argparse
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from judge.grading.boxes import Boxes
from judge.grading.engines import cpp_engine, jvm
from judge.grading.engines.compile_server import CompileServer
from judge.grading.toolchains.found import (
    CppToolchain,
    JavaToolchain,
    Lacking,
    find_cpp,
    find_java,
)
from judge.grading.toolchains.prepare_cpp import HEADER, prepare_cpp
from judge.grading.toolchains.prepare_java import prepare_java
from judge.harness import cpp_unit, toolchain_wire
from judge.harness.java_wire import JavaProgram
from judge.harness.toolchain_wire import ToolRequest
from judge.packages.builtin import load_named
from submissions_sandbox import Tier

_ROOT = Path(__file__).resolve().parent.parent
_ACCEPTED = _ROOT / "problems" / "sample_token" / "submissions" / "accepted"
_SIGNATURE = load_named("sample_token").problem.signature


@dataclass(frozen=True)
class Compilers:
    """Two ways to compile one source.

    Attributes:
        sides: by name; each raises unless the text compiles.
        source: what both compile.
    """

    sides: dict[str, Callable[[str], None]]
    source: str


def time_compile(compile_one: Callable[[str], None], source: str, run: int) -> float:
    """Milliseconds to compile the source with a comment that no other run has."""
    start = time.perf_counter()
    compile_one(f"{source}\n// {run}\n")
    return (time.perf_counter() - start) * 1000


@contextmanager
def cpp_compilers(toolchain: CppToolchain, cache: Path) -> Iterator[Compilers]:
    """g++ in its box: with the judge's header precompiled, and with the same header as text."""
    with_header = prepare_cpp(toolchain, cache)
    without = cache / "without"
    without.mkdir()
    shutil.copy(with_header / HEADER, without / HEADER)
    source = sorted(_ACCEPTED.glob("*.cpp"))[0].read_text()

    def compiler(boxes: Boxes) -> Callable[[str], None]:
        def compile_one(text: str) -> None:
            argv = cpp_engine.compiler_argv(boxes, toolchain, HEADER)
            unit = cpp_unit.unit(_SIGNATURE, text).encode()
            request = ToolRequest(argv, {"unit.cpp": unit}, "solution").to_bytes()
            with boxes.open(cpp_engine.COMPILE_KIND) as box:
                outcome = box.run(request, cpp_engine.COMPILE_LIMITS)
            if not toolchain_wire.read_tool_reply(outcome.result).output:
                raise SystemExit(f"not compiled: {outcome}")

        return compile_one

    with (
        Boxes(cpp_engine.profiles(with_header)) as fast,
        Boxes(cpp_engine.profiles(without)) as slow,
    ):
        yield Compilers({"with PCH": compiler(fast), "without": compiler(slow)}, source)


@contextmanager
def java_compilers(toolchain: JavaToolchain, cache: Path) -> Iterator[Compilers]:
    """The warm compile server in its box, and a fresh ``javac``."""
    folder = prepare_java(toolchain, cache, Tier.A)
    source = sorted(_ACCEPTED.glob("*.java"))[0].read_text()
    work = cache / "javac"
    work.mkdir()

    def cold(text: str) -> None:
        (work / "Solution.java").write_text(text)
        argv = [str(toolchain.home / "bin" / "javac"), "-proc:none", "-g", "-d", str(work)]
        subprocess.run([*argv, str(work / "Solution.java")], check=True)  # noqa: S603

    with Boxes({jvm.KIND: jvm.profile(toolchain, folder)}) as boxes:
        server = CompileServer(boxes, toolchain)
        server.start().wait_until_warm()

        def warm(text: str) -> None:
            made = server.compile(_SIGNATURE, text)
            if not isinstance(made, JavaProgram):
                raise SystemExit(f"not compiled: {made}")

        yield Compilers({"warm server": warm, "javac": cold}, source)
        server.close()


def _by_turns(what: str, opened: AbstractContextManager[Compilers], runs: int) -> None:
    with opened as compilers:
        times: dict[str, list[float]] = {name: [] for name in compilers.sides}
        for run in range(runs + 1):
            for name, compile_one in compilers.sides.items():
                times[name].append(time_compile(compile_one, compilers.source, run))
    medians = {name: statistics.median(each[1:]) for name, each in times.items()}
    first, second = medians
    shown = ", ".join(f"{name} {median:.0f} ms" for name, median in medians.items())
    print(f"{what}: {shown}; ratio {medians[first] / medians[second]:.2f} ({runs} runs each)")


def main() -> None:
    """Print both ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    for what, find, opener in (
        ("C++", find_cpp, cpp_compilers),
        ("Java", find_java, java_compilers),
    ):
        toolchain = find()
        if isinstance(toolchain, Lacking):
            raise SystemExit(toolchain.detail)
        with tempfile.TemporaryDirectory() as name:
            _by_turns(what, opener(toolchain, Path(name)), options.runs)


if __name__ == "__main__":
    main()
