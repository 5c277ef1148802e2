"""What the public tool verifyproblem (PyPI problemtools) says of every export.

It lives in a virtual environment of its own. Continuous integration installs it; elsewhere the test
runs where the tool is on the PATH. Of what the tool wants besides, this machine need not have
all: PyPy is stood in for by this interpreter, javac is told the release that it knows, and where
there is no TeX the statements are only read by the tool's own TeX reader.
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from judge.packages.builtin import builtin_slugs, load_named
from judge.packages.kattis.exporting import export_package

pytestmark = pytest.mark.slow
PINNED = "problemtools==1.20260907"
STAND_INS = {
    "pypy3": f'exec {sys.executable} "$@"',
    "javac": 'for a; do shift; [ "$a" = 21 ] && a=17; set -- "$@" "$a"; done; exec {found} "$@"',
    "lualatex": "exit 0",
    "kpsewhich": 'for name; do [ -f "$name" ] && echo "$name" && exit 0; done; exit 1',
}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables under which ``verifyproblem`` is found, and what it calls."""
    folder = tmp_path_factory.mktemp("tools")
    path = os.environ["PATH"]
    if shutil.which("verifyproblem") is None:
        if os.environ.get("CI") != "true":
            pytest.skip("missing program: verifyproblem (pip install problemtools)")
        venv.create(folder / "venv", with_pip=True)
        pip = [str(folder / "venv" / "bin" / "pip"), "install", "--quiet", PINNED]
        subprocess.run(pip, check=True)  # noqa: S603
        path = f"{folder / 'venv' / 'bin'}:{path}"
    for name, line in STAND_INS.items():
        found = shutil.which(name)
        if found is None or name == "javac":
            program = folder / name
            program.write_text(f"#!/bin/sh\n{line.replace('{found}', found or 'false')}\n")
            program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{path}"}


@pytest.mark.parametrize("slug", builtin_slugs())
def test_it_finds_no_error(slug: str, environment: dict[str, str], tmp_path: Path) -> None:
    package = load_named(slug)
    if package.problem.checker.kind == "distribution":
        pytest.skip("a distribution has no form there")
    exported = export_package(package)
    for path, content in exported.files.items():
        place = tmp_path / exported.short_name / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    done = subprocess.run(  # noqa: S603
        ["verifyproblem", str(tmp_path / exported.short_name)],  # noqa: S607
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert f"{exported.short_name} tested: 0 errors" in said, said[-8000:]
