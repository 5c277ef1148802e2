"""The grader: compile, run every planned case, compare, score.

What goes into a box is the learner's source and one case's arguments. Everything else stays on
this side: expected values, the other cases, the checker, the plan.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType

from judge.domain.problem import Problem
from judge.domain.scoring import Score, score
from judge.domain.submission import CaseResult, CompileResult, Judgement
from judge.domain.verdicts import Reason, Verdict, fold
from judge.errors import JudgeBroken
from judge.grading.boxes import Boxes, run_limits
from judge.grading.compile import compile_python
from judge.grading.run_cases import CaseRunner, stopped_at_load
from judge.grading.source import read_source
from judge.harness.languages import LANGUAGES, PYTHON
from submissions_sandbox import Outcome, SandboxError, SandboxUnavailable

OnStage = Callable[[str, int, int], None]
_TRIES = 2
# Opening a second box costs about as much as one case.
_CASES_WORTH_A_BOX = 4


def no_stage(stage: str, done: int, planned: int) -> None:
    """For callers that do not follow the stages."""


class Grader:
    """Grades submissions one at a time. Use as a context manager; not thread-safe."""

    def __init__(self, languages: tuple[str, ...] = (PYTHON,)) -> None:
        self._boxes = Boxes(languages)

    def __enter__(self) -> "Grader":
        """Start the sandboxes.

        Raises:
            JudgeBroken: this machine cannot isolate; the message says what to do.
        """
        try:
            self._boxes.__enter__()
        except SandboxUnavailable as error:
            raise JudgeBroken(str(error)) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._boxes.restart()

    @property
    def boxes(self) -> Boxes:
        """The boxes behind this grader, for the package's own tools."""
        return self._boxes

    def describe(self) -> dict[str, str]:
        """Tier, layers and versions that every judgement records."""
        return self._boxes.describe()

    def grade(
        self, problem: Problem, source: bytes, language: str, on_stage: OnStage = no_stage
    ) -> Judgement:
        """Grade one source.

        ``on_stage`` is called with ``compiling`` or ``running``, how many cases are done, and how
        many are planned.

        Raises:
            JudgeBroken: the judge's own fault; it says nothing about the source.
        """
        text = read_source(source, LANGUAGES[language].file_name)
        if isinstance(text, CompileResult):
            return self._not_compiled(problem, text)
        fault: SandboxError | None = None
        for _ in range(_TRIES):
            try:
                return self._grade_text(problem, text, language, on_stage)
            except SandboxError as error:
                fault = error
                self._boxes.restart()
        raise JudgeBroken(f"the sandbox broke twice: {fault}") from fault

    def _grade_text(
        self, problem: Problem, text: str, language: str, on_stage: OnStage
    ) -> Judgement:
        planned = len(problem.cases)
        limits = run_limits(problem.limits, problem.time_factors.get(language, 1.0))
        with ExitStack() as stack:
            boxes = [stack.enter_context(self._boxes.open(language))]
            on_stage("compiling", 0, planned)
            compiled = compile_python(boxes[0], problem.signature, text, limits)
            if isinstance(compiled, Outcome):
                cases = stopped_at_load(problem, compiled, limits.cpu_ms)
                return self._judge(problem, CompileResult(ok=True), cases)
            if not compiled.ok:
                return self._not_compiled(problem, compiled)
            if planned >= _CASES_WORTH_A_BOX and len(os.sched_getaffinity(0)) > 1:
                boxes.append(stack.enter_context(self._boxes.open(language)))
            runner = CaseRunner(problem, text, limits)
            cases = runner.run(boxes, lambda done: on_stage("running", done, planned))
        return self._judge(problem, compiled, cases)

    def _judge(
        self, problem: Problem, compiled: CompileResult, cases: tuple[CaseResult, ...]
    ) -> Judgement:
        verdict = fold(len(problem.cases), [case.verdict for case in cases])
        if verdict is Verdict.INTERNAL_ERROR:
            raise JudgeBroken("the cases that ran are not the cases that were planned")
        failed = [case for case in cases if case.verdict is not Verdict.ACCEPTED]
        return Judgement(
            verdict=verdict,
            reason=failed[0].reason if failed else Reason.NONE,
            score=score(problem.groups, problem.cases, {c.id: c.verdict for c in cases}),
            compile=compiled,
            cases=cases,
            runner=self.describe(),
        )

    def _not_compiled(self, problem: Problem, compiled: CompileResult) -> Judgement:
        return Judgement(
            verdict=Verdict.COMPILE_ERROR,
            reason=compiled.reason,
            score=Score(0, sum(group.max_score for group in problem.groups)),
            compile=compiled,
            cases=(),
            runner=self.describe(),
        )
