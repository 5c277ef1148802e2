"""``judge problems import`` and ``judge problems export``."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from judge_data import JUDGE_DATA

ROOT = Path(__file__).resolve().parents[2]
HELLO = ROOT / "tests" / "grading" / "packages" / "stdio_hello"


def run(folder: Path, *words: str, command: str = "problems") -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    return subprocess.run(  # noqa: S603 - the test's own command
        [sys.executable, "-m", "judge", command, *words],
        cwd=folder,
        env={**kept, "JUDGE_DATA_DIR": str(JUDGE_DATA), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_an_import_writes_a_folder_and_says_what_it_left_out(tmp_path: Path) -> None:
    done = run(tmp_path, "import", str(HELLO))
    assert done.returncode == 0, done.stderr
    assert "submissions/accepted/greet.rs: warning: is not in a language" in done.stdout
    assert "stdio_hello: 6 cases, written to stdio_hello\n" in done.stdout
    assert "publishing it waits for the errors above" in done.stdout
    assert (tmp_path / "stdio_hello" / "judge.yaml").is_file()


@pytest.mark.slow  # lint's part runs always, in tests/unit/test_packages_rules.py
def test_an_import_in_one_locale_can_be_graded_but_waits_for_its_translations(
    tmp_path: Path,
) -> None:
    assert run(tmp_path, "import", str(HELLO)).returncode == 0
    refused = run(tmp_path, "verify", "stdio_hello")
    assert refused.returncode == 1
    for locale in ("vi", "ja"):
        said = f"statement/problem.{locale}.md: error: is missing: translate statement/problem.en"
        assert said in refused.stdout
    assert not (tmp_path / "stdio_hello" / "verified.json").exists()
    source = "stdio_hello/submissions/accepted/greet.py"
    graded = run(tmp_path, "stdio_hello", source, command="grade")
    assert graded.returncode == 0, graded.stderr


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "stdio_hello").mkdir()
    done = run(tmp_path, "import", str(HELLO))
    assert done.returncode == 2
    assert not list((tmp_path / "stdio_hello").iterdir())


def test_what_is_not_offered_is_refused_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "guess").mkdir()
    (tmp_path / "guess" / "problem.yaml").write_text("validation: custom interactive\n")
    done = run(tmp_path, "import", "guess")
    assert done.returncode == 2
    assert "interactive, which the judge does not offer" in done.stderr


@pytest.mark.parametrize("form", ["legacy", "2025-09"])
def test_an_export_has_the_name_that_the_format_allows(tmp_path: Path, form: str) -> None:
    words = ("export", "sample_token", "--kattis", "--output", "out", "--format", form)
    done = run(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "sampletoken" / "problem.yaml").is_file()
