"""Running a package's own programs: generator, reference, validator, margins.

An uploaded package is hostile input, so these run in boxes like a learner's code, each call in a
fresh one. Whatever is wrong with a tool is a value (ToolFailure), never an exception of the judge.
"""

from dataclasses import dataclass
from typing import Any, cast

from judge.domain.signatures import ListOf, Optional, Scalar, Signature, TupleOf, ValueType
from judge.domain.values import Arguments, Value
from judge.harness import python, wire
from judge.harness.replies import ReplyError, ReplyKind, read_reply
from submissions_sandbox import Box, Outcome, OutcomeKind, RunLimits

_LIMITS = RunLimits(cpu_ms=20_000, memory_kb=1024 * 1024, result_bytes=64 * 1024 * 1024)
GeneratedArguments = tuple[str, Arguments]


@dataclass(frozen=True)
class ToolFailure:
    """Why a tool gave no answer; ``message`` is for the package's author."""

    message: str


class Tools:
    """Calls the tools of one package in one box."""

    def __init__(self, box: Box, signature: Signature) -> None:
        self._box = box
        self._signature = signature

    def generate(self, source: str) -> list[GeneratedArguments] | ToolFailure:
        """All cases that ``generate()`` of generators/cases.py makes, in order."""
        types = [parameter.type for parameter in self._signature.parameters]
        returns = ListOf(TupleOf((Scalar("str"), *types)))
        made = self._call(Signature("generate", (), returns), source, python.call_request, {})
        if isinstance(made, ToolFailure):
            return made
        names = [parameter.name for parameter in self._signature.parameters]
        rows = cast(list[tuple[Any, ...]], made[0])
        return [(path, dict(zip(names, values, strict=True))) for path, *values in rows]

    def refer(self, source: str, arguments: Arguments) -> tuple[Value] | ToolFailure:
        """What the reference answers, in a tuple of one."""
        return self._call(self._signature, source, python.call_request, arguments)

    def validate(self, source: str, arguments: Arguments) -> ToolFailure | None:
        """None where ``validate(case)`` lets the case pass, else what it says."""
        signature = self._tool("validate", Optional(Scalar("str")))
        answer = self._call(signature, source, python.tool_request, arguments)
        if isinstance(answer, ToolFailure):
            return answer
        return None if answer[0] is None else ToolFailure(str(answer[0]))

    def distance(self, source: str, arguments: Arguments) -> float | ToolFailure:
        """The case's distance from its nearest decision edge, by ``distance(case)``."""
        signature = self._tool("distance", Scalar("float"))
        answer = self._call(signature, source, python.tool_request, arguments)
        return answer if isinstance(answer, ToolFailure) else cast(float, answer[0])

    def _tool(self, name: str, returns: ValueType) -> Signature:
        return Signature(name, self._signature.parameters, returns)

    def _call(
        self, signature: Signature, source: str, make_request: Any, arguments: Arguments
    ) -> tuple[Value] | ToolFailure:
        if not source.strip():
            return ToolFailure(f"the package has no program that defines {signature.name}()")
        outcome = self._box.run(make_request(signature, source, arguments), _LIMITS)
        return _read(signature, outcome)


def _read(signature: Signature, outcome: Outcome) -> tuple[Value] | ToolFailure:
    if outcome.kind is not OutcomeKind.EXITED:
        return ToolFailure(f"{signature.name}() ended for {outcome.kind.value} {outcome.detail}")
    try:
        reply = read_reply(outcome.result)
        if reply.kind is ReplyKind.VALUE:
            return (wire.decode(signature.returns, reply.payload),)
    except (ReplyError, wire.WireError) as error:
        return ToolFailure(f"{signature.name}(): {error}")
    return ToolFailure(reply.message or f"{signature.name}() gave no value")
