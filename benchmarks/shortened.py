"""A built-in problem with fewer test cases, proved and published into a data folder.

For measuring what is promised of a number of cases. The first case of every group stays, and as
many of the others, in order, as are asked for; the generator makes only these.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_KEPT_SUBMISSIONS = "accepted"
_FILTER = """

_all_of_them = generate


def generate():
    return [case for case in _all_of_them() if case[0] in KEPT]


KEPT = {kept!r}
"""


def publish_shortened(problem: str, cases: int, folder: Path, data_dir: str) -> None:
    """Publish ``problem`` with so many cases; ``folder`` is for the package."""
    package = folder / problem
    shutil.copytree(_ROOT / "problems" / problem, package)
    kept = _keep(package / "data", cases)
    generator = package / "generators" / "cases.py"
    generator.write_text(generator.read_text() + _FILTER.format(kept=kept))
    _keep_submissions(package / "submissions")
    for command in ("verify", "publish"):
        subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "judge", "problems", command, str(package)],
            env={**os.environ, "JUDGE_DATA_DIR": data_dir, "PYTHONPATH": str(_ROOT)},
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def _keep(data: Path, cases: int) -> list[str]:
    """Delete what is too much; the paths of what stays."""
    paths = sorted(path.relative_to(data).with_suffix("") for path in data.glob("sample/*.in"))
    paths += sorted(path.relative_to(data).with_suffix("") for path in data.glob("secret/*/*.in"))
    first = {path.parent: path for path in reversed(paths)}
    others = [path for path in paths if path not in first.values()]
    kept = {*first.values(), *others[: cases - len(first)]}
    for path in paths:
        if path not in kept:
            for file in (data / path.parent).glob(f"{path.name}.*"):
                shutil.rmtree(file) if file.is_dir() else file.unlink()
    return sorted(str(path) for path in kept)


def _keep_submissions(submissions: Path) -> None:
    for folder in submissions.iterdir():
        if folder.is_dir() and folder.name != _KEPT_SUBMISSIONS:
            shutil.rmtree(folder)
    kept = sorted(path.name for path in (submissions / _KEPT_SUBMISSIONS).iterdir())
    lines = [f"{_KEPT_SUBMISSIONS}/{name}: {{required: [AC]}}\n" for name in kept]
    (submissions / "submissions.yaml").write_text("".join(lines))
