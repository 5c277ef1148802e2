"""Where the tests keep prepared toolchains and compiled programs, and what they do without one."""

import os
from pathlib import Path

import pytest

from judge.grading.pipeline import Grader
from judge.grading.toolchains.found import Lacking, find_java

JUDGE_DATA = Path(__file__).parents[2] / ".pytest_cache" / "judge-data"


def require(grader: Grader, language: str) -> None:
    """Skip visibly where this machine has no toolchain for the language (a failure in CI)."""
    fix = grader.missing().get(language)
    if fix is not None:
        _is_missing(fix)


def require_java() -> None:
    """The same for Java, where there is no grader yet."""
    found = find_java()
    if isinstance(found, Lacking):
        _is_missing(found.detail)


def _is_missing(fix: str) -> None:
    reason = f"missing program: {fix}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
