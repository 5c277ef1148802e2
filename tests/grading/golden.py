"""Golden cases: a source, and the judgement that it must get.

Each folder of ``cases/`` holds ``solution.py``, ``solution.cpp`` or ``Solution.java``, byte for
byte what a learner sends, and ``expected.yaml``: the problem, the verdict and its reason (a list
where either may come), the earned points, the compile log, and what matters of single cases. Texts
are parts of what is reported, except that an empty text must be empty; a figure is given by
``at_least`` and ``at_most``. ``limits`` replaces limits of the problem, ``only`` names the cases
that are planned, ``tier_b`` holds what is expected instead where boxes have no namespaces, and
``slow`` keeps a folder out of the runs that are always made.

An attack on a box is written so that a hole shows as a failing test, and says so in its first line:
it returns the right value either only where every act was refused, or only where one worked.

One test file a language walks over the folders with the functions here. After each folder nothing
may be left: an honest submission is accepted with a small peak, and the grader has no process and
no descriptor more than before.
"""

import os
import secrets
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from _pytest.mark.structures import ParameterSet
from grading_packages import HONEST_SOURCES, read_problem
from judge_data import require
from processes import descendants

from judge.domain.problem import Problem
from judge.domain.submission import CaseResult, Judgement
from judge.domain.verdicts import Verdict
from judge.grading.pipeline import Grader
from judge.harness.languages import LANGUAGES, PYTHON

CASES = Path(__file__).parent / "cases"
ASKED_KEYS = {"problem", "limits", "only", "slow", "tier_b"}
KEYS = ASKED_KEYS | {"verdict", "reason", "earned", "log", "cases"}
CASE_KEYS = {
    "verdict",
    "reason",
    "message",
    "stdout",
    "stderr",
    "error_class",
    "error_line",
    "cpu_ms",
    "memory_kb",
}
# Kinds of which every folder is an attack or its honest neighbour: the catalogue lists each.
ATTACKS = frozenset(
    """assembles bomb cheat denied ends exit frame includes linker memory output pragma pragmas
    source state time""".split()  # noqa: SIM905 - as the folders are read
)
# Of the sum of two numbers. Of a program that exec started, the kernel reports at least what its
# starter held, and a virtual machine needs much for itself.
HONEST_PEAK_KB = {"python": 8 * 1024, "cpp": 16 * 1024, "java": 96 * 1024}
# Compiling takes most of the time of a compiled language's cases.
ONE_RUNS_ALWAYS_IN = {"python": 4, "cpp": 8, "java": 8}
# How long the last processes of a submission may take to be gone; mostly they are at once.
ENDING_S = 20.0
SETTLED_S = 0.5


def folders(language: str) -> list[Path]:
    """The folders whose source is of the language."""
    file_name = LANGUAGES[language].file_name
    return sorted(path.parent for path in CASES.glob(f"*/{file_name}"))


def kind_of(folder: Path, language: str) -> str:
    """The word of a folder's name that says what it is about."""
    words = folder.name.split("_")
    return words[0] if language == PYTHON else words[1]


def parameters(language: str) -> list[ParameterSet]:
    """The folders as parameters; some run only where slow tests do.

    Of each kind, the word of ``kind_of``, the first and one in so many after it run always. What
    takes long by itself says so in its folder.
    """
    seen: Counter[str] = Counter()
    made = []
    for folder in folders(language):
        is_slow = read_expected(folder).get("slow", False)
        if not is_slow:
            kind = kind_of(folder, language)
            is_slow = seen[kind] % ONE_RUNS_ALWAYS_IN[language] != 0
            seen[kind] += 1
        marks = [pytest.mark.slow] if is_slow else []
        made.append(pytest.param(folder, id=folder.name, marks=marks))
    return made


def read_expected(folder: Path) -> dict[str, Any]:
    """What a folder's ``expected.yaml`` says."""
    expected: dict[str, Any] = yaml.safe_load((folder / "expected.yaml").read_text())
    return expected


def judge_folder(grader: Grader, folder: Path, language: str) -> tuple[bytes, Judgement]:
    """Grade a folder's source and hold what comes of it against what must come of it."""
    require(grader, language)
    expected = read_expected(folder)
    source = (folder / LANGUAGES[language].file_name).read_bytes()
    problem = asked(expected)
    judgement = grader.grade(problem, source, language)
    if judgement.runner["tier"] == "B":
        expected |= expected.get("tier_b", {})
    assert_judgement(problem, judgement, expected)
    return source, judgement


def asked(expected: dict[str, Any]) -> Problem:
    """The problem with the limits and the cases that the folder asks for."""
    problem = read_problem(expected["problem"])
    only = expected.get("only", [case.id for case in problem.cases])
    return replace(
        problem,
        limits=replace(problem.limits, **expected.get("limits", {})),
        cases=tuple(case for case in problem.cases if case.id in only),
    )


def assert_judgement(problem: Problem, judgement: Judgement, expected: dict[str, Any]) -> None:
    assert set(expected) <= KEYS, expected
    assert set(expected.get("tier_b", {})) <= KEYS - ASKED_KEYS, expected
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
        if isinstance(value, dict):
            assert value.get("at_least", 0) <= seen <= value.get("at_most", seen), case
        elif isinstance(value, str) and key in ("message", "stdout", "stderr"):
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
    assert judgement.cases[0].memory_kb <= HONEST_PEAK_KB[language], judgement


def assert_nothing_is_left(grader: Grader, rest: tuple[int, int]) -> None:
    """The grader comes back to the processes and descriptors that it had at rest."""
    grader.rest()
    deadline_s = time.monotonic() + ENDING_S
    while not is_at_rest(held := what_is_held(), rest) and time.monotonic() < deadline_s:
        time.sleep(0.01)
    assert is_at_rest(held, rest), f"processes and descriptors: {rest} at rest, {held} afterwards"


def is_at_rest(held: tuple[int, int], rest: tuple[int, int]) -> bool:
    """A server that was replaced, and not used since, has a descriptor less."""
    return held[0] == rest[0] and held[1] <= rest[1]


def held_at_rest(grader: Grader) -> tuple[int, int]:
    """What is held once everything was used, and all that is started ahead of need is there."""
    for language, source in HONEST_SOURCES.items():
        if language in grader.languages():
            mark = "#" if language == PYTHON else "//"
            # Compiled now, not taken from what was compiled before.
            source += f"{mark} {secrets.token_hex(8)}\n".encode()
            grader.grade(read_problem("pair_sum"), source, language)
    grader.rest()
    held, since_s = what_is_held(), time.monotonic()
    while time.monotonic() - since_s < SETTLED_S:
        time.sleep(0.01)
        if what_is_held() != held:
            held, since_s = what_is_held(), time.monotonic()
    return held


def what_is_held() -> tuple[int, int]:
    """Processes below this one, and descriptors of this one.

    Without those of control groups, which are kept for as many boxes as were ever open at once.
    """
    targets = []
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the one of this listing
            targets.append(str(descriptor.readlink()))
    descriptors = [target for target in targets if not target.startswith("/sys/fs/cgroup/")]
    return len(descendants(os.getpid())), len(descriptors)


def matches(expected: object, seen: object) -> bool:
    return seen in expected if isinstance(expected, list) else seen == expected


def contains(text: str, part: str) -> bool:
    return part in text if part else text == ""
