"""What a box is made of: the part of the host's file system that it sees, and its program.

A profile is plain data: the supervisor builds it, the zygote receives it as JSON. Two are offered:
``python_profile`` preloads a Python program that is then called once a run, and ``exec_profile``
starts one program by argv.
"""

import sys
import sysconfig
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

STDLIB_IN_BOX = "/python/lib"
PACKAGES_IN_BOX = "/python/packages"
# Packages installed for the host's interpreter may hold anything, hidden test data included: they
# are covered wherever a bind mount would show them.
_COVERED_NAMES = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class Bind:
    """A host folder or file shown read-only inside the box; ``covered`` are emptied folders."""

    source: str
    target: str
    covered: tuple[str, ...] = ()


@dataclass(frozen=True)
class Profile:
    """A kind of box.

    Attributes:
        name: for descriptions.
        binds: what the box sees of the host.
        python_path: ``sys.path`` of the program, as paths inside the box.
        program: Python source that defines ``preload() -> None``, called once before any box, and
            ``main(request: bytes) -> None``, called once in each run; empty when runs start by
            argv.
        environment: the program's whole environment.
    """

    name: str
    binds: tuple[Bind, ...]
    python_path: tuple[str, ...] = ()
    program: str = ""
    environment: tuple[tuple[str, str], ...] = (
        ("HOME", "/tmp"),  # noqa: S108 - the box's own private folder
        ("LANG", "C.UTF-8"),
        ("OPENBLAS_NUM_THREADS", "1"),
        ("PATH", "/usr/bin"),
        ("PYTHONHASHSEED", "0"),
    )

    def to_message(self) -> dict[str, Any]:
        """Plain form for the channel to the zygote."""
        return {
            "name": self.name,
            "binds": [[bind.source, bind.target, list(bind.covered)] for bind in self.binds],
            "python_path": list(self.python_path),
            "program": self.program,
        }


def python_profile(program: str, packages: tuple[str, ...] = ()) -> Profile:
    """A box for a Python program: standard library, shared libraries, the named packages.

    Raises:
        ModuleNotFoundError: a named package is not installed here.
    """
    stdlib = Path(sysconfig.get_path("stdlib"))
    binds = [*_shared_library_binds(), Bind(str(stdlib), STDLIB_IN_BOX, _covered_below(stdlib))]
    for package in packages:
        binds.extend(_package_binds(package))
    python_path = (STDLIB_IN_BOX, f"{STDLIB_IN_BOX}/lib-dynload", PACKAGES_IN_BOX)
    return Profile("python", tuple(binds), python_path, program)


def exec_profile() -> Profile:
    """A box for one program of the host's /usr, started by argv."""
    folders = ("/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec")
    present = [Path(folder) for folder in folders if Path(folder).is_dir()]
    binds = [Bind(str(folder), str(folder), _covered_below(folder)) for folder in present]
    return Profile("exec", tuple(binds))


def _shared_library_binds() -> list[Bind]:
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    candidates = [Path("/usr/lib") / multiarch] if multiarch else []
    folders = [folder for folder in candidates if folder.is_dir()]
    if not folders:
        folders = [path for path in (Path("/usr/lib64"), Path("/usr/lib")) if path.is_dir()]
    return [Bind(str(folder), str(folder), _covered_below(folder)) for folder in folders]


def _package_binds(package: str) -> list[Bind]:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"package {package} is not installed for {sys.executable}")
    home = Path(next(iter(spec.submodule_search_locations)))
    # Wheels put their shared libraries beside the package, as numpy.libs.
    folders = (home, home.parent / f"{package}.libs")
    return [
        Bind(str(folder), f"{PACKAGES_IN_BOX}/{folder.name}")
        for folder in folders
        if folder.is_dir()
    ]


def _covered_below(folder: Path) -> tuple[str, ...]:
    """Folders of installed packages that stand in a folder or one level below it."""
    found = [folder / name for name in _COVERED_NAMES]
    found += [path for name in _COVERED_NAMES for path in folder.glob(f"python3*/{name}")]
    return tuple(str(path.relative_to(folder)) for path in found if path.is_dir())
