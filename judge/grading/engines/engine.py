"""What grading needs of a language: an engine makes programs, a program makes lanes.

An engine lives as long as the grader. A program is one submission's source, compiled; a lane runs
that program's test cases one after another, each in a fresh box, and lanes run side by side.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from judge.domain.signatures import Signature
from judge.domain.submission import CompileResult
from judge.domain.values import Arguments
from submissions_sandbox import Outcome, RunLimits

# A case's arguments, and for how many seconds it may idle.
Lane = Callable[[Arguments, float], Outcome]


class Program(Protocol):
    """A source that compiled. Belongs to one grading."""

    def open_lane(self) -> AbstractContextManager[Lane]:
        """A lane of its own for the calling thread.

        Raises:
            SandboxError: the sandbox broke.
        """


class Engine(Protocol):
    """One language on this machine. Belongs to one grader."""

    def versions(self) -> dict[str, str]:
        """What judges: names and versions of compiler, interpreter and libraries."""

    def compile(
        self, signature: Signature, source: str, limits: RunLimits
    ) -> "AbstractContextManager[Program] | CompileResult | Outcome":
        """Make a program of a source, or say why not.

        An outcome means that loading the source ran into the time limit: the first case bears it.

        Raises:
            SandboxError: the sandbox broke; nothing was learned about the source.
        """

    def rest(self) -> None:
        """Nothing is being graded now: a good moment for what the next source will need."""

    def close(self) -> None:
        """End what the engine keeps running."""
