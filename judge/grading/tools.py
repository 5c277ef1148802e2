"""Running a package's own programs: generator, reference, validator, margins.

An uploaded package is hostile input, so these run in boxes like a learner's code, each call in a
fresh one. Whatever is wrong with a tool is a value (ToolFailure), never an exception of the judge.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from judge.domain.signatures import (
    ListOf,
    Optional,
    Parameter,
    Scalar,
    Signature,
    TupleOf,
    ValueType,
)
from judge.domain.values import Arguments, Value
from judge.harness import mutants, python, wire
from judge.harness.mutants import Mutants
from judge.harness.replies import ReplyError, ReplyKind, read_reply
from submissions_sandbox import Box, Outcome, OutcomeKind, RunLimits

_LIMITS = RunLimits(cpu_ms=20_000, memory_kb=1024 * 1024, result_bytes=64 * 1024 * 1024)
# For all calls of one package's programs together: one near its limit in each would take hours.
BUDGET_S = 600.0
# The same for what one run asks of them, while its learner waits.
RUN_LIMITS = replace(_LIMITS, cpu_ms=5_000, result_bytes=8 * 1024 * 1024)
RUN_BUDGET_S = 10.0
# Of what a program says; it stands in reports, once a case.
MAX_MESSAGE = 2000
GeneratedArguments = tuple[str, Arguments]


@dataclass(frozen=True)
class ToolFailure:
    """Why a tool gave no answer; ``message`` is for the package's author."""

    message: str


class Tools:
    """Calls the tools of one package in one box."""

    def __init__(
        self,
        box: Box,
        signature: Signature,
        reference: Signature | None = None,
        *,
        limits: RunLimits = _LIMITS,
        budget_s: float = BUDGET_S,
    ) -> None:
        """``reference`` is the function of reference.py where that is not the learner's.

        ``limits`` are one call's; all calls together may take ``budget_s``.
        """
        self._box = box
        self._signature = signature
        self._reference = reference or signature
        self._limits = limits
        self._budget_s = self._left_s = budget_s

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

    def fresh(self, source: str, seed: int) -> Arguments | ToolFailure:
        """The arguments that ``fresh(seed)`` of generators/cases.py makes."""
        parameters = self._signature.parameters
        returns = TupleOf(tuple(parameter.type for parameter in parameters))
        signature = Signature("fresh", (Parameter("seed", Scalar("int")),), returns)
        made = self._call(signature, source, python.call_request, {"seed": seed})
        if isinstance(made, ToolFailure):
            return made
        values = cast(tuple[Any, ...], made[0])
        return {p.name: value for p, value in zip(parameters, values, strict=True)}

    def refer(self, source: str, arguments: Arguments) -> tuple[Value] | ToolFailure:
        """What the reference answers, in a tuple of one."""
        return self._call(self._reference, source, python.call_request, arguments)

    def validate(self, source: str, arguments: Arguments) -> ToolFailure | None:
        """None where ``validate(case)`` lets the case pass, else what it says."""
        signature = self._tool("validate", Optional(Scalar("str")))
        answer = self._call(signature, source, python.tool_request, arguments)
        if isinstance(answer, ToolFailure):
            return answer
        return None if answer[0] is None else ToolFailure(str(answer[0])[:MAX_MESSAGE])

    def distance(self, source: str, arguments: Arguments) -> float | ToolFailure:
        """The case's distance from its nearest decision edge, by ``distance(case)``."""
        signature = self._tool("distance", Scalar("float"))
        answer = self._call(signature, source, python.tool_request, arguments)
        return answer if isinstance(answer, ToolFailure) else cast(float, answer[0])

    def ask(self, source: str, values: Arguments) -> tuple[Value] | ToolFailure:
        """What the function of this signature says of one dict of named values."""
        return self._call(self._signature, source, python.tool_request, values)

    def mutate(self, source: str, keep: Sequence[str]) -> Mutants | ToolFailure:
        """The reference's mutants, made by the judge's own program; see judge.harness.mutants."""
        left_out = "" if self._reference is self._signature else self._reference.name
        arguments = mutants.make_arguments(self._signature, source, keep, left_out)
        made = self._call(mutants.SIGNATURE, mutants.maker_source(), python.call_request, arguments)
        if isinstance(made, ToolFailure):
            return made
        try:
            return mutants.read_mutants(made[0])
        except ReplyError as error:
            return ToolFailure(str(error))

    def _tool(self, name: str, returns: ValueType) -> Signature:
        return Signature(name, self._signature.parameters, returns)

    def _call(
        self, signature: Signature, source: str, make_request: Any, arguments: Arguments
    ) -> tuple[Value] | ToolFailure:
        if not source.strip():
            return ToolFailure(f"the package has no program that defines {signature.name}()")
        if self._left_s <= 0:
            return ToolFailure(
                f"the package's programs took more than {self._budget_s:.0f} s in all"
            )
        outcome = self._box.run(make_request(signature, source, arguments), self._limits)
        self._left_s -= outcome.wall_ms / 1000
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
