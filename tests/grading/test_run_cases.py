"""Order, time limits and repetition of cases, with lanes that answer by script."""

import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

import pytest
from grading_packages import read_problem

from judge.domain.problem import Visibility
from judge.domain.submission import CaseResult
from judge.domain.values import Arguments
from judge.domain.verdicts import Reason, Verdict
from judge.grading.run_cases import IDLE_BUDGET_S, LEAST_IDLE_S, CaseRunner
from judge.harness import wire
from submissions_sandbox import CPU_KILL_FACTOR, Outcome, OutcomeKind, RunLimits, SandboxError

PROBLEM = read_problem("pair_sum")
LIMITS = RunLimits(cpu_ms=500)
AC, TLE, SKIPPED = Verdict.ACCEPTED, Verdict.TIME_LIMIT_EXCEEDED, Verdict.SKIPPED
CALLS = [case.arguments for case in PROBLEM.cases]
Answer = Callable[[int], Outcome]


class ScriptedLane:
    """Answers the nth run of a case by script; without one, rightly and at once."""

    def __init__(self, script: dict[tuple[int, int], Answer] | None = None) -> None:
        self.script = script or {}
        self.ran: list[int] = []
        self.may_idle_s: list[float] = []

    def __call__(self, arguments: Arguments, idle_kill_s: float) -> Outcome:
        index = CALLS.index(arguments)
        self.ran.append(index)
        self.may_idle_s.append(idle_kill_s)
        return self.script.get((index, self.ran.count(index)), right(1.0))(index)


def right(cpu_ms: float) -> Answer:
    """The right value after some CPU time."""

    def answer(index: int) -> Outcome:
        value = wire.encode(PROBLEM.signature.returns, PROBLEM.cases[index].expected)
        return Outcome(OutcomeKind.EXITED, exit_code=0, cpu_ms=cpu_ms, result=b"V" + value)

    return answer


def killed(detail: str = "cpu") -> Answer:
    return lambda _: Outcome(OutcomeKind.TIME, detail, signal=9, cpu_ms=800.0)


def judged(*lanes: ScriptedLane) -> tuple[CaseResult, ...]:
    return CaseRunner(PROBLEM, LIMITS).run(lanes, lambda _: None, lambda: nullcontext(lanes[0]))


def verdicts(results: tuple[CaseResult, ...]) -> list[Verdict]:
    return [result.verdict for result in results]


def test_cases_run_once_and_in_order() -> None:
    lane = ScriptedLane()
    assert verdicts(judged(lane)) == [AC] * 6
    assert lane.ran == [0, 1, 2, 3, 4, 5]


def test_two_boxes_share_the_cases() -> None:
    lanes = ScriptedLane(), ScriptedLane()
    results = judged(*lanes)
    assert [result.id for result in results] == [case.id for case in PROBLEM.cases]
    assert sorted(lanes[0].ran + lanes[1].ran) == [0, 1, 2, 3, 4, 5]


def test_after_a_case_that_was_killed_for_time_nothing_runs() -> None:
    lane = ScriptedLane({(2, 1): killed()})
    results = judged(lane)
    assert verdicts(results) == [AC, AC, TLE, SKIPPED, SKIPPED, SKIPPED]
    assert {result.reason for result in results[3:]} == {Reason.AFTER_TIME_LIMIT}
    assert lane.ran == [0, 1, 2]


def test_a_case_that_ran_beside_it_is_skipped_all_the_same() -> None:
    turn = threading.Barrier(2, timeout=60)

    class Late(ScriptedLane):
        """Ends its first case for time, but only when the other lane has one too."""

        def __call__(self, arguments: Arguments, idle_kill_s: float) -> Outcome:
            outcome = super().__call__(arguments, idle_kill_s)
            if len(self.ran) > 1:
                return outcome
            turn.wait()
            return killed()(0) if CALLS.index(arguments) == 0 else outcome

    lanes = Late(), Late()
    assert verdicts(judged(*lanes)) == [TLE] + [SKIPPED] * 5
    assert 1 in lanes[0].ran + lanes[1].ran


@pytest.mark.parametrize(
    ("answers", "verdict", "counted_ms"),
    [
        ([right(499.0)], AC, 499),
        ([right(550.0), right(480.0)], AC, 480),
        ([right(790.0), right(520.0), right(495.0)], AC, 495),
        ([right(700.0), killed(), right(499.0)], AC, 499),
        ([right(550.0), right(520.0), right(530.0)], TLE, 520),
        ([right(550.0), right(590.0), right(560.0)], TLE, 550),
        ([right(550.0), killed(), killed()], TLE, 550),
    ],
)
def test_a_time_over_its_limit_is_measured_twice_again_and_the_smallest_counts(
    answers: list[Answer], verdict: Verdict, counted_ms: int
) -> None:
    lane = ScriptedLane({(1, number): answer for number, answer in enumerate(answers, 1)})
    result = judged(lane)[1]
    assert (result.verdict, result.cpu_ms) == (verdict, counted_ms)
    assert lane.ran.count(1) == len(answers)


def test_a_case_that_was_killed_is_not_measured_again() -> None:
    lane = ScriptedLane({(0, 1): killed()})
    judged(lane)
    assert lane.ran == [0]


@pytest.mark.parametrize("error", [SandboxError("gone"), RuntimeError("a bug of ours")])
@pytest.mark.parametrize("other", [False, True], ids=["own lane", "other lane"])
def test_a_fault_in_a_lane_reaches_the_caller(error: Exception, other: bool) -> None:
    broken = threading.Event()

    class Broken(ScriptedLane):
        def __call__(self, arguments: Arguments, idle_kill_s: float) -> Outcome:
            broken.set()
            raise error

    class Waiting(ScriptedLane):
        """Has a case in hand until the other lane broke, so that both get one."""

        def __call__(self, arguments: Arguments, idle_kill_s: float) -> Outcome:
            assert broken.wait(60)
            return super().__call__(arguments, idle_kill_s)

    lanes = (Waiting(), Broken()) if other else (Broken(), Waiting())
    with pytest.raises(type(error), match=str(error)):
        judged(*lanes)


def test_a_second_run_corrects_the_time_but_not_the_answer() -> None:
    def wrong(index: int, cpu_ms: float = 550.0, printed: bytes = b"first run") -> Outcome:
        value = wire.encode(PROBLEM.signature.returns, 10**6)
        return Outcome(
            OutcomeKind.EXITED, exit_code=0, cpu_ms=cpu_ms, result=b"V" + value, stdout=printed
        )

    lane = ScriptedLane({(1, 1): wrong, (1, 2): lambda index: wrong(index, 480.0, b"second")})
    result = judged(lane)[1]
    assert (result.verdict, result.cpu_ms) == (Verdict.WRONG_ANSWER, 480)
    assert result.stdout == "first run"


@pytest.mark.parametrize("left", [{"result": b""}, {"exit_code": 3}, {"result": b"VX"}])
def test_a_second_run_that_does_something_else_corrects_nothing(left: dict[str, object]) -> None:
    """A program may notice that it is measured again, and leave at once."""

    def leaves(index: int) -> Outcome:
        return replace(right(3.0)(index), **left)  # type: ignore[arg-type]

    lane = ScriptedLane({(1, 1): right(550.0), (1, 2): leaves, (1, 3): leaves})
    result = judged(lane)[1]
    assert (result.verdict, result.cpu_ms) == (TLE, 550)


def test_of_a_result_that_is_no_value_little_is_kept() -> None:
    def bloated(index: int) -> Outcome:
        return replace(right(1.0)(index), result=b"R" + b"[" * (8 << 20))

    result = judged(ScriptedLane({(0, 1): bloated}))[0]
    assert (result.verdict, result.reason) == (Verdict.RUNTIME_ERROR, Reason.BAD_RESULT)


def test_only_a_few_cases_of_a_submission_are_measured_again() -> None:
    late = {(index, 1): right(550.0) for index in range(6)}
    quick = {(index, 2): right(450.0) for index in range(6)}
    lane = ScriptedLane(late | quick)
    assert verdicts(judged(lane)) == [AC, AC, AC, TLE, SKIPPED, SKIPPED]


def test_samples_end_before_a_hidden_case_begins() -> None:
    samples = {i for i, case in enumerate(PROBLEM.cases) if case.visibility is Visibility.SAMPLE}
    running: set[int] = set()
    lock = threading.Lock()

    class Watching(ScriptedLane):
        """Notes what runs at the same time as what."""

        def __call__(self, arguments: Arguments, idle_kill_s: float) -> Outcome:
            index = CALLS.index(arguments)
            with lock:
                running.add(index)
                mixed = bool(running & samples) and bool(running - samples)
            assert not mixed
            outcome = super().__call__(arguments, idle_kill_s)
            with lock:
                running.discard(index)
            return outcome

    assert samples
    assert verdicts(judged(Watching(), Watching())) == [AC] * 6


def test_idling_has_a_budget_for_the_whole_submission() -> None:
    """One that waits in every case, a little shorter than each may, gets less and less time."""

    def waits(index: int) -> Outcome:
        return replace(right(1.0)(index), wall_ms=2400.0)

    lane = ScriptedLane({(index, 1): waits for index in range(6)})
    judged(lane)
    allowed = LIMITS.idle_kill_s
    assert lane.may_idle_s[:4] == [allowed] * 4
    assert lane.may_idle_s[4:] == [pytest.approx(LEAST_IDLE_S), pytest.approx(LEAST_IDLE_S)]
    assert 5 * allowed > IDLE_BUDGET_S


def test_a_program_that_works_has_all_the_time_of_its_limit() -> None:
    lane = ScriptedLane(
        {(index, 1): lambda i: replace(right(2400.0)(i), wall_ms=2400.0) for index in range(6)}
    )
    judged(lane)
    assert set(lane.may_idle_s) == {LIMITS.idle_kill_s}


def test_what_is_measured_again_runs_in_a_box_of_its_own() -> None:
    """In its old one a program could find what its first run left, the next process id for one."""
    old, fresh = ScriptedLane({(1, 1): right(550.0)}), ScriptedLane({(1, 1): right(480.0)})
    results = CaseRunner(PROBLEM, LIMITS).run([old], lambda _: None, lambda: nullcontext(fresh))
    assert (results[1].verdict, results[1].cpu_ms) == (AC, 480)
    assert (old.ran, fresh.ran) == ([0, 1, 2, 3, 4, 5], [1])


def test_a_second_run_that_is_much_shorter_has_not_done_the_same_work() -> None:
    results = judged(ScriptedLane({(1, 1): right(590.0), (1, 2): right(2.0)}))
    assert (results[1].verdict, results[1].cpu_ms) == (AC, round(590.0 / CPU_KILL_FACTOR))


def judged_to_the_first_failure(*lanes: ScriptedLane) -> tuple[CaseResult, ...]:
    runner = CaseRunner(PROBLEM, LIMITS, stop_at_first_failure=True)
    return runner.run(lanes, lambda _: None, lambda: nullcontext(lanes[0]))


def fails(index: int) -> Outcome:
    return Outcome(OutcomeKind.SIGNALLED, signal=11, cpu_ms=1.0)


def test_nothing_runs_after_the_first_failure_where_only_that_is_asked_for() -> None:
    lane = ScriptedLane({(2, 1): fails, (3, 1): fails})
    results = judged_to_the_first_failure(lane)
    assert verdicts(results) == [AC, AC, Verdict.RUNTIME_ERROR, SKIPPED, SKIPPED, SKIPPED]
    assert lane.ran == [0, 1, 2]


def test_without_a_failure_every_case_runs() -> None:
    assert verdicts(judged_to_the_first_failure(ScriptedLane())) == [AC] * 6


def test_the_first_failure_is_the_same_whichever_lane_met_one_first() -> None:
    turn = threading.Barrier(2, timeout=60)

    class Together(ScriptedLane):
        """The first cases of both lanes run side by side, and both fail."""

        def __call__(self, arguments: Arguments, idle_kill_s: float) -> Outcome:
            turn.wait()
            return super().__call__(arguments, idle_kill_s)

    script = {(0, 1): fails, (1, 1): fails}
    results = judged_to_the_first_failure(Together(script), Together(script))
    assert verdicts(results) == [Verdict.RUNTIME_ERROR] + [SKIPPED] * 5


def test_what_is_late_is_measured_again_before_it_counts_as_a_failure() -> None:
    lane = ScriptedLane({(1, 1): right(550.0), (1, 2): right(480.0)})
    assert verdicts(judged_to_the_first_failure(lane)) == [AC] * 6
