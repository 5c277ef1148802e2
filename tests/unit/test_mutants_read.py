"""What comes back from a box as mutants, and what judge.yaml may declare of them."""

from typing import Any

import pytest
from package_builder import JUDGE_YAML, load_package, refusal

from judge.domain.signatures import make_signature
from judge.harness import mutants, wire
from judge.harness.replies import ReplyError

ROW = ("comparison:3:8:1", "comparison", 3, "a < b", "a <= b", "def f():\n    pass\n")


def read(*rows: tuple[Any, ...], changes: int = 2) -> mutants.Mutants:
    payload = wire.encode(mutants.SIGNATURE.returns, (changes, list(rows)))
    return mutants.read_mutants(wire.decode(mutants.SIGNATURE.returns, payload))


def test_mutants_are_read() -> None:
    found = read(ROW)
    assert (found.changes, found.are_chosen) == (2, False)
    assert found.made[0] == mutants.Mutant(*ROW)


def test_that_some_were_chosen_is_told() -> None:
    assert read(ROW, changes=mutants.MOST_MUTANTS + 1).are_chosen


@pytest.mark.parametrize(
    "rows",
    [
        [ROW, ROW],
        [("", *ROW[1:])],
        [("comparison:3:8", *ROW[1:])],
        [("comparison:3:8:1\n", *ROW[1:])],
        [ROW, ("sign:1:1:1", *ROW[1:]), ("sign:1:1:2", *ROW[1:])],
    ],
    ids=["twice", "no name", "short name", "line end", "more than changes"],
)
def test_what_is_no_list_of_mutants_is_refused(rows: list[tuple[Any, ...]]) -> None:
    with pytest.raises(ReplyError):
        read(*rows)


def test_too_many_are_refused() -> None:
    rows = [(f"sign:{line}:1:1", *ROW[1:]) for line in range(mutants.MOST_MUTANTS + 1)]
    with pytest.raises(ReplyError):
        read(*rows, changes=10_000)


def test_the_maker_is_told_the_types_of_the_learners_function() -> None:
    signature = make_signature("f", {"xs": "list[float]", "k": "int"}, "int")
    arguments = mutants.make_arguments(signature, "def f(xs, k): ...", ["sign:1:1:1"])
    assert arguments["types"] == {"xs": "list[float]", "k": "int"}
    assert wire.encode_arguments(mutants.SIGNATURE, arguments)


def declared(*lines: str) -> dict[str, str]:
    text = "mutants:\n  required_kill: all\n  equivalent:\n"
    return {"judge.yaml": JUDGE_YAML + text + "".join(f"    - {line}\n" for line in lines)}


def test_an_equivalent_mutant_is_declared_with_its_reason() -> None:
    package = load_package(declared('{id: "sign:2:5:1", reason: the sign is squared away}'))
    (mutant,) = package.judge_yaml.mutants.equivalent
    assert (mutant.id, mutant.reason) == ("sign:2:5:1", "the sign is squared away")


@pytest.mark.parametrize(
    "lines",
    [
        ['{id: "sign:2:5:1"}'],
        ['{id: "sign:2:5:1", reason: ""}'],
        ['{id: "sign:2:5", reason: short}'],
        ['{id: "sign:2:5:1", reason: a}', '{id: "sign:2:5:1", reason: b}'],
    ],
    ids=["no reason", "empty reason", "no name", "twice"],
)
def test_a_declaration_that_says_too_little_or_too_much_is_refused(lines: list[str]) -> None:
    (finding,) = refusal(lambda: load_package(declared(*lines)))
    assert finding.where.startswith("judge.yaml")
