"""The Java driver as a jar, and an archive of its classes, once a JDK.

The archive (class data sharing) holds the classes that a case needs in the form in which the JVM
maps them into memory. It is valid only for the very path of the jar, so it is made in a box that
sees the jar where the later boxes see it.
"""

import subprocess
import tempfile
import zipfile
from pathlib import Path

from judge.domain.signatures import make_signature
from judge.errors import JudgeBroken
from judge.grading.toolchains.found import JavaToolchain
from judge.grading.toolchains.store import prepared
from judge.harness import java_wire, toolchain_wire
from judge.harness.java_wire import JavaProgram
from judge.harness.toolchain_wire import ToolReply, ToolRequest
from submissions_sandbox import (
    Bind,
    OutcomeKind,
    RunLimits,
    Sandbox,
    SandboxError,
    Tier,
    tool_profile,
)

JAVA_IN_BOX = "/java"
JAR, ARCHIVE = "driver.jar", "driver.jsa"
# An array of more than half a region takes whole ones: with the default of 1 MiB, arrays a little
# over half of that would fill a heap at half of its size.
COLLECTOR = ("-XX:+UseG1GC", "-XX:G1HeapRegionSize=4m", "-XX:ParallelGCThreads=1")
# An archive's heap objects need no patching where the heap is as large as when it was made.
_ARCHIVE_FLAGS = (*COLLECTOR, "-Xmx512m")
_BUILD_WALL_S = 300
_CLASS_LIST, _REQUEST = "classes.list", "request"
_LIMITS = RunLimits(
    cpu_ms=60_000,
    memory_kb=3 * 1024 * 1024,
    memory_as_data=True,
    result_bytes=256 * 1024 * 1024,
    tmp_bytes=256 * 1024 * 1024,
)
_SIGNATURE = make_signature("rank", {"scores": "list[float]", "k": "int"}, "list[int]")
# What most submissions do: the classes behind it come into the archive.
_EXAMPLE = """\
import java.util.*;
import java.util.stream.*;

class Solution {
    record Scored(int index, double score) {}

    static long[] rank(double[] scores, long k) {
        List<Scored> all = new ArrayList<>();
        for (int i = 0; i < scores.length; i++) all.add(new Scored(i, scores[i]));
        all.sort((a, b) -> Double.compare(b.score(), a.score()));
        Map<Integer, Double> kept = new HashMap<>();
        for (Scored one : all.subList(0, (int) k)) kept.put(one.index(), Math.exp(one.score()));
        Integer[] order = kept.keySet().toArray(new Integer[0]);
        Arrays.sort(order, Comparator.comparingDouble(i -> -kept.get(i)));
        double total = IntStream.range(0, scores.length).mapToDouble(i -> scores[i]).sum();
        String shown = "total " + total + String.format(" %.3f", total);
        return Arrays.stream(order).mapToLong(i -> i + 0 * shown.length()).toArray();
    }
}
"""


def prepare_java(toolchain: JavaToolchain, cache: Path, tier: Tier) -> Path:
    """The folder with the jar and the archive.

    Raises:
        JudgeBroken: the JDK does not compile the judge's own classes, or does not run in a box.
    """
    sources = java_wire.driver_sources()
    home = str(toolchain.home)

    def build(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as name:
            example = _build_jar(toolchain, folder / JAR, Path(name))
        folder.chmod(0o755)
        try:
            _build_archive(toolchain, folder, example, tier)
        except SandboxError as error:
            raise JudgeBroken(f"the JDK cannot be tried in a box: {error}") from error

    parts = (home, toolchain.version, tier, *_ARCHIVE_FLAGS, java_wire.MANIFEST, _EXAMPLE)
    texts = (text for item in sorted(sources.items()) for text in item)
    return prepared(cache, "java", (*parts, *texts), build)


def _build_jar(toolchain: JavaToolchain, jar: Path, work: Path) -> JavaProgram:
    """Compile the driver into a jar; returns the compiled example."""
    driver = _compile(toolchain, work / "driver", java_wire.driver_sources())
    example = _compile(toolchain, work / "example", {"Solution.java": _EXAMPLE})
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", java_wire.MANIFEST)
        for path in sorted(driver.rglob("*.class")):
            archive.write(path, str(path.relative_to(driver)))
    jar.chmod(0o644)
    classes = ((path.stem, path.read_bytes()) for path in sorted(example.glob("*.class")))
    return JavaProgram("Solution", tuple(classes))


def _compile(toolchain: JavaToolchain, folder: Path, sources: dict[str, str]) -> Path:
    folder.mkdir()
    paths = []
    for name, text in sources.items():
        paths.append(folder / name)
        paths[-1].write_text(text)
    argv = [str(toolchain.home / "bin" / "javac"), *java_wire.JAVAC_FLAGS]
    argv += ["-d", str(folder), *map(str, paths)]
    try:
        done = subprocess.run(  # noqa: S603 - the host's own compiler on our own classes
            argv, capture_output=True, text=True, timeout=_BUILD_WALL_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise JudgeBroken(f"javac cannot be used: {error}") from error
    if done.returncode != 0:
        raise JudgeBroken(f"javac does not compile the judge's classes: {done.stderr[:500]}")
    return folder


def _build_archive(
    toolchain: JavaToolchain, folder: Path, example: JavaProgram, tier: Tier
) -> None:
    scores = [0.25 * index for index in range(8)]
    request = java_wire.call_request(_SIGNATURE, example, {"scores": scores, "k": 3})
    shown = tool_profile(
        toolchain_wire.driver_source(),
        (str(toolchain.home), *toolchain.outside),
        (Bind(str(folder), JAVA_IN_BOX),),
        name="java-archive",
    )
    with Sandbox(shown, (tier,)) as sandbox:
        jar = sandbox.seen_at(f"{JAVA_IN_BOX}/{JAR}")
        listed = _run(
            sandbox,
            toolchain,
            [f"-XX:DumpLoadedClassList={_CLASS_LIST}", "-Xshare:off", "-jar", jar],
            ({_REQUEST: request}, _CLASS_LIST, _REQUEST),
        )
        # The example's own classes come from no jar.
        lines = [line for line in listed.output.split(b"\n") if b"Solution" not in line]
        flags = [f"-XX:SharedClassListFile={_CLASS_LIST}", f"-XX:SharedArchiveFile={ARCHIVE}"]
        dumped = _run(
            sandbox,
            toolchain,
            ["-Xshare:dump", *flags, "-cp", jar],
            ({_CLASS_LIST: b"\n".join(lines)}, ARCHIVE, ""),
        )
    path = folder / ARCHIVE
    path.write_bytes(dumped.output)
    path.chmod(0o644)


def _run(
    sandbox: Sandbox,
    toolchain: JavaToolchain,
    arguments: list[str],
    files: tuple[dict[str, bytes], str, str],
) -> ToolReply:
    """One JVM in a box; ``files`` are what it finds, what it makes, and what it reads."""
    found, output, stdin = files
    request = ToolRequest(
        [toolchain.java, *_ARCHIVE_FLAGS, *arguments],
        found,
        output,
        stdin,
        {"LD_LIBRARY_PATH": toolchain.library_path},
    )
    with sandbox.open_box() as box:
        outcome = box.run(request.to_bytes(), _LIMITS)
    if outcome.kind is not OutcomeKind.EXITED:
        raise JudgeBroken(f"the JDK does not run in a box: {outcome.kind} {outcome.detail}")
    reply = toolchain_wire.read_tool_reply(outcome.result)
    if not reply.output:
        raise JudgeBroken(f"the JDK does not run in a box: {reply.log[:500]}")
    return reply
