"""How virtual machines are started: boxes, arguments, memory.

A learner's memory limit is the limit of the heap. Around it a JVM needs memory of its own, for
code, classes, threads and the collector's tables: the allowance below is what was measured, and the
kernel's limit on data holds both together, so native memory is not free either.
"""

from dataclasses import replace
from pathlib import Path

from judge.grading.boxes import Boxes
from judge.grading.toolchains.found import JavaToolchain
from judge.grading.toolchains.prepare_java import ARCHIVE, COLLECTOR, JAR, JAVA_IN_BOX
from judge.harness import java_wire
from submissions_sandbox import Bind, Profile, RunLimits, exec_profile, host_binds

KIND = "jvm"
# Measured (docs/performance.md): with 160 MiB and a full heap of 512 MiB a JVM ends for want of
# memory of its own; the collector's tables grow with the heap. The deep stack that the driver gives
# the learner's thread is in it.
_ALLOWANCE_KB = 224 * 1024
_HEAP_PER_ALLOWANCE_KB = 16
# The smallest heap in which the driver itself answers a large case.
MEMORY_FLOOR_KB = 32 * 1024
_SERVER_HEAP_KB = 512 * 1024
REQUESTS_PER_SERVER = 200
# What makes a JVM start sooner (docs/decisions/0010): no file for monitors, no signal thread, an
# archive at the place for which it was made, the collector into whose heap it can be mapped, one
# compiler that waits for what runs often, a small heap to begin with.
_COMMON = (
    "-Dfile.encoding=UTF-8",
    "-Xlog:disable",
    # From JDK 18 on a reflective call would build method handles first, in the learner's time.
    "-Djdk.reflect.useNativeAccessorOnly=true",
    "-XX:-UsePerfData",
    "-XX:+DisableAttachMechanism",
    "-Xrs",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:ArchiveRelocationMode=0",
    "-Xshare:auto",
    "-Xms16m",
    *COLLECTOR,
)


def process_kb(heap_kb: int) -> int:
    """What a JVM with a heap of so much may hold in all."""
    return heap_kb + _ALLOWANCE_KB + heap_kb // _HEAP_PER_ALLOWANCE_KB


_COMPILE_LATER = "-XX:CompileThresholdScaling=4"
# What a JVM itself takes while it runs a learner's code: compiled code, classes, tables, stacks.
_GROWTH_KB = 48 * 1024
# The learner's deep stack beside a small heap.
_LEAST_GROWTH_KB = 192 * 1024
# Threads of all JVMs that have a request; with those that wait for one, twice as many.
_THREADS = 512
SERVER_LIMITS = RunLimits(
    cpu_ms=6000,
    memory_kb=process_kb(_SERVER_HEAP_KB),
    memory_as_data=True,
    result_bytes=16 * 1024 * 1024,
    requests=REQUESTS_PER_SERVER,
)


def profile(toolchain: JavaToolchain, folder: Path) -> Profile:
    """The boxes of every JVM: the JDK and the judge's own classes."""
    binds = (
        *host_binds((str(toolchain.home), *toolchain.outside)),
        Bind(str(folder), JAVA_IN_BOX),
    )
    return exec_profile(binds, {"LD_LIBRARY_PATH": toolchain.library_path}, name=KIND)


def folder_in_box(boxes: Boxes) -> str:
    """Where a JVM finds the judge's own classes."""
    return boxes.seen_at(KIND, JAVA_IN_BOX)


def run_limits(limits: RunLimits) -> RunLimits:
    """A test case's limits for the process that holds the heap."""
    return replace(
        limits,
        memory_kb=process_kb(limits.memory_kb),
        memory_as_data=True,
        growth_kb=_growth_kb(limits.memory_kb),
        threads=_THREADS,
        processes=_THREADS,
        processes_at_start=2 * _THREADS,
    )


def _growth_kb(heap_kb: int) -> int:
    """What a JVM may take from its request on: the heap, and its own needs beside it."""
    return max(heap_kb + heap_kb // _HEAP_PER_ALLOWANCE_KB + _GROWTH_KB, _LEAST_GROWTH_KB)


def driver_argv(toolchain: JavaToolchain, folder: str, heap_kb: int) -> list[str]:
    """A JVM that answers one case with a heap of so much; ``folder`` as the box sees it."""
    archive = f"-XX:SharedArchiveFile={folder}/{ARCHIVE}"
    flags = (*_COMMON, _COMPILE_LATER, archive, *_memory(heap_kb))
    return [toolchain.java, *flags, "-jar", f"{folder}/{JAR}"]


def server_argv(toolchain: JavaToolchain, folder: str) -> list[str]:
    """A JVM that compiles one source after the other; ``folder`` as the box sees it."""
    classes = [*java_wire.SERVER_FLAGS, "-cp", f"{folder}/{JAR}", java_wire.SERVER_CLASS]
    return [toolchain.java, *_COMMON, "-Xss16m", *_memory(_SERVER_HEAP_KB), *classes]


def _memory(heap_kb: int) -> tuple[str, ...]:
    return (
        f"-Xmx{heap_kb}k",
        f"-XX:MaxDirectMemorySize={heap_kb}k",
        "-XX:MaxMetaspaceSize=128m",
        "-XX:ReservedCodeCacheSize=64m",
    )
