"""The grader: compile, run every planned case, compare, score.

What goes into a box is the learner's source and one case's arguments. Everything else stays on
this side: expected values, the other cases, the checker, the plan.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType

from judge.domain.problem import Mode, Problem
from judge.domain.scoring import Score, score
from judge.domain.signatures import Signature
from judge.domain.submission import CaseResult, CompileResult, Judgement
from judge.domain.verdicts import Reason, Verdict, fold
from judge.errors import JudgeBroken
from judge.grading import custom, stdio
from judge.grading.boxes import Boxes, run_limits
from judge.grading.compare import Check
from judge.grading.draws import draws_of
from judge.grading.engines import python_engine
from judge.grading.machine import Machine
from judge.grading.run_cases import CaseRunner, stopped_at_load
from judge.grading.source import read_source
from judge.grading.tools import RUN_BUDGET_S, RUN_LIMITS, Tools
from judge.harness.languages import LANGUAGES
from submissions_sandbox import ALL_TIERS, Outcome, SandboxError, Tier

OnStage = Callable[[str, int, int], None]
_TRIES = 2
# Opening a second lane costs about as much as one case.
_CASES_WORTH_A_LANE = 4


def _tell_running(on_stage: OnStage, planned: int, done: int) -> None:
    on_stage("running", done, planned)


def no_stage(stage: str, done: int, planned: int) -> None:
    """For callers that do not follow the stages."""


class Grader:
    """Grades submissions one at a time. Use as a context manager; not thread-safe."""

    def __init__(
        self,
        languages: tuple[str, ...] | None = None,
        *,
        data_dir: Path,
        tiers: Sequence[Tier] = ALL_TIERS,
    ) -> None:
        """``languages`` are by default all that this machine has a toolchain for.

        What is prepared once a toolchain, and programs that were compiled before, are kept below
        ``data_dir``, which must be nobody's but the judge's. ``tiers`` are those of the sandbox
        that are good enough.
        """
        self._machine = Machine(languages, data_dir / "cache", tiers=tiers)

    def __enter__(self) -> "Grader":
        """Start the sandboxes.

        Raises:
            JudgeBroken: this machine cannot isolate, or lacks what a named language needs; the
                message says what to do.
        """
        self._machine.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._machine.stop()

    @property
    def boxes(self) -> Boxes:
        """The boxes behind this grader, for the package's own tools."""
        return self._machine.boxes

    def describe(self) -> dict[str, str]:
        """Tier, layers and ``fix`` of the sandbox, and the versions of all that judges here."""
        described = self._machine.sandbox_facts() | {"fix": self._machine.way_to_tier_a()}
        for versions in self.languages().values():
            described |= versions
        return described

    def languages(self) -> dict[str, dict[str, str]]:
        """The languages that are judged here, with the versions of what judges them."""
        return {language: self._machine.versions(language) for language in self._machine.engines}

    def missing(self) -> dict[str, str]:
        """The languages that this machine lacks, with the line that would install them."""
        return dict(self._machine.missing)

    def open_check(self, problem: Problem, budget_s: float) -> AbstractContextManager[Check | None]:
        """A problem's custom checker, as its submissions meet it; None where it has none.

        ``budget_s``: for all that it is asked.

        Raises:
            CheckerBroken: on entering: the package's own checker cannot be made.
        """
        return custom.open_check(problem, self._machine, budget_s)

    @contextmanager
    def open_tools(self, signature: Signature) -> Iterator[Tools]:
        """A package's own programs, for the input of a run: in boxes of their own, for seconds.

        Raises:
            JudgeBroken: the sandbox does not start.
        """
        with self.boxes.open(python_engine.KIND) as box:
            yield Tools(box, signature, limits=RUN_LIMITS, budget_s=RUN_BUDGET_S)

    def rest(self) -> None:
        """Nothing is being graded now: make ready what the next submission will need.

        Raises:
            JudgeBroken: the sandbox broke.
        """
        try:
            self._machine.rest()
        except SandboxError as error:
            raise JudgeBroken(f"the sandbox broke at rest: {error}") from error

    def grade(
        self,
        problem: Problem,
        source: bytes,
        language: str,
        on_stage: OnStage = no_stage,
        *,
        stop_at_first_failure: bool = False,
    ) -> Judgement:
        """Grade one source.

        ``on_stage`` is called with ``compiling`` or ``running``, how many cases are done, and how
        many are planned. With ``stop_at_first_failure`` all cases after the first that fails are
        listed as skipped: for who asks only whether a source is right.

        Raises:
            JudgeBroken: the judge's own fault; it says nothing about the source.
        """
        if language not in self._machine.engines:
            raise JudgeBroken(f"no toolchain for {language} is at work here")
        text = read_source(source, LANGUAGES[language].file_name)
        if isinstance(text, CompileResult):
            return self._not_compiled(problem, language, text)
        fault: SandboxError | None = None
        for _ in range(_TRIES):
            try:
                return self._grade_text(
                    problem, text, language, on_stage, stop_at_first_failure=stop_at_first_failure
                )
            except SandboxError as error:
                fault = error
                self._machine.restart()
        raise JudgeBroken(f"the sandbox broke twice: {fault}") from fault

    def _grade_text(
        self,
        problem: Problem,
        text: str,
        language: str,
        on_stage: OnStage,
        *,
        stop_at_first_failure: bool,
    ) -> Judgement:
        planned = len(problem.cases)
        draws = draws_of(problem)
        problem = problem if draws is None else draws.problem
        limits = run_limits(problem.limits, problem.time_factors.get(language, 1.0))
        shown_bytes = limits.stdout_bytes
        if problem.mode is Mode.STDIO:
            limits = stdio.with_room(limits)
        engine = self._machine.engines[language]
        if LANGUAGES[language].is_compiled:
            on_stage("compiling", 0, planned)
        compiled = engine.compile(problem.signature, text, limits)
        if isinstance(compiled, CompileResult):
            return self._not_compiled(problem, language, compiled)
        if isinstance(compiled, Outcome):
            return self._judge(problem, language, stopped_at_load(problem, compiled, limits.cpu_ms))
        with ExitStack() as stack:
            open_lane = stack.enter_context(compiled).open_lane
            if problem.mode is Mode.STDIO:
                open_lane = partial(stdio.open_lane, open_lane, shown_bytes)
            lanes = [stack.enter_context(open_lane())]
            if planned >= _CASES_WORTH_A_LANE and len(os.sched_getaffinity(0)) > 1:
                lanes.append(stack.enter_context(open_lane()))
            runner = CaseRunner(
                problem,
                limits,
                stop_at_first_failure=stop_at_first_failure,
                check_value=stack.enter_context(custom.open_check(problem, self._machine)),
                draws=draws,
            )
            on_case = partial(_tell_running, on_stage, planned)
            cases = runner.run(lanes, on_case, open_lane)
        return self._judge(problem, language, cases)

    def _judge(self, problem: Problem, language: str, cases: tuple[CaseResult, ...]) -> Judgement:
        verdict = fold(len(problem.cases), [case.verdict for case in cases])
        if verdict is Verdict.INTERNAL_ERROR:
            raise JudgeBroken("the cases that ran are not the cases that were planned")
        failed = [case for case in cases if case.verdict is not Verdict.ACCEPTED]
        return Judgement(
            verdict=verdict,
            reason=failed[0].reason if failed else Reason.NONE,
            score=score(problem.groups, problem.cases, {c.id: c.verdict for c in cases}),
            compile=CompileResult(ok=True),
            cases=cases,
            runner=self._runner(language),
        )

    def _not_compiled(self, problem: Problem, language: str, compiled: CompileResult) -> Judgement:
        return Judgement(
            verdict=Verdict.COMPILE_ERROR,
            reason=compiled.reason,
            score=Score(0, sum(group.max_score for group in problem.groups)),
            compile=compiled,
            cases=(),
            runner=self._runner(language),
        )

    def _runner(self, language: str) -> dict[str, str]:
        return self._machine.sandbox_facts() | self._machine.versions(language)
