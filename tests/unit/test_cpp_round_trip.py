"""Values of every type cross into real C++ programs and back bit for bit, also as literals."""

from typing import Any

import numpy as np
import pytest
from cpp_machine import CppMachine, Program, cpp_machine
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from plain_values import plain
from value_strategies import types, values

from judge.domain.signatures import DTYPES, Signature, TupleOf, make_signature
from judge.domain.values import Value
from judge.harness import cpp

# A shrunk example would be nice, but each step of it costs a compilation.
FEW = settings(
    max_examples=2,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    deadline=None,
)
TYPES_A_UNIT, VALUES_A_UNIT = 5, 8
EVERY_KIND = [
    *("int", "float", "bool", "str", "list[bool]", "list[list[float]]", "list[str]"),
    *("tuple[int]", "tuple[list[int]]", "tuple[tuple[int]]", "tuple[str, list[str]]"),
    *("tuple[int, float, bool]", "list[tuple[str, str]]", "optional[int]", "optional[list[str]]"),
    *("list[optional[tuple[int, bool]]]", "dict[str, str]", "dict[int, dict[str, list[int]]]"),
    *(f"ndarray[{dtype}, {ndim}]" for dtype in DTYPES for ndim in (1, 2, 3)),
]


@pytest.fixture(scope="module")
def machine() -> CppMachine:
    return cpp_machine()


@pytest.fixture(scope="module")
def echo_of_every_kind(machine: CppMachine) -> Program:
    return echo(machine, echo_signature(EVERY_KIND))


def echo_signature(kinds: list[str]) -> Signature:
    params = {f"p{index}": kind for index, kind in enumerate(kinds)}
    return make_signature("echo", params, f"tuple[{', '.join(kinds)}]")


def echo(machine: CppMachine, signature: Signature) -> Program:
    """A program that returns its arguments, declared as the starter code declares them."""
    names = ", ".join(parameter.name for parameter in signature.parameters)
    head = cpp.starter_code(signature).partition("{")[0]
    whole = cpp.type_name(signature.returns)
    return machine.program(signature, f"{head}{{ return {whole}({names}); }}\n")


def same(value: Any) -> Any:
    """Equal for values that are equal bit for bit; std::map keeps its keys in order."""
    if isinstance(value, dict):
        return plain({key: same(value[key]) for key in sorted(value)})
    if isinstance(value, list | tuple):
        return (type(value).__name__, [same(part) for part in value])
    return plain(value)


def parts_of(signature: Signature) -> tuple[Any, ...]:
    assert isinstance(signature.returns, TupleOf)
    return signature.returns.parts


@given(st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_kind_of_value_comes_back_bit_for_bit(
    echo_of_every_kind: Program, data: st.DataObject
) -> None:
    given_values = tuple(data.draw(values(part)) for part in parts_of(echo_of_every_kind.signature))
    returned = echo_of_every_kind.value(**name(given_values))
    assert same(returned) == same(given_values)


@FEW
@given(st.lists(types(), min_size=TYPES_A_UNIT, max_size=TYPES_A_UNIT), st.data())
def test_values_of_any_types_come_back_bit_for_bit(
    machine: CppMachine, kinds: list[Any], data: st.DataObject
) -> None:
    program = echo(machine, echo_signature([str(kind) for kind in kinds]))
    for _ in range(VALUES_A_UNIT):
        given_values = tuple(data.draw(values(kind)) for kind in kinds)
        assert same(program.value(**name(given_values))) == same(given_values)


@FEW
@given(st.lists(types(), min_size=TYPES_A_UNIT, max_size=TYPES_A_UNIT), st.data())
def test_literals_of_any_types_are_their_values(
    machine: CppMachine, kinds: list[Any], data: st.DataObject
) -> None:
    check_literals(machine, [(str(kind), data.draw(values(kind))) for kind in kinds])


def test_literals_whose_braces_could_mean_something_else(machine: CppMachine) -> None:
    check_literals(
        machine,
        [
            ("list[str]", ["a", "b"]),
            ("list[list[str]]", [["a", "b"]]),
            ("list[list[list[int]]]", [[[]]]),
            ("list[list[int]]", [[], [2]]),
            ("tuple[list[list[float]]]", ([[1.0]],)),
            ("tuple[tuple[tuple[int, int]]]", (((1, 2),),)),
            ("tuple[list[str], list[int]]", (["a", "b"], [])),
            ("tuple[list[int], list[int], list[int]]", ([], [], [1])),
            ("dict[str, str]", {"a": "b"}),
            ("dict[str, dict[str, str]]", {"a": {"b": "c", "d": "e"}}),
            ("list[dict[int, list[int]]]", [{}, {1: []}, {2: [3]}]),
            ("optional[list[optional[list[str]]]]", [None, ["a", "b"], []]),
            ("list[optional[tuple[list[int], str]]]", [None, ([1], "?\0?")]),
            ("list[bool]", [True, False]),
            ("ndarray[bool, 2]", np.array([[True], [False]])),
            ("ndarray[f32, 2]", np.array([[0.1, np.nan], [1e-45, -np.inf]], "<f4")),
        ],
    )


def check_literals(machine: CppMachine, typed: list[tuple[str, Value]]) -> None:
    """A function that declares the values as variables returns them."""
    kinds, given_values = [kind for kind, _ in typed], tuple(value for _, value in typed)
    shown = echo_signature(kinds)
    signature = make_signature("literals", {"seed": "int"}, str(shown.returns))
    lines = cpp.declarations(shown, name(given_values))
    names = ", ".join(name(given_values))
    lines.append(f"return {cpp.type_name(signature.returns)}({names});")
    body = "".join(f"  {line}\n" for line in lines)
    source = f"#include <bits/stdc++.h>\n{cpp.function_declaration(signature)} {{\n{body}}}\n"
    assert same(machine.program(signature, source).value(seed=0)) == same(given_values)


def name(given_values: tuple[Value, ...]) -> dict[str, Value]:
    return {f"p{index}": value for index, value in enumerate(given_values)}


def test_bytes_that_are_no_arguments_end_the_program_without_a_reply(machine: CppMachine) -> None:
    program = echo(machine, echo_signature(["list[str]", "int"]))
    for request in (b"", b"\xff" * 4, b"\xff" * 64, b"\x01\0\0\0\xff\0\0\0ab", bytes(12) + b"x"):
        run = program.run_bytes(request)
        assert (run.status, run.reply) == (90, None)
    assert program.run_bytes(bytes(12)).status == 0
