"""Which names a package file may have.

Owns the rules for one relative path and for a set of paths; it never touches the disk. A package
is hostile input: it may come from an upload, and its names end up in folders and archives of
other people's machines. So the rules are those of the strictest file system in use: no way out of
the package, no two names that a case-insensitive or Unicode-normalising system would merge.
"""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

from judge.errors import Finding

MAX_DEPTH = 10
MAX_PATH_BYTES = 512
MAX_PART_BYTES = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DRIVE = re.compile(r"[A-Za-z]:")
# Windows keeps these names for devices, in every folder and with every suffix.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"|?*]')
_SHOWN_CHARACTERS = 200
_IGNORED_PARTS = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        ".idea",
        ".vscode",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".DS_Store",
        "Thumbs.db",
        "__MACOSX",
        "__pycache__",
    }
)
_LEFTOVER = re.compile(r".*~|.*\.py[co]|\..*\.sw[a-p]|#.*#|\.#.*|\._.*")


def name_findings(path: str) -> list[Finding]:
    """What is wrong with one relative path, in one finding; empty if nothing is."""
    faults = _name_faults(path)
    if not faults:
        return []
    return [Finding("unsafe-name", shown_name(path), "; ".join(faults))]


def shown_name(path: str) -> str:
    """A hostile name as a message may hold it: without line breaks and of bounded length."""
    plain = path.encode("utf-8", "backslashreplace").decode()
    plain = "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in plain)
    return plain if len(plain) <= _SHOWN_CHARACTERS else plain[:_SHOWN_CHARACTERS] + "…"


def is_ignored(path: str) -> bool:
    """Whether a path is a leftover of an editor or a tool, which no package needs."""
    parts = PurePosixPath(path).parts
    return any(part in _IGNORED_PARTS for part in parts) or bool(_LEFTOVER.fullmatch(parts[-1]))


def collision_findings(paths: Iterable[str], empty_folders: Iterable[str] = ()) -> list[Finding]:
    """Paths, or folders on their way, that some file system would take for one another.

    Also finds a file that stands where another path needs a folder, and a path given twice.
    ``empty_folders`` are folders that an archive names on their own, with no file below.
    """
    findings: list[Finding] = []
    folders: dict[str, str] = {}
    files: dict[str, str] = {}
    for path in sorted(paths):
        if _folded(path) in files:
            other = files[_folded(path)]
            findings.append(Finding("name-collision", path, f"is the same name as {other}"))
        files.setdefault(_folded(path), path)
        for folder in list(PurePosixPath(path).parents)[:-1]:
            other = folders.setdefault(_folded(str(folder)), str(folder))
            if other != str(folder):
                findings.append(Finding("name-collision", path, f"folder differs from {other}"))
    folders |= {_folded(folder): folder for folder in empty_folders}
    for folded in sorted(files.keys() & folders.keys()):
        findings.append(Finding("name-collision", files[folded], "is a file and a folder"))
    return findings


def _name_faults(path: str) -> list[str]:
    try:
        size = len(path.encode())
    except UnicodeEncodeError:
        return ["the name is not UTF-8"]
    parts = path.split("/")
    if size > MAX_PATH_BYTES or any(len(part.encode()) > MAX_PART_BYTES for part in parts):
        return ["the path is too long"]
    checks = {
        "the name holds a control character": bool(_CONTROL.search(path)),
        "the name holds an invisible character": any(map(_is_invisible, path)),
        "the name holds a backslash": "\\" in path,
        "the path is absolute": path.startswith("/") or bool(_DRIVE.match(path)),
        "the path holds an empty, '.' or '..' part": any(part in ("", ".", "..") for part in parts),
        f"the path is deeper than {MAX_DEPTH}": len(parts) > MAX_DEPTH,
        "the name is none that Windows can have": any(map(_is_unfit_for_windows, parts)),
    }
    return [message for message, broken in checks.items() if broken]


def _is_invisible(character: str) -> bool:
    """Whether a name may hide behind this one: zero-width or changing the writing direction."""
    return unicodedata.category(character) == "Cf"


def _is_unfit_for_windows(part: str) -> bool:
    ends_badly = part not in (".", "..") and part.endswith((".", " "))
    return ends_badly or bool(_DEVICE.fullmatch(part) or _FORBIDDEN.search(part))


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", path).casefold())
