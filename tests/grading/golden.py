"""Golden cases: a source, and the judgement that it must get.

Each folder of ``cases/`` holds ``solution.py``, ``solution.cpp`` or ``Solution.java``, byte for
byte what a learner sends, and ``expected.yaml``: the problem, the verdict and its reason (a list
where either may come), the earned points, the compile log, and what matters of single cases. Texts
are parts of what is reported, except that an empty text must be empty.

One test file a language walks over the folders with the functions here.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from _pytest.mark.structures import ParameterSet
from grading_packages import HONEST_SOURCES, read_problem
from judge_data import require

from judge.domain.problem import Problem
from judge.domain.submission import CaseResult, Judgement
from judge.domain.verdicts import Verdict
from judge.grading.pipeline import Grader
from judge.harness.languages import LANGUAGES

CASES = Path(__file__).parent / "cases"
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


def folders(language: str) -> list[Path]:
    """The folders whose source is of the language."""
    file_name = LANGUAGES[language].file_name
    return sorted(path.parent for path in CASES.glob(f"*/{file_name}"))


def parameters(language: str) -> list[ParameterSet]:
    """The folders as parameters; of each kind, the word behind the language, a third runs always.

    Compiling takes most of the time of a compiled language's cases.
    """
    seen: Counter[str] = Counter()
    made = []
    for folder in folders(language):
        kind = folder.name.split("_")[1]
        marks = [pytest.mark.slow] if seen[kind] % 3 else []
        seen[kind] += 1
        made.append(pytest.param(folder, id=folder.name, marks=marks))
    return made


def judge_folder(grader: Grader, folder: Path, language: str) -> tuple[bytes, Judgement]:
    """Grade a folder's source and hold what comes of it against what must come of it."""
    require(grader, language)
    expected = yaml.safe_load((folder / "expected.yaml").read_text())
    source = (folder / LANGUAGES[language].file_name).read_bytes()
    problem = read_problem(expected["problem"])
    judgement = grader.grade(problem, source, language)
    assert_judgement(problem, judgement, expected)
    return source, judgement


def assert_judgement(problem: Problem, judgement: Judgement, expected: dict[str, Any]) -> None:
    assert set(expected) <= KEYS, expected
    assert matches(expected["verdict"], judgement.verdict), judgement
    assert matches(expected.get("reason", judgement.reason), judgement.reason), judgement
    earned = judgement.score.earned
    assert earned == expected.get("earned", earned), judgement
    assert_log(judgement, expected.get("log"))
    assert_cases(problem, judgement, expected.get("cases", {}))


def assert_log(judgement: Judgement, log: str | None) -> None:
    assert judgement.compile.ok == (judgement.verdict is not Verdict.COMPILE_ERROR), judgement
    if log is not None:
        assert contains(judgement.compile.log, log), judgement.compile.log
    elif judgement.compile.ok:
        assert judgement.compile.log == "", judgement.compile.log


def assert_cases(problem: Problem, judgement: Judgement, expected: dict[str, Any]) -> None:
    """Every planned case in order, or none where nothing ran; and what matters of single ones."""
    ids = [case.id for case in judgement.cases]
    assert ids == ([case.id for case in problem.cases] if judgement.compile.ok else []), ids
    accepted = all(case.verdict is Verdict.ACCEPTED for case in judgement.cases)
    is_accepted = judgement.verdict is Verdict.ACCEPTED
    assert is_accepted == (accepted and judgement.compile.ok), judgement
    by_id = {case.id: case for case in judgement.cases}
    for name, facts in expected.items():
        assert set(facts) <= CASE_KEYS, facts
        assert_case(by_id[name], facts)


def assert_case(case: CaseResult, facts: dict[str, Any]) -> None:
    for key, value in facts.items():
        seen = getattr(case, key)
        if isinstance(value, str) and key in ("message", "stdout", "stderr"):
            assert contains(seen, value), case
        else:
            assert matches(value, seen), case


def assert_nothing_is_shown_of(words: tuple[str, ...], source: bytes, judgement: Judgement) -> None:
    """No word that is not the learner's own is in what they read."""
    shown = [judgement.compile.log]
    for case in judgement.cases:
        shown += [case.message, case.error_class, case.stdout, case.stderr]
    for word in words:
        if word.encode() not in source:
            assert all(word not in text for text in shown), (word, judgement)


def assert_next_honest_submission_is_accepted(grader: Grader, language: str) -> None:
    problem = read_problem("pair_sum")
    # One test case: it tells as much of what is left of the last submission as all of them.
    problem = replace(problem, cases=problem.cases[:1])
    judgement = grader.grade(problem, HONEST_SOURCES[language], language)
    assert judgement.verdict is Verdict.ACCEPTED, judgement


def matches(expected: object, seen: object) -> bool:
    return seen in expected if isinstance(expected, list) else seen == expected


def contains(text: str, part: str) -> bool:
    return part in text if part else text == ""
