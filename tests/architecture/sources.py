"""The project's own Python files, parsed once for all architecture tests."""

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What learners send, some of it no Python: tests read it, nobody imports it.
LEARNERS = ROOT / "tests" / "grading" / "cases"


@dataclass(frozen=True)
class Source:
    """One module: its path below the root, its text and its tree."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @property
    def name(self) -> str:
        return self.path.as_posix()


@functools.cache
def sources(folder: str) -> tuple[Source, ...]:
    """Every module below a folder of the root."""
    found = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        if path.is_relative_to(LEARNERS):
            continue
        text = path.read_text(encoding="utf-8")
        found.append(Source(path.relative_to(ROOT), text, ast.parse(text, str(path))))
    return tuple(found)


def product() -> tuple[Source, ...]:
    """What runs in production."""
    return sources("judge") + sources("submissions_sandbox")


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and top-level package of every absolute import in a tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module.partition(".")[0]
