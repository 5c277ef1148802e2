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
    """What is wrong with one relative path; empty if nothing is."""
    shown = path.encode("utf-8", "backslashreplace").decode()
    return [Finding("unsafe-name", shown, message) for message in _name_faults(path)]


def is_ignored(path: str) -> bool:
    """Whether a path is a leftover of an editor or a tool, which no package needs."""
    parts = PurePosixPath(path).parts
    return any(part in _IGNORED_PARTS for part in parts) or bool(_LEFTOVER.fullmatch(parts[-1]))


def collision_findings(paths: Iterable[str]) -> list[Finding]:
    """Paths, or folders on their way, that some file system would take for one another.

    Also finds a file that stands where another path needs a folder, and a path given twice.
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
    for folded in sorted(files.keys() & folders.keys()):
        findings.append(Finding("name-collision", files[folded], "is a file and a folder"))
    return findings


def _name_faults(path: str) -> list[str]:
    try:
        size = len(path.encode())
    except UnicodeEncodeError:
        return ["the name is not UTF-8"]
    parts = path.split("/")
    checks = {
        "the name holds a control character": bool(_CONTROL.search(path)),
        "the name holds a backslash": "\\" in path,
        "the path is absolute": path.startswith("/") or bool(_DRIVE.match(path)),
        "the path holds an empty, '.' or '..' part": any(part in ("", ".", "..") for part in parts),
        f"the path is deeper than {MAX_DEPTH}": len(parts) > MAX_DEPTH,
        "the path is too long": size > MAX_PATH_BYTES
        or any(len(part.encode()) > MAX_PART_BYTES for part in parts),
    }
    return [message for message, broken in checks.items() if broken]


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", path).casefold())
