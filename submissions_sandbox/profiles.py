"""The kinds of box that are offered.

``python_profile`` preloads a Python program that is then called once a run. ``tool_profile`` does
the same for a program that has to start others, such as a compiler. ``exec_profile`` starts a
program of the host by argv, ``binary_profile`` one that arrives as a descriptor.
"""

import sys
import sysconfig
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from submissions_sandbox.profile import BASE_ENVIRONMENT, PACKAGES_IN_BOX, Bind, Profile, Starts
from submissions_sandbox.syscall_numbers import machine

STDLIB_IN_BOX = "/python/lib"
# Packages installed for the host's interpreter may hold anything, hidden test data included: they
# are covered wherever a bind mount would show them.
_COVERED_NAMES = ("site-packages", "dist-packages")
_LOADERS = {
    "x86_64": "/usr/lib64/ld-linux-x86-64.so.2",
    "aarch64": "/usr/lib/ld-linux-aarch64.so.1",
}
_CPP_LIBRARIES = (
    "libc.so.6",
    "libm.so.6",
    "libgcc_s.so.1",
    "libstdc++.so.6",
    "libatomic.so.1",
    # Of these, C libraries before 2.34 are made as well.
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
)
_TOOL_FOLDERS = ("/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec")


def python_profile(program: str, packages: tuple[str, ...] = ()) -> Profile:
    """A box for a Python program: standard library, shared libraries, the named packages.

    Raises:
        ModuleNotFoundError: a named package is not installed here.
    """
    binds = [*_library_folders(), _stdlib_bind()]
    for package in packages:
        binds.extend(_package_binds(package))
    python_path = (STDLIB_IN_BOX, f"{STDLIB_IN_BOX}/lib-dynload", PACKAGES_IN_BOX)
    return Profile("python", tuple(binds), python_path, program)


def tool_profile(
    program: str, folders: Sequence[str], binds: Sequence[Bind] = (), name: str = "tool"
) -> Profile:
    """A box for a Python program that starts programs of the host's /usr, a compiler for one.

    Args:
        program: as Profile.program.
        folders: folders of the host that are shown besides the places of programs.
        binds: further files and folders.
        name: for descriptions.
    """
    shown = (*host_binds((*_TOOL_FOLDERS, *folders)), _stdlib_bind(), *binds)
    python_path = (STDLIB_IN_BOX, f"{STDLIB_IN_BOX}/lib-dynload")
    return Profile(name, shown, python_path, program, Starts.PROCESSES)


def exec_profile(
    binds: Sequence[Bind] | None = None,
    environment: Mapping[str, str] | None = None,
    name: str = "exec",
) -> Profile:
    """A box for one program of the host, started by argv; by default it sees all of /usr/bin."""
    shown = host_binds(_TOOL_FOLDERS) if binds is None else (*shared_library_binds(), *binds)
    variables = dict(BASE_ENVIRONMENT) | dict(environment or {})
    return Profile(name, shown, starts=Starts.PATH, environment=tuple(variables.items()))


def binary_profile(environment: Mapping[str, str] | None = None) -> Profile:
    """A box for a binary that arrives as a descriptor: it sees a copy of the C++ libraries."""
    variables = dict(BASE_ENVIRONMENT) | dict(environment or {})
    return Profile(
        "binary",
        _copied_libraries(),
        starts=Starts.DESCRIPTOR,
        environment=tuple(variables.items()),
    )


def host_binds(folders: Sequence[str]) -> tuple[Bind, ...]:
    """Folders of the host at the same places in the box, without installed Python packages."""
    present = [Path(folder) for folder in folders if Path(folder).is_dir()]
    return tuple(Bind(str(path), str(path), _covered_below(path)) for path in present)


def shared_library_binds() -> tuple[Bind, ...]:
    """The host's shared libraries, and the loader where programs look for it."""
    loader = Path(_LOADERS[machine()])
    binds = _library_folders()
    if loader.exists() and not any(loader.is_relative_to(bind.target) for bind in binds):
        binds.append(Bind(str(loader.resolve()), str(loader)))
    return tuple(binds)


def _copied_libraries() -> tuple[Bind, ...]:
    """The loader and what a C++ program is linked with."""
    folders = [Path(bind.source) for bind in _library_folders()]
    found = [Path(_LOADERS[machine()])]
    for name in _CPP_LIBRARIES:
        found += [path for folder in folders if (path := folder / name).exists()][:1]
    return tuple(Bind(str(path.resolve()), str(path), copied=True) for path in found)


def _stdlib_bind() -> Bind:
    stdlib = Path(sysconfig.get_path("stdlib"))
    return Bind(str(stdlib), STDLIB_IN_BOX, _covered_below(stdlib))


def _library_folders() -> list[Bind]:
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
