"""``judge problems new``, and the ten minutes of problems/README.md as they stand there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from judge_data import JUDGE_DATA

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "problems" / "README.md"
PATIENCE_S = 300
SIGNATURE = "top_mass(probs: list[float], k: int) -> float"
REFERENCE = "def {}(values, n):\n    return {}\n"
_BLOCK = re.compile(r"^<!-- test: ([\w-]+) -->\n```bash\n(.*?)^```$", re.M | re.S)


def environment(data: Path = JUDGE_DATA) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    return {**kept, "JUDGE_DATA_DIR": str(data), "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """One command of ``judge problems``, standing in a folder."""
    return subprocess.run(  # noqa: S603 - the test's own command
        [sys.executable, "-m", "judge", "problems", *words],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def paths(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_the_ten_minutes_of_the_readme(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    judge = tmp_path / "scripts" / "judge"
    judge.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m judge "$@"\n')
    judge.chmod(0o755)
    blocks = [text for _, text in _BLOCK.findall(README.read_text())]
    assert {kind for kind, _ in _BLOCK.findall(README.read_text())} == {"ten-minutes", "publish"}
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    done = subprocess.run(  # noqa: S603 - our own README
        ["bash", "-c", "set -euo pipefail\n" + "".join(blocks)],  # noqa: S607 - of the machine
        cwd=tmp_path,
        env=environment(data),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "top_mass: proved" in done.stdout
    assert "top_mass: revision 1 published" in done.stdout
    assert (tmp_path / "top_mass" / "verified.json").is_file()


def test_a_new_package_lints_and_says_what_to_do_next(tmp_path: Path) -> None:
    done = run(tmp_path, "new", "top_mass", "--signature", SIGNATURE)
    assert done.returncode == 0, done.stderr
    assert "reference.py" in done.stdout
    assert "generate top_mass" in done.stdout
    linted = run(tmp_path, "lint", "top_mass")
    assert linted.returncode == 0, linted.stdout
    assert linted.stdout.endswith("top_mass: fit\n")
    assert "reference.py:5: warning" in linted.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("signature", "expression"),
    [
        ("pick(values: ndarray[f64, 2], n: int) -> list[float]", "[float(x) for x in values[n]]"),
        pytest.param("pick(a: list[int], n: int) -> int", "values[n]", marks=pytest.mark.slow),
        pytest.param(
            "pick(weights: dict[str, float], n: int) -> str",
            "sorted(values, key=values.get)[n]",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_reference_alone_makes_it_provable(
    tmp_path: Path, signature: str, expression: str
) -> None:
    assert run(tmp_path, "new", "pick", "--signature", signature).returncode == 0
    (tmp_path / "pick" / "reference.py").write_text(REFERENCE.format("pick", expression))
    made = run(tmp_path, "generate", "pick")
    assert made.returncode == 0, made.stderr
    assert run(tmp_path, "generate", "pick", "--check").returncode == 0
    proved = run(tmp_path, "verify", "pick")
    assert proved.returncode == 0, proved.stdout + proved.stderr
    assert "pick: proved; 17 cases" in proved.stdout


@pytest.mark.slow
def test_another_return_type_needs_new_cases_only(tmp_path: Path) -> None:
    assert run(tmp_path, "new", "pick", "--signature", "pick(a: list[int]) -> int").returncode == 0
    reference, judge_yaml = (tmp_path / "pick" / name for name in ("reference.py", "judge.yaml"))
    reference.write_text("def pick(a):\n    return max(a)\n")
    assert run(tmp_path, "generate", "pick").returncode == 0
    judge_yaml.write_text(judge_yaml.read_text().replace('returns: "int"', 'returns: "list[int]"'))
    reference.write_text("def pick(a):\n    return [max(a)]\n")
    made = run(tmp_path, "generate", "pick")
    assert made.returncode == 0, made.stderr
    assert run(tmp_path, "generate", "pick", "--check").returncode == 0


@pytest.mark.slow
def test_nothing_is_proved_before_the_reference_is_written(tmp_path: Path) -> None:
    assert run(tmp_path, "new", "top_mass", "--signature", SIGNATURE).returncode == 0
    made = run(tmp_path, "generate", "top_mass")
    assert made.returncode == 1
    assert "NotImplementedError" in made.stderr
    proved = run(tmp_path, "verify", "top_mass")
    assert proved.returncode == 1, proved.stderr
    assert "data: error: without a test case nothing can be proved [no-cases]" in proved.stdout


@pytest.mark.slow
def test_every_package_has_an_identity_of_its_own(tmp_path: Path) -> None:
    texts = set()
    for name in ("a", "b"):
        words = ("new", "top_mass", "--signature", SIGNATURE, "--output", name)
        assert run(tmp_path, *words).returncode == 0
        texts.add((tmp_path / name / "problem.yaml").read_text())
    assert len(texts) == 2
    assert paths(tmp_path / "a") == paths(tmp_path / "b")


@pytest.mark.slow
def test_further_languages_begin_with_their_starter_code(tmp_path: Path) -> None:
    words = ("--signature", SIGNATURE, "--language", "python", "--language", "cpp")
    assert run(tmp_path, "new", "top_mass", *words).returncode == 0
    linted = run(tmp_path, "lint", "top_mass")
    assert linted.returncode == 0, linted.stdout
    assert "submissions/accepted/solution.cpp: warning" in linted.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("top_mass",), "--signature"),
        (("top_mass", "--signature", "top_mass"), "expected name(parameter: type"),
        (("top_mass", "--signature", "top_mass(x: number) -> int"), "unknown type"),
        (("top_mass", "--signature", "top_mass(x: bool) -> int"), "too few values"),
        (
            ("top_mass", "--signature", "mass(k: int) -> int"),
            "is called mass, the problem top_mass",
        ),
        (("top_mass", "--signature", "mass(k: int) -> int"), "change SLUG or the name in --sign"),
        (("Top-Mass", "--signature", SIGNATURE), "snake_case"),
        (("../top", "--signature", SIGNATURE), "snake_case"),
        (("x/top", "--signature", SIGNATURE), "judge problems new top --output x/top\n"),
        (("class", "--signature", SIGNATURE), "keeps for itself"),
        (("top_mass", "--signature", SIGNATURE, "--language", "rust"), "rust"),
        (("top_mass", "--signature", SIGNATURE, "--output", "file/x"), "cannot be written"),
        (("top_mass", "--signature", SIGNATURE, "--output", "file"), "exists already"),
        (("top_mass", "--signature", SIGNATURE, "--output", "."), "exists already"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_is_written(
    tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "file").write_text("mine")
    done = run(tmp_path, "new", *words)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert paths(tmp_path) == {"file"}
