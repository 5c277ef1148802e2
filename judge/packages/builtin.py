"""Where the problems are that come with the judge, and how a command names a package."""

from pathlib import Path

from judge.errors import Finding, PackageInvalid
from judge.packages.archives import archive_stem, read_any
from judge.packages.cases import without_cases
from judge.packages.files import PackageFiles
from judge.packages.package import Package, load

_JUDGE = Path(__file__).resolve().parents[1]


def builtin_folder() -> Path:
    """Where the built-in problems are: beside judge in a checkout, inside it when installed."""
    installed = _JUDGE / "_data" / "problems"
    return installed if installed.is_dir() else _JUDGE.parent / "problems"


def builtin_slugs() -> tuple[str, ...]:
    """The built-in problems by name."""
    folders = builtin_folder().iterdir()
    return tuple(sorted(folder.name for folder in folders if (folder / "judge.yaml").is_file()))


def locate(name: str) -> Path:
    """The folder or archive that a command's argument names: a path, or a built-in slug.

    Raises:
        PackageInvalid: there is neither.
    """
    path = Path(name)
    if name and _exists(path):
        return path
    if name in builtin_slugs():
        return builtin_folder() / name
    known = ", ".join(builtin_slugs())
    message = f"is neither a folder nor a built-in problem ({known})"
    raise PackageInvalid((Finding("not-found", name, message),))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def load_named(name: str) -> Package:
    """Read the package that a command's argument names.

    Raises:
        PackageInvalid: it does not exist or cannot be read.
    """
    return load(*_read(name))


def load_to_generate(name: str) -> tuple[Package, PackageFiles]:
    """The package that a command's argument names without its cases, and all its files.

    So cases that do not fit the signature any more keep nobody from making new ones.

    Raises:
        PackageInvalid: it does not exist or cannot be read.
    """
    files, source_name = _read(name)
    return load(without_cases(files), source_name), files


def _read(name: str) -> tuple[PackageFiles, str]:
    path = locate(name)
    resolved = path.resolve().name
    return read_any(path), archive_stem(resolved) if path.is_file() else resolved
