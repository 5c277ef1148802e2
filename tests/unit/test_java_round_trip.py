"""Java: any value of any type comes back bit for bit, and its literal means the same value."""

from typing import Any

import java_machine
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_values import plain
from value_strategies import types, values

from judge.domain.signatures import (
    DictOf,
    ListOf,
    Optional,
    TupleOf,
    ValueType,
    make_signature,
)
from judge.harness import java, wire
from judge.harness.replies import ReplyKind

# One example is one compilation and one JVM, so it holds several values.
EXAMPLES = 15
BODY = '        throw new UnsupportedOperationException("not implemented");\n'


def is_type(kind: ValueType) -> bool:
    """Whether an optional stands directly in an optional nowhere."""
    match kind:
        case Optional(Optional()):
            return False
        case ListOf(inner) | Optional(inner) | DictOf(_, inner):
            return is_type(inner)
        case TupleOf(parts):
            return all(map(is_type, parts))
        case _:
            return True


def unordered(value: Any) -> Any:
    """The value with every dict in the order of its keys: Java's maps are sorted."""
    if isinstance(value, dict):
        return {key: unordered(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return type(value)(unordered(part) for part in value)
    return value


@st.composite
def argument_lists(draw: st.DrawFn) -> list[tuple[ValueType, Any]]:
    kinds = draw(st.lists(types().filter(is_type), min_size=3, max_size=8))
    return [(kind, draw(values(kind))) for kind in kinds]


@settings(max_examples=EXAMPLES)
@given(argument_lists())
def test_arguments_and_literals_come_back_bit_for_bit(typed: list[tuple[ValueType, Any]]) -> None:
    machine = java_machine.machine()
    names = [f"v{index}" for index in range(len(typed))]
    given_ = tuple(value for _, value in typed)
    inner = f"tuple[{', '.join(str(kind) for kind, _ in typed)}]"
    parameters = {name: str(kind) for name, (kind, _) in zip(names, typed, strict=True)}
    signature = make_signature("echo", parameters, f"tuple[{inner}, {inner}]")
    body = (
        f"        {java.expected_declaration(signature, (given_, given_))}\n"
        f"        return new Result(new Result2({', '.join(names)}), expected.second());\n"
    )
    source = java.starter_code(signature).replace(BODY, body)
    run = machine.run(signature, source, dict(zip(names, given_, strict=True)))
    assert run.reply.kind is ReplyKind.VALUE, run
    returned = wire.decode(signature.returns, run.reply.payload)
    assert plain(unordered(returned)) == plain(unordered((given_, given_)))
