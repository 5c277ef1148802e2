"""Where the tests keep prepared toolchains and compiled programs, and what they do without one."""

import os
from pathlib import Path

import pytest

from judge.grading.pipeline import Grader

JUDGE_DATA = Path(__file__).parents[2] / ".pytest_cache" / "judge-data"


def require(grader: Grader, language: str) -> None:
    """Skip visibly where this machine has no toolchain for the language (a failure in CI)."""
    fix = grader.missing().get(language)
    if fix is None:
        return
    reason = f"missing program: {fix}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
