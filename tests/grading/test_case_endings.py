"""Ends of a run that need a second look: what the learner is told of them, in every language."""

from collections.abc import Iterator

import pytest
from grading_packages import read_problem, start_grader

from judge.domain.submission import CaseResult
from judge.domain.verdicts import Reason, Verdict
from judge.grading import machine
from judge.grading.compare import judge_case
from judge.grading.pipeline import Grader
from judge.i18n import LOCALES, reason_title
from submissions_sandbox import ALL_TIERS, Lacking, Outcome, OutcomeKind, Tier

PROBLEM = read_problem("pair_sum")
NOT_CAUGHT = b"some words terminate called after throwing an instance of 'std::%s'\n"
BAD_ALLOC = NOT_CAUGHT % b"bad_alloc"
ABORT, KILL, SEGFAULT = 6, 9, 11
MANY_THREADS = b"""
import threading

def pair_sum(a, b):
    stop = threading.Event()
    threading.stack_size(65536)
    for _ in range(300):
        threading.Thread(target=stop.wait, daemon=True).start()
    stop.wait()
"""


def signalled(number: int, stderr: bytes = b"", detail: str = "") -> CaseResult:
    outcome = Outcome(OutcomeKind.SIGNALLED, detail, signal=number, stderr=stderr)
    return judge_case(PROBLEM, PROBLEM.cases[0], outcome, 1000)


def test_too_many_threads_are_told_as_that_and_not_as_the_signal_that_ended_them() -> None:
    result = signalled(KILL, detail="threads")
    assert (result.verdict, result.reason) == (Verdict.RUNTIME_ERROR, Reason.THREADS)
    assert "more threads or processes than are allowed" in result.message
    assert "SIGKILL" not in result.message


@pytest.mark.parametrize("locale", LOCALES)
def test_its_title_is_of_its_own_in_every_locale(locale: str) -> None:
    titles = {reason_title(reason, locale) for reason in (Reason.THREADS, Reason.SIGNAL)}
    assert len(titles) == 2


@pytest.mark.parametrize("name", [b"bad_alloc", b"bad_array_new_length"])
def test_an_allocation_that_fails_where_nothing_catches_is_out_of_memory(name: bytes) -> None:
    result = signalled(ABORT, NOT_CAUGHT % name)
    assert (result.verdict, result.reason) == (Verdict.MEMORY_LIMIT_EXCEEDED, Reason.MEMORY)
    assert "bad" in result.stderr


@pytest.mark.parametrize(
    ("number", "stderr"),
    [(ABORT, b""), (ABORT, NOT_CAUGHT % b"runtime_error"), (SEGFAULT, BAD_ALLOC)],
)
def test_any_other_end_by_a_signal_stays_one(number: int, stderr: bytes) -> None:
    result = signalled(number, stderr)
    assert (result.verdict, result.reason) == (Verdict.RUNTIME_ERROR, Reason.SIGNAL)


@pytest.fixture(params=ALL_TIERS)
def groupless(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Grader]:
    """A grader on a machine without control groups: the supervisor counts threads there."""
    monkeypatch.setattr(machine.Groups, "find", lambda: Lacking("none here", ""))
    tier: Tier = request.param
    grader = start_grader(("python",), tiers=(tier,))
    yield grader
    grader.__exit__(None, None, None)


def test_a_program_with_too_many_threads_is_told_so(groupless: Grader) -> None:
    judgement = groupless.grade(PROBLEM, MANY_THREADS, "python")
    assert (judgement.verdict, judgement.reason) == (Verdict.RUNTIME_ERROR, Reason.THREADS)
