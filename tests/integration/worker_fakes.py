"""Graders that do what a test tells them to, instead of running anybody's code."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from judge.domain.problem import Problem
from judge.domain.scoring import score
from judge.domain.submission import CaseResult, CompileResult, Judgement
from judge.domain.verdicts import Reason, Verdict, fold

OnStage = Callable[[str, int, int], None]
Grade = Callable[[Problem, bytes, str, OnStage], Judgement]

ACCEPTED_SOURCE = b"def accepted(): ..."
WRONG_SOURCE = b"def wrong(): ..."


def judged(problem: Problem, verdict: Verdict, reason: Reason = Reason.NONE) -> Judgement:
    """A judgement whose cases all came to ``verdict``."""
    cases = tuple(CaseResult(id=case.id, verdict=verdict, reason=reason) for case in problem.cases)
    verdicts = [case.verdict for case in cases]
    return Judgement(
        verdict=fold(len(problem.cases), verdicts),
        reason=reason,
        score=score(problem.groups, problem.cases, {case.id: case.verdict for case in cases}),
        compile=CompileResult(ok=True),
        cases=cases,
        runner={"tier": "fake", "layers": "seccomp,rlimits"},
    )


def grade_by_source(
    problem: Problem, source: bytes, _language: str, on_stage: OnStage
) -> Judgement:
    """Accept what says that it is accepted; the self-test's programs get what it expects."""
    on_stage("compiling", 0, len(problem.cases))
    on_stage("running", 0, len(problem.cases))
    if b"way_out" in source:
        return judged(problem, Verdict.RUNTIME_ERROR, Reason.DENIED)
    if b"double_it" in source or b"accepted" in source:
        return judged(problem, Verdict.ACCEPTED)
    return judged(problem, Verdict.WRONG_ANSWER, Reason.WRONG_VALUE)


VERSIONS = {
    "python": {"python": "3.11.0"},
    "cpp": {"g++": "12.2.0"},
    "java": {"java": "17.0.18"},
}
FIXES = {
    "cpp": "apt-get install g++",
    "java": "apt-get install default-jdk-headless",
}


class FakeGrader:
    """A grader around one function, for a machine that can judge ``languages`` and no others.

    Counts how often it was opened and closed.
    """

    def __init__(
        self, grade: Grade = grade_by_source, languages: tuple[str, ...] = ("python",)
    ) -> None:
        self.grade = grade
        self.opened = 0
        self.closed = 0
        self._languages = languages

    def rest(self) -> None:
        """Nothing to prepare."""

    def describe(self) -> dict[str, str]:
        return {"tier": "fake", "layers": "seccomp,rlimits", "fix": "run it elsewhere"}

    def languages(self) -> dict[str, dict[str, str]]:
        return {language: VERSIONS[language] for language in self._languages}

    def missing(self) -> dict[str, str]:
        return {name: fix for name, fix in FIXES.items() if name not in self._languages}

    @contextmanager
    def make(self) -> Iterator["FakeGrader"]:
        self.opened += 1
        try:
            yield self
        finally:
            self.closed += 1
