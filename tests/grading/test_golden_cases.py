"""Golden cases: a source, and the judgement that it must get.

Each folder of ``cases/`` holds ``solution.py``, byte for byte what a learner sends, and
``expected.yaml``: the problem, the verdict and its reason (a list where either may come), the
earned points, the compile log, and what matters of single cases. Texts are parts of what is
reported, except that an empty text must be empty.
"""

from pathlib import Path
from typing import Any

import pytest
import yaml
from grading_packages import HONEST

from judge.domain.problem import Problem
from judge.domain.submission import CaseResult, Judgement
from judge.domain.verdicts import Verdict
from judge.grading.pipeline import Grader

FOLDERS = sorted(path for path in (Path(__file__).parent / "cases").iterdir() if path.is_dir())
KEYS = {"problem", "verdict", "reason", "earned", "log", "cases"}
CASE_KEYS = {
    "verdict",
    "reason",
    "message",
    "stdout",
    "stderr",
    "error_class",
    "error_line",
}


@pytest.fixture
def problems(pair_sum: Problem, scale_rows: Problem) -> dict[str, Problem]:
    return {problem.slug: problem for problem in (pair_sum, scale_rows)}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_source_gets_the_judgement_that_it_must_get(
    folder: Path, grader: Grader, problems: dict[str, Problem]
) -> None:
    expected = yaml.safe_load((folder / "expected.yaml").read_text())
    assert set(expected) <= KEYS
    problem = problems[expected["problem"]]
    judgement = grader.grade(problem, (folder / "solution.py").read_bytes(), "python")
    assert matches(expected["verdict"], judgement.verdict), judgement
    assert matches(expected.get("reason", judgement.reason), judgement.reason), judgement
    assert judgement.score.earned == expected.get("earned", judgement.score.earned)
    assert_log(judgement, expected.get("log"))
    assert_cases(problem, judgement, expected.get("cases", {}))
    assert_next_honest_submission_is_accepted(grader, problems["pair_sum"])


def assert_log(judgement: Judgement, log: str | None) -> None:
    assert judgement.compile.ok == (judgement.verdict is not Verdict.COMPILE_ERROR)
    if log is not None:
        assert contains(judgement.compile.log, log), judgement.compile.log
    elif judgement.compile.ok:
        assert judgement.compile.log == ""


def assert_cases(problem: Problem, judgement: Judgement, expected: dict[str, Any]) -> None:
    """Every planned case in order, or none where nothing ran; and what matters of single ones."""
    ids = [case.id for case in judgement.cases]
    assert ids == ([case.id for case in problem.cases] if judgement.compile.ok else [])
    accepted = all(case.verdict is Verdict.ACCEPTED for case in judgement.cases)
    assert (judgement.verdict is Verdict.ACCEPTED) == (accepted and judgement.compile.ok)
    by_id = {case.id: case for case in judgement.cases}
    for name, facts in expected.items():
        assert set(facts) <= CASE_KEYS
        assert_case(by_id[name], facts)


def assert_case(case: CaseResult, facts: dict[str, Any]) -> None:
    for key, value in facts.items():
        seen = getattr(case, key)
        if isinstance(value, str) and key in ("message", "stdout", "stderr"):
            assert contains(seen, value), case
        else:
            assert matches(value, seen), case


def assert_next_honest_submission_is_accepted(grader: Grader, problem: Problem) -> None:
    judgement = grader.grade(problem, HONEST, "python")
    assert (judgement.verdict, judgement.passed) == (Verdict.ACCEPTED, len(problem.cases))


def matches(expected: object, seen: object) -> bool:
    return seen in expected if isinstance(expected, list) else seen == expected


def contains(text: str, part: str) -> bool:
    return part in text if part else text == ""
