"""The small packages that the grading tests judge against."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from judge_data import JUDGE_DATA

from judge.domain.problem import Problem
from judge.errors import JudgeBroken
from judge.grading.pipeline import Grader
from judge.packages.files import read_folder
from judge.packages.package import load
from submissions_sandbox import ALL_TIERS, Tier

PACKAGES = Path(__file__).parent / "packages"
HONEST = b"def pair_sum(a, b):\n    return a + b\n"
HONEST_SOURCES = {
    "python": HONEST,
    "cpp": b"long long pair_sum(long long a, long long b) { return a + b; }\n",
    "java": b"class Solution { static long pair_sum(long a, long b) { return a + b; } }\n",
}


def read_problem(slug: str) -> Problem:
    """One of the packages beside this file, as grading sees it."""
    return load(read_folder(PACKAGES / slug), slug).problem


def start_grader(
    languages: tuple[str, ...] | None = None, tiers: Sequence[Tier] = ALL_TIERS
) -> Grader:
    """A started grader, or a visible skip where this machine cannot isolate (a failure in CI)."""
    grader = Grader(languages, data_dir=JUDGE_DATA, tiers=tiers)
    try:
        return grader.__enter__()
    except JudgeBroken as error:
        reason = f"missing program: namespaces or Landlock ({error})"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
