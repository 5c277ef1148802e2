"""Which toolchains this machine has.

Owns looking for them. Nothing is concluded from a version number alone: what is found still has to
build the judge's own part (judge.grading.toolchains.prepare_*), and a worker tests itself with it.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

_COMPILER = Path("/usr/bin/g++")
_JAVA = Path("/usr/bin/java")
_OLDEST_COMPILER = 9  # the first whose C++17 library is complete
_OLDEST_JAVA = 17
_PROBE_WALL_S = 30


@dataclass(frozen=True)
class CppToolchain:
    """A C++ compiler below /usr, which is what a compile box sees."""

    compiler: Path
    version: str


@dataclass(frozen=True)
class JavaToolchain:
    """A JDK; ``outside`` are the folders that symbolic links of its home lead to."""

    home: Path
    version: str
    outside: tuple[str, ...]

    @property
    def java(self) -> str:
        """The launcher."""
        return str(self.home / "bin" / "java")

    @property
    def library_path(self) -> str:
        """Where the launcher finds its libraries: without /proc it cannot ask where it stands."""
        return f"{self.home / 'lib'}:{self.home / 'lib' / 'server'}"


@dataclass(frozen=True)
class Lacking:
    """Why a language is not judged here, in a few words for the log."""

    detail: str


def find_cpp() -> CppToolchain | Lacking:
    """The machine's g++."""
    if not _COMPILER.exists():
        return Lacking(f"{_COMPILER} is not there")
    version = _ask(str(_COMPILER), "-dumpfullversion", "-dumpversion")
    major = re.match(r"(\d+)\.", version)
    if major is None or int(major.group(1)) < _OLDEST_COMPILER:
        return Lacking(f"{_COMPILER} says that it is version {version or 'unknown'}")
    return CppToolchain(_COMPILER, version)


def find_java(home: Path | None = None) -> JavaToolchain | Lacking:
    """The JDK at ``home``, or the one behind /usr/bin/java."""
    if home is None and not _JAVA.exists():
        return Lacking(f"{_JAVA} is not there")
    home = home or _JAVA.resolve().parent.parent
    if not (home / "bin" / "javac").exists():
        return Lacking(f"{home} has no javac")
    version = _stated_release(home)
    major = re.match(r"\d+", version)
    if major is None or int(major.group()) < _OLDEST_JAVA:
        return Lacking(f"{home} says that it is version {version or 'unknown'}")
    return JavaToolchain(home, version, _outside(home))


def _ask(*argv: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - the host's own compiler
            argv, capture_output=True, text=True, timeout=_PROBE_WALL_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _stated_release(home: Path) -> str:
    try:
        text = (home / "release").read_text()
    except OSError:
        return ""
    found = re.search(r'^JAVA_VERSION="([^"]+)"', text, re.MULTILINE)
    return found.group(1) if found else ""


def _outside(home: Path) -> tuple[str, ...]:
    """Distributions keep a JDK's settings in /etc and link to them."""
    folders = set()
    for folder, subfolders, files in os.walk(home):
        for name in (*subfolders, *files):
            target = Path(folder, name).resolve()
            if (
                len(target.parts) > 2
                and target.is_relative_to("/etc")
                and "java-" in target.parts[2]
            ):
                folders.add(str(Path(*target.parts[:3])))
    return tuple(sorted(folders))
