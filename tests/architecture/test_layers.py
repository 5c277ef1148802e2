"""Who may import whom, and the few rules about code that no linter of ours knows."""

import ast
import subprocess
import sys

from sources import ROOT, imported, product, sources

ONLY_COMMITTER = "judge/db/engine.py"
RUN_IMPORT_LINTER = "from importlinter.cli import lint_imports_command as run; run()"


def test_the_import_contracts_hold() -> None:
    done = subprocess.run(  # noqa: S603 - fixed arguments
        [sys.executable, "-c", RUN_IMPORT_LINTER, "--no-cache"],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "NO_COLOR": "1", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_the_database_engine_commits() -> None:
    committing = [
        s.name
        for s in product()
        for node in ast.walk(s.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "commit"
    ]
    assert set(committing) <= {ONLY_COMMITTER}


def test_no_import_hides_in_a_function() -> None:
    hidden = [
        f"{s.name}:{line} {name}"
        for s in product()
        for function in ast.walk(s.tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for line, name in imported(function)
    ]
    assert hidden == []


def test_the_sandbox_needs_only_the_standard_library() -> None:
    own = {"submissions_sandbox"}
    foreign = [
        f"{s.name}:{line} {name}"
        for s in sources("submissions_sandbox")
        for line, name in imported(s.tree)
        if name not in sys.stdlib_module_names | own
    ]
    assert foreign == []


def test_nothing_is_called_utils_or_common() -> None:
    names = {"utils", "util", "common", "core", "helpers", "misc", "services"}
    assert [s.name for s in product() if names & {s.path.stem, *s.path.parent.parts}] == []
