"""Running the planned test cases, each in a fresh box, two at a time where there are two cores.

The plan is the problem's list of cases, made before anything ran. The first case over its time
limit ends the submission: in planned order, what follows it is listed as skipped, whether or not
it had run beside it.

Samples run to their end before the first hidden case begins. A learner reads what a sample prints,
and two boxes that run side by side share a machine: whatever channel is left between them must
not lead from a hidden input to an output that is shown.

Idling has a budget for the whole submission. A case that waits for nothing in particular is ended
after a while, and one that stays just below that in every case would hold a judge worker for
minutes: once the budget is spent, each further case may idle for a moment only.

CPU time judges, so a neighbour on the other core does not change a verdict. A case that ended by
itself over its limit is run again when nothing else of the submission runs, and the smallest time
counts; its answer and its output stay those of the first run, so that nobody gets a second guess.
A distribution that was rejected by chance, perhaps, is drawn anew then, too (judge.grading.draws).
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from judge.domain.problem import Problem, TestCase, Visibility
from judge.domain.submission import CaseResult
from judge.domain.values import Arguments
from judge.domain.verdicts import Verdict
from judge.grading.compare import Check, judge_case, skipped
from judge.grading.draws import FIRST, SECOND, Draws, is_doubtful, joined
from judge.grading.engines.engine import Lane
from judge.harness.replies import MAX_WORDS_BYTES, ReplyKind
from submissions_sandbox import CPU_KILL_FACTOR, Outcome, OutcomeKind, RunLimits

# So often the cases of one submission are measured again at most: each may take a whole time limit.
MOST_RERUNS = 3
MOST_RERUNS_OF_A_CASE = 2
# For so long the cases of one submission may idle in all, and each when that is spent.
IDLE_BUDGET_S = 10.0
LEAST_IDLE_S = 0.5
OnCase = Callable[[int], None]
OpenLane = Callable[[], AbstractContextManager[Lane]]


def stopped_at_load(
    problem: Problem, outcome: Outcome, cpu_limit_ms: int
) -> tuple[CaseResult, ...]:
    """Results of a source that ran into the time limit before any case: the first one bears it."""
    first, *others = problem.cases
    return (judge_case(problem, first, outcome, cpu_limit_ms), *map(skipped, others))


class CaseRunner:
    """Runs one program on one problem's cases in lanes that belong to this submission."""

    def __init__(
        self,
        problem: Problem,
        limits: RunLimits,
        *,
        stop_at_first_failure: bool = False,
        check_value: Check | None = None,
        draws: Draws | None = None,
    ) -> None:
        """``stop_at_first_failure`` treats any failed case as one over its time limit.

        ``check_value`` judges returned values in the place of the problem's checker; ``draws`` are
        a distribution's.
        """
        self._problem = problem
        self._check_value = check_value if draws is None else draws.check
        self._draws = draws
        self._reruns = 0
        self._stops_at_failure = stop_at_first_failure
        self._cpu_limit_ms = limits.cpu_ms
        self._idle_kill_s = limits.idle_kill_s

    def run(
        self,
        lanes: Sequence[Lane],
        on_case: OnCase,
        open_lane: OpenLane,
    ) -> tuple[CaseResult, ...]:
        """Results in planned order; ``on_case`` is told now and then which case is running.

        ``open_lane`` makes a lane for what is measured again: in a box that has run something, a
        program could find what its first run left for it, the next process id for one.

        Raises:
            SandboxError: the sandbox broke; nothing was learned about the source.
        """
        samples, hidden = _by_visibility(self._problem.cases)
        plan = _Plan(len(self._problem.cases), self._idle_kill_s)
        for indexes in (samples, hidden):
            plan.begin(indexes)
            self._run_side_by_side(lanes, plan, on_case)
        return self._judge(open_lane, plan.outcomes)

    def _run_side_by_side(self, lanes: Sequence[Lane], plan: "_Plan", on_case: OnCase) -> None:
        others = [
            threading.Thread(target=self._follow, args=(lane, plan, _ignore)) for lane in lanes[1:]
        ]
        for thread in others:
            thread.start()
        self._follow(lanes[0], plan, on_case)
        for thread in others:
            thread.join()
        if plan.fault is not None:
            raise plan.fault

    def _follow(self, run_case: Lane, plan: "_Plan", on_case: OnCase) -> None:
        """Take case after case until the plan is done, stopped or broken."""
        try:
            while (index := plan.take()) is not None:
                on_case(index)
                arguments = self._arguments(self._problem.cases[index], FIRST)
                outcome = run_case(arguments, plan.idle_kill_s)
                plan.put(index, outcome)
                if self._stops_at_failure and self._has_failed(index, outcome):
                    plan.stop()
        except Exception as error:
            plan.break_off(error)

    def _judge(
        self,
        open_lane: OpenLane,
        outcomes: Sequence[Outcome | None],
    ) -> tuple[CaseResult, ...]:
        results: list[CaseResult] = []
        ended, self._reruns = False, 0
        for case, outcome in zip(self._problem.cases, outcomes, strict=True):
            if ended or outcome is None:
                results.append(skipped(case))
                continue
            result = self._result(case, self._measured(open_lane, case, outcome, FIRST))
            if self._draws is not None and is_doubtful(result):
                result = joined(result, self._second_stage(open_lane, case))
            ended = result.verdict is Verdict.TIME_LIMIT_EXCEEDED or (
                self._stops_at_failure and result.verdict is not Verdict.ACCEPTED
            )
            results.append(result)
        return tuple(results)

    def _measured(self, open_lane: OpenLane, case: TestCase, first: Outcome, stage: int) -> Outcome:
        """The outcome; one that came late is measured again."""
        outcome, most = first, min(self._reruns + MOST_RERUNS_OF_A_CASE, MOST_RERUNS)
        while self._is_late(outcome) and self._reruns < most:
            self._reruns += 1
            again = self._run_alone(open_lane, case, stage)
            outcome = _with_smaller_time(first, outcome, again)
        return outcome

    def _second_stage(self, open_lane: OpenLane, case: TestCase) -> CaseResult:
        outcome = self._run_alone(open_lane, case, SECOND)
        return self._result(case, self._measured(open_lane, case, outcome, SECOND))

    def _run_alone(self, open_lane: OpenLane, case: TestCase, stage: int) -> Outcome:
        with open_lane() as run_case:
            return run_case(self._arguments(case, stage), self._idle_kill_s)

    def _arguments(self, case: TestCase, stage: int) -> Arguments:
        return case.arguments if self._draws is None else self._draws.arguments(case, stage)

    def _result(self, case: TestCase, outcome: Outcome) -> CaseResult:
        return judge_case(self._problem, case, outcome, self._cpu_limit_ms, self._check_value)

    def _has_failed(self, index: int, outcome: Outcome) -> bool:
        """Whether this case has failed for good: late is measured, doubtful drawn again first."""
        case = self._problem.cases[index]
        result = self._result(case, outcome)
        if result.verdict is Verdict.ACCEPTED or self._is_late(outcome):
            return False
        return self._draws is None or not is_doubtful(result)

    def _is_late(self, outcome: Outcome) -> bool:
        """Whether it came to its own end, yet over the limit: before it would have been killed."""
        return outcome.kind is OutcomeKind.EXITED and outcome.cpu_ms > self._cpu_limit_ms


class _Plan:
    """Which case comes next, and what came of each; shared by the lanes of one submission."""

    def __init__(self, planned: int, idle_kill_s: float) -> None:
        self.outcomes: list[Outcome | None] = [None] * planned
        self._most_idle_s = idle_kill_s
        self._idle_left_s = IDLE_BUDGET_S
        self.fault: Exception | None = None
        self._waiting: Iterator[int] = iter(())
        self._stopped = False
        self._lock = threading.Lock()

    def begin(self, indexes: Sequence[int]) -> None:
        """Hand out these cases from now on, in order."""
        self._waiting = iter(indexes)

    def take(self) -> int | None:
        """The next index to run, in order."""
        with self._lock:
            return None if self._stopped else next(self._waiting, None)

    @property
    def idle_kill_s(self) -> float:
        """For how long the next case may idle."""
        return min(self._most_idle_s, max(LEAST_IDLE_S, self._idle_left_s))

    def put(self, index: int, outcome: Outcome) -> None:
        """Keep an outcome; a case that was killed for time ends the plan."""
        self.outcomes[index] = _without_bloat(outcome)
        # Waiting for a core is in this figure; whoever is ended for idling has that taken out.
        self._idle_left_s -= max(0.0, outcome.wall_ms - outcome.cpu_ms) / 1000
        if outcome.kind is OutcomeKind.TIME:
            self.stop()

    def stop(self) -> None:
        """Hand out nothing more; what is running comes to its end."""
        self._stopped = True

    def break_off(self, error: Exception) -> None:
        """Stop every lane; the first fault is kept."""
        with self._lock:
            self._stopped = True
            self.fault = self.fault or error


def _ignore(index: int) -> None:
    """Only the first lane reports progress."""


def _by_visibility(cases: Sequence[TestCase]) -> tuple[list[int], list[int]]:
    """Indexes of samples and of hidden cases."""
    is_sample = [case.visibility is Visibility.SAMPLE for case in cases]
    samples = [index for index, sample in enumerate(is_sample) if sample]
    return samples, [index for index, sample in enumerate(is_sample) if not sample]


def _without_bloat(outcome: Outcome) -> Outcome:
    """The outcome; of a result that is no value, not more than a driver writes."""
    if outcome.result[:1] == ReplyKind.VALUE.encode() or len(outcome.result) <= MAX_WORDS_BYTES:
        return outcome
    return replace(outcome, result=outcome.result[: MAX_WORDS_BYTES + 1])


def _with_smaller_time(first: Outcome, before: Outcome, again: Outcome) -> Outcome:
    """``before`` with the CPU time of ``again``, if that did the same as the first and was shorter.

    A program that notices that it is measured again, and leaves, has not done the same.
    """
    ending = (again.kind, again.exit_code, again.result)
    if ending != (first.kind, first.exit_code, first.result) or again.cpu_ms >= before.cpu_ms:
        return before
    # No machine is that unsteady: what is shorter by more has not done the same work.
    cpu_ms = max(again.cpu_ms, first.cpu_ms / CPU_KILL_FACTOR)
    return replace(before, cpu_ms=cpu_ms, wall_ms=max(again.wall_ms, cpu_ms))
