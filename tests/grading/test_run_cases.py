"""Order, time limits and repetition of cases, with boxes that answer by script."""

import threading
from collections.abc import Callable
from typing import cast

import pytest
from grading_packages import read_problem

from judge.domain.problem import Visibility
from judge.domain.submission import CaseResult
from judge.domain.verdicts import Reason, Verdict
from judge.grading.run_cases import CaseRunner
from judge.harness import python, wire
from submissions_sandbox import Box, Outcome, OutcomeKind, RunLimits, SandboxError

PROBLEM = read_problem("pair_sum")
LIMITS = RunLimits(cpu_ms=500)
AC, TLE, SKIPPED = Verdict.ACCEPTED, Verdict.TIME_LIMIT_EXCEEDED, Verdict.SKIPPED
CALLS = [python.call_request(PROBLEM.signature, "", case.arguments) for case in PROBLEM.cases]
Answer = Callable[[int], Outcome]


class ScriptedBox:
    """Answers the nth run of a case by script; without one, rightly and at once."""

    def __init__(self, script: dict[tuple[int, int], Answer] | None = None) -> None:
        self.script = script or {}
        self.ran: list[int] = []

    def run(self, request: bytes, limits: RunLimits) -> Outcome:
        index = CALLS.index(request)
        self.ran.append(index)
        return self.script.get((index, self.ran.count(index)), right(1.0))(index)


def right(cpu_ms: float) -> Answer:
    """The right value after some CPU time."""

    def answer(index: int) -> Outcome:
        value = wire.encode(PROBLEM.signature.returns, PROBLEM.cases[index].expected)
        return Outcome(OutcomeKind.EXITED, exit_code=0, cpu_ms=cpu_ms, result=b"V" + value)

    return answer


def killed(detail: str = "cpu") -> Answer:
    return lambda _: Outcome(OutcomeKind.TIME, detail, signal=9, cpu_ms=600.0)


def judged(*boxes: ScriptedBox) -> tuple[CaseResult, ...]:
    runner = CaseRunner(PROBLEM, "", LIMITS)
    return runner.run([cast(Box, box) for box in boxes], lambda _: None)


def verdicts(results: tuple[CaseResult, ...]) -> list[Verdict]:
    return [result.verdict for result in results]


def test_cases_run_once_and_in_order() -> None:
    box = ScriptedBox()
    assert verdicts(judged(box)) == [AC] * 6
    assert box.ran == [0, 1, 2, 3, 4, 5]


def test_two_boxes_share_the_cases() -> None:
    boxes = ScriptedBox(), ScriptedBox()
    results = judged(*boxes)
    assert [result.id for result in results] == [case.id for case in PROBLEM.cases]
    assert sorted(boxes[0].ran + boxes[1].ran) == [0, 1, 2, 3, 4, 5]


def test_after_a_case_that_was_killed_for_time_nothing_runs() -> None:
    box = ScriptedBox({(2, 1): killed()})
    results = judged(box)
    assert verdicts(results) == [AC, AC, TLE, SKIPPED, SKIPPED, SKIPPED]
    assert {result.reason for result in results[3:]} == {Reason.AFTER_TIME_LIMIT}
    assert box.ran == [0, 1, 2]


def test_a_case_that_ran_beside_it_is_skipped_all_the_same() -> None:
    turn = threading.Barrier(2, timeout=60)

    class Late(ScriptedBox):
        """Ends its first case for time, but only when the other box has one too."""

        def run(self, request: bytes, limits: RunLimits) -> Outcome:
            outcome = super().run(request, limits)
            if len(self.ran) > 1:
                return outcome
            turn.wait()
            return killed()(0) if CALLS.index(request) == 0 else outcome

    boxes = Late(), Late()
    assert verdicts(judged(*boxes)) == [TLE] + [SKIPPED] * 5
    assert 1 in boxes[0].ran + boxes[1].ran


@pytest.mark.parametrize(
    ("first_ms", "second", "verdict", "counted_ms"),
    [
        (499.0, None, AC, 499),
        (550.0, right(480.0), AC, 480),
        (550.0, right(520.0), TLE, 520),
        (550.0, right(590.0), TLE, 550),
        (550.0, killed(), TLE, 550),
        (601.0, None, TLE, 601),
    ],
)
def test_a_time_a_little_over_its_limit_is_measured_again_and_the_smaller_counts(
    first_ms: float, second: Answer | None, verdict: Verdict, counted_ms: int
) -> None:
    script: dict[tuple[int, int], Answer] = {(1, 1): right(first_ms)}
    if second is not None:
        script[1, 2] = second
    box = ScriptedBox(script)
    result = judged(box)[1]
    assert (result.verdict, result.cpu_ms) == (verdict, counted_ms)
    assert box.ran.count(1) == (1 if second is None else 2)


def test_a_case_that_was_killed_is_not_measured_again() -> None:
    box = ScriptedBox({(0, 1): killed()})
    judged(box)
    assert box.ran == [0]


@pytest.mark.parametrize("error", [SandboxError("gone"), RuntimeError("a bug of ours")])
@pytest.mark.parametrize("other", [False, True], ids=["own lane", "other lane"])
def test_a_fault_in_a_lane_reaches_the_caller(error: Exception, other: bool) -> None:
    broken = threading.Event()

    class Broken(ScriptedBox):
        def run(self, request: bytes, limits: RunLimits) -> Outcome:
            broken.set()
            raise error

    class Waiting(ScriptedBox):
        """Has a case in hand until the other box broke, so that both get one."""

        def run(self, request: bytes, limits: RunLimits) -> Outcome:
            assert broken.wait(60)
            return super().run(request, limits)

    boxes = (Waiting(), Broken()) if other else (Broken(), Waiting())
    with pytest.raises(type(error), match=str(error)):
        judged(*boxes)


def test_a_second_run_corrects_the_time_but_not_the_answer() -> None:
    def wrong(index: int) -> Outcome:
        value = wire.encode(PROBLEM.signature.returns, 10**6)
        printed = b"first run"
        return Outcome(
            OutcomeKind.EXITED, exit_code=0, cpu_ms=550.0, result=b"V" + value, stdout=printed
        )

    box = ScriptedBox({(1, 1): wrong, (1, 2): right(400.0)})
    result = judged(box)[1]
    assert (result.verdict, result.cpu_ms) == (Verdict.WRONG_ANSWER, 400)
    assert result.stdout == "first run"


def test_only_a_few_cases_of_a_submission_are_measured_again() -> None:
    late = {(index, 1): right(550.0) for index in range(6)}
    quick = {(index, 2): right(450.0) for index in range(6)}
    box = ScriptedBox(late | quick)
    assert verdicts(judged(box)) == [AC, AC, AC, TLE, SKIPPED, SKIPPED]


def test_samples_end_before_a_hidden_case_begins() -> None:
    samples = {i for i, case in enumerate(PROBLEM.cases) if case.visibility is Visibility.SAMPLE}
    running: set[int] = set()
    lock = threading.Lock()

    class Watching(ScriptedBox):
        """Notes what runs at the same time as what."""

        def run(self, request: bytes, limits: RunLimits) -> Outcome:
            index = CALLS.index(request)
            with lock:
                running.add(index)
                mixed = bool(running & samples) and bool(running - samples)
            assert not mixed
            outcome = super().run(request, limits)
            with lock:
                running.discard(index)
            return outcome

    assert samples
    assert verdicts(judged(Watching(), Watching())) == [AC] * 6
