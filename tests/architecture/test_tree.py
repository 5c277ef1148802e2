"""What stands where, and what never stands in the repository."""

import os
import re
import subprocess

import pytest
from sources import ROOT

TOP_LEVEL = (
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "LICENSE",
    "Dockerfile",
    "docker-compose.yml",
    ".ci/run",
    "locks/run.txt",
    "locks/dev.txt",
    "locks/bootstrap.txt",
    "judge/__main__.py",
    "problems",
    "submissions_sandbox/__init__.py",
    "migrations/env.py",
    "docs/architecture.md",
    "docs/glossary.md",
    "docs/security.md",
    "docs/decisions",
)
SCRIPTS = ("bootstrap", "judge", "run", "check", "test", "lock")

# A folder of one person or one machine tells nothing to anybody else, and may tell too much.
PRIVATE_PATH = re.compile(rb"/home/[a-z][\w.-]*/|/root/|/Users/\w|/work/|[A-Z]:\\\\Users")
# The line above names what it looks for.
SELF = "tests/architecture/test_tree.py"
INDEX_HOST = re.compile(r"https?://|--index-url|--extra-index-url|--find-links|--trusted-host")


def tracked_files() -> list[str]:
    """Files that git knows or would add; every file where this is no clone."""
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],  # noqa: S607 - git of the machine
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        pytest.skip("this copy of the project is no git repository")
    return [name for name in done.stdout.split("\0") if (ROOT / name).is_file()]


@pytest.mark.parametrize("name", TOP_LEVEL)
def test_the_top_level_holds(name: str) -> None:
    assert (ROOT / name).exists()


@pytest.mark.parametrize("name", [*(f"scripts/{name}" for name in SCRIPTS), ".ci/run"])
def test_a_script_is_executable_strict_and_parses(name: str) -> None:
    path = ROOT / name
    assert os.access(path, os.X_OK)
    assert "\nset -euo pipefail\n" in path.read_text()
    subprocess.run(["bash", "-n", path], check=True)  # noqa: S603, S607 - bash of the machine


def test_problems_are_data_and_no_package() -> None:
    assert list((ROOT / "problems").rglob("__init__.py")) == []


def test_no_file_names_a_folder_of_somebody() -> None:
    telling = [
        name
        for name in tracked_files()
        if name != SELF and PRIVATE_PATH.search((ROOT / name).read_bytes())
    ]
    assert telling == []


@pytest.mark.parametrize("lock", ["run", "dev", "bootstrap"])
def test_a_lock_names_versions_and_hashes_and_no_host(lock: str) -> None:
    text = (ROOT / "locks" / f"{lock}.txt").read_text()
    assert INDEX_HOST.search(text) is None
    requirements = re.split(r"\n(?=\S)", text.strip())
    assert all("==" in each and "--hash=sha256:" in each for each in requirements)


def test_the_dev_lock_holds_the_run_lock() -> None:
    pins = {
        lock: set(re.findall(r"^\S+==\S+", (ROOT / "locks" / f"{lock}.txt").read_text(), re.M))
        for lock in ("run", "dev")
    }
    assert pins["run"] <= pins["dev"]


def test_no_lock_of_a_tool_that_writes_hosts_is_committed() -> None:
    assert not {"uv.lock", "poetry.lock", "Pipfile.lock"} & set(tracked_files())


def test_code_folders_hold_text_only() -> None:
    archives = re.compile(
        r"^(judge|submissions_sandbox|migrations|tests)/.*\.(whl|zip|gz|so|pyc|db)$"
    )
    assert [name for name in tracked_files() if archives.match(name)] == []
