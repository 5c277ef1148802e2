"""The worker's one grader, and a fresh one after it broke.

Owns the life of the grader and with it of the sandbox behind it. Never grades itself.
"""

import contextlib
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from judge.domain.problem import Problem
from judge.domain.signatures import Signature
from judge.domain.submission import Judgement
from judge.errors import JudgeBroken
from judge.grading.tools import Tools

log = logging.getLogger(__name__)

OnStage = Callable[[str, int, int], None]


class Grades(Protocol):
    """What a worker needs of a grader (judge.grading.pipeline.Grader).

    A grader is made for some languages, or for all that this machine can judge.
    """

    def grade(self, problem: Problem, source: bytes, language: str, on_stage: OnStage) -> Judgement:
        """Grade one source; calls ``on_stage(stage, done, planned)`` on the way.

        Raises:
            JudgeBroken: the judge's own fault.
        """

    def open_tools(self, signature: Signature) -> AbstractContextManager[Tools]:
        """A package's own programs, called on the input of a run in boxes of their own.

        Raises:
            JudgeBroken: the judge's own fault.
        """

    def rest(self) -> None:
        """Nothing is being graded now: a good moment for what the next submission will need.

        Raises:
            JudgeBroken: the judge's own fault.
        """

    def describe(self) -> dict[str, str]:
        """``tier`` and ``layers`` (with commas) of the sandbox; ``fix``: what tier A needs here."""

    def languages(self) -> dict[str, dict[str, str]]:
        """The languages that it judges, each with the versions of what judges it."""

    def missing(self) -> dict[str, str]:
        """The languages that this machine lacks, each with the command that would install it.

        Only a grader for all languages says something here.
        """


MakeGrader = Callable[[], AbstractContextManager[Grades]]


class Graders:
    """Holds one open grader at a time; belongs to one thread, except for ``close``."""

    def __init__(self, make_grader: MakeGrader) -> None:
        self._make_grader = make_grader
        self._stack = contextlib.ExitStack()
        self._grader: Grades | None = None
        self._closed = False

    def current(self) -> Grades:
        """The open grader, opened now if there is none.

        Raises:
            JudgeBroken: the worker is shutting down, or the sandbox does not start.
            Misconfigured: the grader is for a language that this machine cannot judge.
        """
        if self._closed:
            raise JudgeBroken("the worker is shutting down")
        if self._grader is None:
            self._grader = self._stack.enter_context(self._make_grader())
        return self._grader

    def rest(self) -> None:
        """Let the open grader prepare itself; one that breaks over it is replaced."""
        if self._grader is None:
            return
        try:
            self._grader.rest()
        except Exception:
            log.exception("the grader broke between two submissions")
            self.discard()

    def discard(self) -> None:
        """Close the grader, however broken it is; the next ``current`` opens a fresh one."""
        self._grader = None
        try:
            self._stack.close()
        except Exception:
            log.exception("a broken grader did not close cleanly")

    def close(self) -> None:
        """Close for good."""
        self._closed = True
        self.discard()
