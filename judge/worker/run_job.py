"""One run: load, try out, record, ring.

Samples are judged exactly as a submission's are, by the same grader. To own input no answer is
known: the package's validator says first whether it is one that the problem allows, and where it
was asked for the package's reference answers it afterwards; both in boxes of their own, never in
one with the learner's code. Nothing of a hidden case comes near a run.

A fault of the judge gets one more try with a fresh sandbox, then the run has failed.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.actions.record_run import record_run, record_run_fault, set_run_state
from judge.db.engine import Database
from judge.db.queries.runs import RunWork, find_run_work
from judge.domain.problem import Problem
from judge.domain.runs import RunCase, RunResult, on_inputs, on_samples
from judge.domain.submission import CaseResult, Judgement
from judge.domain.values import Arguments, arguments_from_json
from judge.errors import CheckerBroken
from judge.grading.tools import ToolFailure, Tools
from judge.queue.jobs import Claim, finish
from judge.queue.wakeup import Bell
from judge.worker.graders import Graders, Grades
from judge.worker.revisions import OwnTools, Revisions

log = logging.getLogger(__name__)

TRIES = 2


def make_run(
    database: Database, bell: Bell, graders: Graders, revisions: Revisions, claim: Claim
) -> None:
    """Make the run of a claimed job, and record what came of it.

    Raises:
        Exception: whatever kept it from being recorded; the claim is given up then.
    """
    with database.read() as connection:
        work = find_run_work(connection, claim.ref_id)
    if work is None:
        with database.write() as connection:
            finish(connection, claim)
        return
    if set_run_state(database, claim, "running"):
        bell.ring(f"run:{work.run_id}")
    result = _try_out(graders, revisions, work)
    if isinstance(result, RunResult):
        signature = revisions.problem(work.revision_id).signature
        is_written = record_run(database, claim, signature, result)
    else:
        is_written = record_run_fault(database, claim, result)
    if is_written:
        bell.ring(f"run:{work.run_id}")
    else:
        log.warning("run %s came after its claim was lost", work.run_id)


def _try_out(graders: Graders, revisions: Revisions, work: RunWork) -> RunResult | str:
    """The result, or what broke in the judge on every try."""
    fault = ""
    for _ in range(TRIES):
        try:
            problem = revisions.problem(work.revision_id)
            trial = _Trial(graders.current(), problem, revisions.tools(work.revision_id), work)
            return trial.on_samples() if work.inputs is None else trial.on_inputs(work.inputs)
        except CheckerBroken as error:
            log.error("run %s: %s", work.run_id, error)
            return str(error)
        except Exception as error:
            log.exception("the judge broke on run %s", work.run_id)
            fault = str(error) or type(error).__name__
            graders.discard()
    return fault


@dataclass(frozen=True)
class _Trial:
    """One try of one run."""

    grader: Grades
    problem: Problem
    tools: OwnTools
    work: RunWork

    def on_samples(self) -> RunResult:
        """The samples, as Submit would judge them."""
        judged = self._grade(on_samples(self.problem))
        return RunResult(judged, tuple(map(RunCase, judged.cases)))

    def on_inputs(self, inputs: Sequence[object]) -> RunResult:
        """The learner's own input; what the problem does not allow is not run."""
        arguments = [arguments_from_json(self.problem.signature, one) for one in inputs]
        refusals = self._refusals(arguments)
        allowed = [one for one, no in zip(arguments, refusals, strict=True) if not no]
        if not allowed:
            return RunResult(None, tuple(RunCase(None, refusal=no) for no in refusals))
        judged = self._grade(on_inputs(self.problem, allowed))
        # Without any: the source did not compile.
        results: Sequence[CaseResult | None] = judged.cases or [None] * len(allowed)
        answers = self._answers(allowed)
        came = iter(zip(results, answers, strict=True))
        cases = (RunCase(None, refusal=no) if no else _run_case(*next(came)) for no in refusals)
        return RunResult(judged, tuple(cases))

    def _grade(self, problem: Problem) -> Judgement:
        source, language = self.work.source.encode(), self.work.language
        return self.grader.grade(problem, source, language, _ignore)

    def _refusals(self, inputs: Sequence[Arguments]) -> list[str]:
        """What the package's validator says against each input; empty where it says nothing."""
        if not self.tools.validator.strip():
            return [""] * len(inputs)
        with self.grader.open_tools(self.problem.signature) as tools:
            said = [tools.validate(self.tools.validator, one) for one in inputs]
        return ["" if one is None else _sentence(one) for one in said]

    def _answers(self, inputs: Sequence[Arguments]) -> list[RunCase]:
        """What the reference answers to each input, if it was asked."""
        if not (self.work.wants_reference and self.tools.reference.strip()):
            return [RunCase(None)] * len(inputs)
        with self.grader.open_tools(self.problem.signature) as tools:
            return [self._answer(tools, one) for one in inputs]

    def _answer(self, tools: Tools, one: Arguments) -> RunCase:
        answer = tools.refer(self.tools.reference, one)
        if isinstance(answer, ToolFailure):
            log.warning("run %s: the reference gave no answer: %s", self.work.run_id, answer)
            return RunCase(None)
        return RunCase(None, reference=answer[0], has_reference=True)


def _run_case(result: CaseResult | None, answer: RunCase) -> RunCase:
    return replace(answer, result=result)


def _sentence(refusal: ToolFailure) -> str:
    """What a validator said, without where in its own source it said it."""
    lines = refusal.message.strip().splitlines() or ["?"]
    return lines[-1].strip().removeprefix("ValueError: ")


def _ignore(_stage: str, _done: int, _planned: int) -> None:
    """A run is over before anybody could read its progress."""
