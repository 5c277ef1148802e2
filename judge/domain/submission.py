"""A judged submission as values: case results, compile result, judgement."""

from dataclasses import dataclass, field

from judge.domain.scoring import Score
from judge.domain.values import Value
from judge.domain.verdicts import Reason, Verdict


@dataclass(frozen=True)
class CaseResult:
    """What one test case came to.

    ``message`` and ``error_line`` derive from what came out of the box (judge.domain.access says
    who may read which). ``returned`` is the decoded value, or None where there is none.
    ``error_class`` is one of the built-in exception names of judge.domain.access or empty. ``note``
    is what a custom checker said, for the package's authors: no learner may read it.
    """

    id: str
    verdict: Verdict
    reason: Reason = Reason.NONE
    message: str = ""
    error_class: str = ""
    error_line: int = 0
    cpu_ms: int = 0
    wall_ms: int = 0
    memory_kb: int = 0
    returned: Value = None
    has_returned: bool = False
    stdout: str = ""
    stderr: str = ""
    note: str = ""


@dataclass(frozen=True)
class CompileResult:
    """Whether the source compiled; ``log`` names lines and columns of the learner's file."""

    ok: bool
    log: str = ""
    reason: Reason = Reason.NONE


@dataclass(frozen=True)
class Judgement:
    """One grading of one source: verdict, score and every planned case in order.

    ``runner`` records what judged it: tier, layers, interpreter and library versions.
    """

    verdict: Verdict
    reason: Reason
    score: Score
    compile: CompileResult
    cases: tuple[CaseResult, ...]
    runner: dict[str, str] = field(default_factory=dict)

    @property
    def passed(self) -> int:
        """How many planned cases were accepted."""
        return sum(case.verdict is Verdict.ACCEPTED for case in self.cases)
