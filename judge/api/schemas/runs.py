"""Runs as their owner sees them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from judge.actions.runs import MAX_CASES, SAMPLES
from judge.api.ids import RUN, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel
from judge.api.schemas.choices import AskedLanguage, FinalVerdict, LanguageId, ReasonName, RunState
from judge.api.schemas.problems import RevisionAnswer, in_locale, revision_answer
from judge.api.schemas.submissions import CompileAnswer, ExceptionAnswer
from judge.db.queries.runs import Run
from judge.domain.access import StoredCase
from judge.domain.verdicts import Verdict
from judge.i18n import reason_title, text, verdict_title

_CASES_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"const": SAMPLES, "type": "string"},
        {"items": {"type": "object"}, "maxItems": MAX_CASES, "minItems": 1, "type": "array"},
    ],
    "title": "Cases",
}


class RunRequest(RequestModel):
    """A source to try on the samples, or on own input: objects of named arguments.

    A program that reads standard input has the one argument ``input``. ``reference`` asks what the
    problem's reference answers to own input. What is wrong with source and cases is said by
    judge.actions.runs.
    """

    language: AskedLanguage
    source: str
    cases: Annotated[Any, WithJsonSchema(_CASES_SCHEMA)] = SAMPLES
    reference: bool = False


class RunCaseAnswer(AnswerModel):
    """One case of a run.

    Attributes:
        expected: the sample's; None for own input.
        refusal: what the problem has against own input; it was not run then.
        verdict: None where nothing was run, and where own input got a value: there is no answer to
            compare it with.
        returned: JSON text, as in a submission; one that ends in ``~`` was cut.
        reference: what the reference answers, as JSON text.
    """

    number: int
    title: str
    arguments: Any
    expected: Any
    refusal: str
    verdict: FinalVerdict | None
    verdict_title: str | None
    reason: ReasonName
    reason_title: str
    message: str
    error: ExceptionAnswer | None
    returned: str | None
    reference: str | None
    stdout: str
    stderr: str
    cpu_ms: int | None
    wall_ms: int | None
    memory_kb: int | None


class RunAnswer(AnswerModel):
    """A run; ``notice`` says in a sentence what became of one that failed.

    ``verdict`` is that of the samples, or of own input that failed.
    """

    id: str
    problem: str
    language: LanguageId
    revision: RevisionAnswer
    state: RunState
    queue_position: int | None
    verdict: FinalVerdict | None
    verdict_title: str | None
    reason: ReasonName
    reason_title: str
    notice: str
    compile_step: CompileAnswer | None = Field(serialization_alias="compile")
    cases: list[RunCaseAnswer]
    created_at: Moment
    finished_at: Moment | None
    expires_at: Moment


@dataclass(frozen=True)
class RunInputs:
    """What a run's cases got, and what is expected: of own input nothing."""

    titles: Sequence[str]
    arguments: Sequence[Any]
    expected: Sequence[Any]
    are_own: bool


def read_inputs(found: Run, samples: Sequence[StoredCase], locale: str) -> RunInputs:
    """The inputs of a run; ``samples`` are those of its revision."""
    cases = found.inputs["cases"]
    if isinstance(cases, list):
        titles = [text("run.own_input", locale, {"number": n}) for n in range(1, len(cases) + 1)]
        return RunInputs(titles, cases, [None] * len(cases), are_own=True)
    return RunInputs(
        titles=[in_locale(case.title, locale) for case in samples],
        arguments=[json.loads(case.arguments) for case in samples],
        expected=[json.loads(case.expected) for case in samples],
        are_own=False,
    )


def run_answer(found: Run, inputs: RunInputs, queue_position: int | None, locale: str) -> RunAnswer:
    """A run for its owner: nothing of it is hidden from whoever wrote it."""
    results: Mapping[str, Any] = found.results if found.state == "judged" and found.results else {}
    verdict = _shown_verdict(results.get("verdict"), are_own=inputs.are_own)
    reason = results.get("reason", "")
    compiled = results.get("compile")
    return RunAnswer(
        id=show(RUN, found.id),
        problem=found.slug,
        language=found.language,
        revision=revision_answer(found.revision_id, found.revision_number),
        state=found.state,
        queue_position=queue_position,
        verdict=verdict,
        verdict_title=None if verdict is None else verdict_title(verdict, locale),
        reason=reason,
        reason_title=reason_title(reason, locale),
        notice=text("run.failed", locale) if found.state == "failed" else "",
        compile_step=None if compiled is None else CompileAnswer(**compiled),
        cases=[
            _case_answer(index, inputs, one, locale)
            for index, one in enumerate(results.get("cases", ()))
        ],
        created_at=found.created_at,
        finished_at=found.finished_at,
        expires_at=found.expires_at,
    )


def _case_answer(
    index: int, inputs: RunInputs, one: Mapping[str, Any], locale: str
) -> RunCaseAnswer:
    result = one["result"] or {}
    verdict = _shown_verdict(result.get("verdict"), are_own=inputs.are_own)
    reason = result.get("reason", "")
    error = None
    if result.get("error_class") or result.get("error_line"):
        error = ExceptionAnswer(name=result["error_class"], line=result["error_line"])
    return RunCaseAnswer(
        number=index + 1,
        title=inputs.titles[index],
        arguments=inputs.arguments[index],
        expected=inputs.expected[index],
        refusal=one["refusal"],
        verdict=verdict,
        verdict_title=None if verdict is None else verdict_title(verdict, locale),
        reason=reason,
        reason_title=reason_title(reason, locale),
        message=result.get("message", ""),
        error=error,
        returned=result.get("returned"),
        reference=one["reference"],
        stdout=result.get("stdout", ""),
        stderr=result.get("stderr", ""),
        cpu_ms=result.get("cpu_ms"),
        wall_ms=result.get("wall_ms"),
        memory_kb=result.get("memory_kb"),
    )


def _shown_verdict(verdict: str | None, *, are_own: bool) -> str | None:
    """Own input that got a value has no verdict: nothing was compared."""
    return None if are_own and verdict == Verdict.ACCEPTED else verdict


RUN_EXAMPLE: dict[str, Any] = {
    "id": "run_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "problem": "sample_token",
    "language": "python",
    "revision": {"id": "rev_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f", "number": 1},
    "state": "judged",
    "queue_position": None,
    "verdict": None,
    "verdict_title": None,
    "reason": "",
    "reason_title": "",
    "notice": "",
    "compile": {"ok": True, "log": ""},
    "cases": [
        {
            "number": 1,
            "title": "Own input 1",
            "arguments": {"logits": [1.0, 1.0, 0.0], "k": 2},
            "expected": None,
            "refusal": "",
            "verdict": None,
            "verdict_title": None,
            "reason": "",
            "reason_title": "",
            "message": "",
            "error": None,
            "returned": "1",
            "reference": "1",
            "stdout": "",
            "stderr": "",
            "cpu_ms": 3,
            "wall_ms": 4,
            "memory_kb": 64,
        }
    ],
    "created_at": "2026-09-01T02:03:04.000005Z",
    "finished_at": "2026-09-01T02:03:04.150000Z",
    "expires_at": "2026-09-02T02:03:04.000005Z",
}
