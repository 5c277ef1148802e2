"""The C++ runtime as a precompiled header, once a compiler.

Reading the standard library's headers takes most of the time that a small program needs to
compile; the precompiled form takes a third of it (docs/performance.md).
"""

import subprocess
from pathlib import Path

from judge.errors import JudgeBroken
from judge.grading.toolchains.found import CppToolchain
from judge.grading.toolchains.store import prepared
from judge.harness import cpp_unit

HEADER = "cpp_runtime.hpp"
# The same header without the whole standard library, for sources whose names clash with it.
PLAIN_HEADER = "plain/cpp_runtime.hpp"
FLAGS = ("-std=c++17", "-O2", "-pthread", "-w", "-fdiagnostics-color=never", "-fmax-errors=20")
_BUILD_WALL_S = 300


def prepare_cpp(toolchain: CppToolchain, cache: Path) -> Path:
    """The folder with both headers, the first one precompiled.

    Raises:
        JudgeBroken: the compiler does not compile the judge's own header.
    """
    full = cpp_unit.runtime_header(everything=True)
    plain = cpp_unit.runtime_header(everything=False)

    def build(folder: Path) -> None:
        (folder / HEADER).write_text(full)
        (folder / PLAIN_HEADER).parent.mkdir(mode=0o755)
        (folder / PLAIN_HEADER).write_text(plain)
        _precompile(toolchain, folder / HEADER)

    return prepared(cache, "cpp", (toolchain.version, *FLAGS, full, plain), build)


def _precompile(toolchain: CppToolchain, header: Path) -> None:
    output = header.with_name(header.name + ".gch")
    argv = [str(toolchain.compiler), *FLAGS, "-x", "c++-header", str(header), "-o", str(output)]
    try:
        done = subprocess.run(  # noqa: S603 - the host's own compiler on our own header
            argv, capture_output=True, text=True, timeout=_BUILD_WALL_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise JudgeBroken(f"g++ cannot be used: {error}") from error
    if done.returncode != 0:
        raise JudgeBroken(f"g++ does not compile the judge's header: {done.stderr[:500]}")
    output.chmod(0o644)
