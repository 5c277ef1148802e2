"""Mutants of a reference: what every operator makes, what is left alone, names, the choice."""

import bisect
import fractions
import heapq
import inspect
import itertools
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

from judge.harness import mutants as harness
from judge.harness.drivers import mutants as driver

PROBLEMS = Path(__file__).parents[2] / "problems"
Types = dict[str, str]


def rows(source: str, types: Types | None = None, most: int = 10_000) -> list[driver.Row]:
    return driver.mutants(textwrap.dedent(source), "f", types or {}, [], most)[1]


def made(source: str, operator: str, types: Types | None = None) -> set[str]:
    """What stands in the changed places, of one operator."""
    return {row[4] for row in rows(source, types) if row[1] == operator}


def ids(source: str) -> list[str]:
    return [row[0] for row in rows(source)]


@pytest.mark.parametrize(
    ("operator", "source", "after"),
    [
        ("comparison", "a < b", {"a <= b", "a != b", "a >= b"}),
        ("comparison", "a <= b", {"a < b", "a == b", "a > b"}),
        ("comparison", "a > b", {"a >= b", "a != b", "a <= b"}),
        ("comparison", "a >= b", {"a > b", "a == b", "a < b"}),
        ("comparison", "a == b", {"a <= b", "a >= b", "a != b"}),
        ("comparison", "a != b", {"a < b", "a > b", "a == b"}),
        ("comparison", "a in b", {"a not in b"}),
        ("comparison", "a is None", {"a is not None"}),
        ("arithmetic", "a + b", {"a - b", "a * b"}),
        ("arithmetic", "a - b", {"a + b"}),
        ("arithmetic", "a * b", {"a / b", "a + b"}),
        ("arithmetic", "a / b", {"a * b", "a // b"}),
        ("arithmetic", "a // b", {"a / b", "a % b"}),
        ("arithmetic", "a % b", {"a // b", "a * b"}),
        ("arithmetic", "a ** b", {"a * b"}),
        ("arithmetic", "a += b", {"a -= b", "a *= b"}),
        ("operand", "a - largest", {"a"}),
        ("operand", "a * b", {"a", "b"}),
        ("operand", "a += b", {"a = b"}),
        ("sign", "-a", {"a"}),
        ("off-by-one", "g(7)", {"8", "6"}),
        ("off-by-one", "range(n)", {"n + 1", "n - 1"}),
        ("off-by-one", "xs[i]", {"i + 1", "i - 1"}),
        ("off-by-one", "xs[:k]", {"k + 1", "k - 1"}),
        ("off-by-one", "xs[i, j]", {"i + 1", "i - 1", "j + 1", "j - 1"}),
        ("off-by-one", "xs[-1]", {"2", "0"}),
        ("bound", "xs[:k]", {"1:k", ":"}),
        ("bound", "xs[a::2]", {"::2", "a:-1:2", "a:"}),
        ("bound", "range(n)", {"range(1, n)"}),
        ("bound", "enumerate(xs)", {"enumerate(xs, 1)"}),
        ("bound", "enumerate(xs, 1)", {"enumerate(xs)"}),
        ("dropped-call", "max(0.0, p - q)", {"0.0", "p - q"}),
        ("dropped-call", "abs(a)", {"a"}),
        ("dropped-call", "sum(xs)", {"xs"}),
        ("dropped-call", "sorted(xs)", {"xs"}),
        ("counterpart", "max(xs)", {"min(xs)"}),
        ("counterpart", "np.argmin(xs)", {"np.argmax(xs)"}),
        ("counterpart", "any(xs)", {"all(xs)"}),
        ("logic", "a and b", {"a or b", "a", "b"}),
        ("logic", "not a", {"a"}),
        ("logic", "a if b else c", {"not b", "True"}),
        ("sort-order", "sorted(xs)", {"sorted(xs, reverse=True)"}),
        ("sort-order", "xs.sort()", {"xs.sort(reverse=True)"}),
        ("sort-order", "max(xs, key=lambda i: ys[i])", {"key=lambda i: -ys[i]"}),
        ("sort-order", "max(xs, key=lambda i: -ys[i])", {"key=lambda i: ys[i]"}),
        (
            "sort-order",
            "min(xs, key=lambda i: (ys[i], i))",
            {f"key=lambda i: {key}" for key in ("(-ys[i], i)", "(ys[i], -i)", "(i,)", "(ys[i],)")},
        ),
        ("dropped-keyword", "sorted(xs, key=g)", {"sorted(xs)"}),
        ("dropped-keyword", "np.argsort(xs, kind='stable')", {"np.argsort(xs)"}),
        ("tie", "sorted(xs, key=g)", {"sorted(reversed(list(xs)), key=g)"}),
        ("tie", "max(xs, key=g)", {"max(reversed(list(xs)), key=g)"}),
        ("tie", "nsmallest(k, xs, key=g)", {"nsmallest(k, reversed(list(xs)), key=g)"}),
        ("swapped", "g(a, b)", {"g(b, a)"}),
        ("swapped", "zip(a, b)", {"zip(b, a)"}),
        ("swapped", "a - b", {"b - a"}),
        ("swapped", "a / b", {"b / a"}),
        ("first-item", "xs[i]", {"xs[0]", "xs[-1]"}),
        ("by-position", "xs[order[i]]", {"xs[i]"}),
        ("by-position", "[x for x in kept]", {"range(len(kept))"}),
        ("constant", "g(0.0)", {"1.0"}),
        ("constant", "g(1.0)", {"0.0"}),
        ("constant", "g(0.25)", {"0.0", "0.5"}),
        ("constant", "g(True)", {"False"}),
        ("constant", "g('a', '')", {"''", "'x'"}),
        ("statement", "a += b", {"pass"}),
        ("statement", "xs.append(a)", {"pass"}),
        ("statement", "xs[i] = a", {"pass"}),
    ],
)
def test_an_operator_makes(operator: str, source: str, after: set[str]) -> None:
    assert made(source, operator) == after


@pytest.mark.parametrize(
    ("operator", "source"),
    [
        ("arithmetic", "a @ b"),
        ("tie", "sorted(xs)"),
        ("swapped", "max(a, b)"),
        ("swapped", "a + b"),
        ("swapped", "g(*a, b)"),
        ("first-item", "xs[0]"),
        ("first-item", "xs[-1]"),
        ("first-item", "xs[1:]"),
        ("statement", "a = 1"),
        ("logic", "a < b"),
        ("off-by-one", "g(True)"),
    ],
)
def test_what_would_change_nothing_or_is_made_otherwise_is_not_made(
    operator: str, source: str
) -> None:
    assert made(source, operator) == set()


def test_leaps_are_dropped_and_turned() -> None:
    assert made("for a in xs:\n    g()\n    continue\n", "statement") == {"pass", "break"}
    assert made("for a in xs:\n    g()\n    break\n", "statement") == {"pass", "continue"}


def test_the_body_of_an_if_and_its_else_are_dropped() -> None:
    source = "if a:\n    x = 1\n    y = 1\nelse:\n    x = 2\n"
    assert made(source, "statement") == {"if a: pass; else: x = 2", "if a: x = 1; y = 1"}


def test_an_assignment_is_dropped_where_its_name_has_another_value() -> None:
    source = "def f(xs):\n    best = 0\n    for x in xs:\n        best = x\n    return best\n"
    assert [row[0] for row in rows(source) if row[1] == "statement"] == [
        "statement:2:5:1",
        "statement:4:9:1",
    ]


def test_a_loop_is_walked_backwards_and_over_positions() -> None:
    source = "for a, b in zip(xs, ys, strict=True):\n    g()\n"
    assert made(source, "loop-order") == {"reversed(list(zip(xs, ys, strict=True)))"}
    assert made(source, "by-position") == {
        "zip(range(len(xs)), ys, strict=True)",
        "zip(xs, range(len(ys)), strict=True)",
    }


def test_statements_change_places_where_one_reads_what_the_other_changes() -> None:
    source = "for x in xs:\n    total += x\n    if total > mark:\n        g()\n    h()\n"
    after = "for x in xs: if total > mark: g(); total += x; h()"
    assert made(source, "statement-order") == {after}
    assert made("a += 1\nb += 1\n", "statement-order") == set()


def test_parameters_of_one_type_are_mistaken_for_each_other() -> None:
    types = {"a": "float", "b": "int", "c": "float"}
    source = "def f(a, b, c):\n    return [a, b, c]\n"
    assert made(source, "variable", types) == {"c", "a"}
    annotated = "def g(a: int, b: int, c: str):\n    return [a, b, c]\n"
    assert made(annotated, "variable") == {"b", "a"}


def test_names_that_are_made_alike_or_run_together_are_mistaken() -> None:
    source = "def f(x):\n    a = g(x)\n    b = g(x)\n    c = h(x)\n    return [a, b, c]\n"
    assert made(source, "variable") == {"a", "b"}
    assert made("def f(x):\n    for i, v in x:\n        g(i)\n", "variable") == {"v"}


def test_another_name_of_the_function_is_returned() -> None:
    source = "def f(a):\n    b = g(a)\n    return b\n"
    assert made(source, "returned") == {"a"}
    assert made(source, "off-by-one") == {"b + 1", "b - 1"}
    pair = "def f(a):\n    b = g(a)\n    return b, 2\n"
    assert made(pair, "returned") == {"a"}
    assert "(2, b)" in made(pair, "swapped")


@pytest.mark.parametrize(
    "source",
    [
        '"""A text with 1 number."""\n',
        'def f():\n    """Return 1."""\n',
        "def f(a: list[1]) -> list[2]:\n    pass\n",
        "a: list[1]\n",
        "import math\nfrom os import path\n",
        "assert 1 < 2, 'no'\n",
        "raise ValueError(1)\n",
        "f'{a} of 3'\n",
        "if __name__ == '__main__':\n    g(1)\n",
    ],
)
def test_what_is_no_answer_is_left_alone(source: str) -> None:
    assert rows(source) == []


def test_the_strictness_of_a_zip_is_left_alone() -> None:
    sources = [row[5] for row in rows("g(zip(a, b, strict=True))\n")]
    assert sources
    assert all("strict=True" in source for source in sources if "zip" in source)


def test_a_row_tells_where_what_and_the_whole_source() -> None:
    source = "# a comment\ndef f(a):\n    return a < 2.5\n"
    first = rows(source)[0]
    assert first[:5] == ("comparison:3:12:1", "comparison", 3, "a < 2.5", "a <= 2.5")
    assert first[5] == "def f(a):\n    return a <= 2.5\n"


def test_of_a_long_place_the_part_that_differs_is_shown() -> None:
    calls = "".join(f"    call_number_{number}()\n" for number in range(30))
    source = f"for x in xs:\n{calls}    total += x\n    if total > mark:\n        g()\n"
    before, after = next(row[3:5] for row in rows(source) if row[1] == "statement-order")
    assert before != after
    assert max(len(before), len(after)) <= driver.SHOWN
    assert before.endswith("total += x; if total > mark: g()")


@pytest.mark.parametrize(
    "tail",
    [
        "    return b\n",
        "    c += 1\n    for x in a:\n        c += x\n    return c\n",
        "    d = a - b\n    for b, a in x:\n        d = g(d)\n    return a, d\n",
    ],
)
def test_an_edit_further_down_renames_nothing_above(tail: str) -> None:
    head = (
        "def f(a, b):\n    c = a - b\n    if c > 1:\n        for a, e in b:\n            c -= 1\n"
    )
    head += "            c = g(c)\n            return a, c\n"
    above = {row[0]: row[3:5] for row in rows(head) if row[2] > 1}
    assert len(above) > 20
    assert above.items() <= {row[0]: row[3:5] for row in rows(head + tail)}.items()


@pytest.mark.parametrize("slug", ["sample_token", "verify_draft_sequence"])
def test_mutants_of_a_real_reference_are_programs_and_all_different(slug: str) -> None:
    text = (PROBLEMS / slug / "reference.py").read_text()
    changes, found = driver.mutants(text, slug, {}, [], 400)
    sources = [row[5] for row in found]
    assert len(set(sources)) == len(sources) > 60
    assert len({row[0] for row in found}) == len(found) <= changes
    assert all(driver.compiles(source) for source in sources)
    assert found == driver.mutants(text, slug, {}, [], 400)[1]


@pytest.mark.parametrize("module", [bisect, fractions, heapq, textwrap])
def test_any_program_can_be_mutated(module: ModuleType) -> None:
    changes, found = driver.mutants(inspect.getsource(module), "f", {}, [], 60)
    assert changes > 60 >= len(found) > 30


def test_of_too_many_an_even_choice_and_what_is_to_be_kept() -> None:
    source = "".join(f"g({number})\n" for number in range(100, 200))
    every = ids(source)
    keep = [every[1], every[-1], "off-by-one:900:1:1"]
    changes, chosen = driver.mutants(source, "f", {}, keep, 20)
    names = [row[0] for row in chosen]
    assert changes == len(every)
    assert len(names) == 20
    assert set(keep[:2]) <= set(names)
    assert names == [name for name in every if name in names]
    lines = [int(name.split(":")[1]) for name in names]
    assert max(after - before for before, after in itertools.pairwise(lines)) < 12


def test_the_same_program_is_made_once() -> None:
    assert len(made("if a:\n    b += 1\n", "statement")) == 1


@pytest.mark.parametrize(
    ("source", "is_program"), [("x = 1", True), ("1 is 1", True), ("return 1", False)]
)
def test_what_does_not_compile_is_no_mutant(source: str, is_program: bool) -> None:
    assert driver.compiles(source) == is_program


def test_the_maker_is_one_text_that_needs_nothing_of_the_judge() -> None:
    text = harness.maker_source()
    assert "import judge" not in text
    assert "from judge" not in text
    assert "\ndef mutants(" in text
