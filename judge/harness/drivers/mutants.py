"""Runs inside a Python box: makes mutants of a package's reference, one small change in each.

This file and mutant_operators.py are read by judge.harness.mutants as one text, which is the source
of a call of ``mutants()``: an uploaded reference is hostile input and is parsed nowhere else. It is
never run here.

A change is an operator applied at one place of the syntax tree. An id is ``operator:line:column:n``
with the place in the reference as its author wrote it and the number of the change among those of
that operator there, so that an edit further down renames nothing. Left alone are docstrings,
annotations, imports, assertions, messages of exceptions, and ``zip(strict=…)``.
"""

import ast
import dataclasses
import typing
import warnings
from collections.abc import Iterable, Iterator

from judge.harness.drivers.mutant_operators import OPERATORS, Place, Scope, called

SHOWN = 120  # characters of a changed place
Row = tuple[str, str, int, str, str, str]

UNTOUCHED = (ast.Import, ast.ImportFrom, ast.Assert, ast.Raise, ast.JoinedStr, ast.pattern)
UNTOUCHED_FIELDS = {"annotation", "returns", "decorator_list", "type_params", "ctx"}


@dataclasses.dataclass(frozen=True)
class Change:
    """One mutant that has not been written out yet."""

    id: str
    operator: str
    place: Place
    new: ast.AST


def mutants(
    reference: str,
    function: str,
    types: dict[str, str],
    keep: list[str],
    most: int,
    left_out: str = "",
) -> tuple[int, list[Row]]:
    """How many changes there are, and of each id, operator, line, before, after, source.

    ``types`` are those of the parameters of the learner's function. Of more than ``most`` changes
    those in ``keep`` and an even choice of the others are made; none in the function ``left_out``.
    """
    tree = ast.parse(reference)
    untold = [node for node in tree.body if getattr(node, "name", None) == left_out]
    lines = {line for node in untold for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    changes = named(places(tree, "", Scope(), function, types))
    changes = [change for change in changes if position(change.place.node)[0] not in lines]
    seen = {ast.unparse(tree)}
    rows = [
        row for change in choose(changes, set(keep), most) if (row := write(tree, change, seen))
    ]
    order = {change.id: number for number, change in enumerate(changes)}
    return len(changes), sorted(rows, key=lambda row: order[row[0]])


def named(everywhere: Iterable[Place]) -> list[Change]:
    """Every change with its id, in the order of the text."""
    changes, counts = [], dict[str, int]()
    for place in everywhere:
        for operator, make in OPERATORS.items():
            for new in make(place):
                line, column = position(place.node)
                name = f"{operator}:{line}:{column}"
                counts[name] = counts.get(name, 0) + 1
                if new is not None:
                    changes.append(Change(f"{name}:{counts[name]}", operator, place, new))
    return sorted(changes, key=lambda change: position(change.place.node))


def position(node: typing.Any) -> tuple[int, int]:
    """Line and column of a node that has a change, from 1 on."""
    return node.lineno, node.col_offset + 1


def choose(changes: list[Change], keep: set[str], most: int) -> list[Change]:
    """At most so many: those to keep first, then evenly from the whole text."""
    kept = [change for change in changes if change.id in keep][:most]
    others = [change for change in changes if change.id not in keep]
    room = min(most - len(kept), len(others))
    return kept + [others[number * len(others) // room] for number in range(room)]


def write(tree: ast.AST, change: Change, seen: set[str]) -> Row | None:
    """The mutant's row; None where it is no program, or one that was there already."""
    place = change.place
    place.put(change.new)
    source = ast.unparse(tree)
    place.put(place.node)
    if source in seen or not compiles(source):
        return None
    seen.add(source)
    line, _ = position(place.node)
    return change.id, change.operator, line, *shown(place.node, change.new), source + "\n"


def compiles(source: str) -> bool:
    """Whether this is a program at all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "mutant", "exec", 0, True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def shown(place: ast.AST, instead: ast.AST) -> tuple[str, str]:
    """A place before and after, each as one short line; of long ones the part that differs."""
    before, after = one_line(place), one_line(instead)
    pairs = enumerate(zip(before, after, strict=False))
    start = next((at for at, (old, new) in pairs if old != new), 0) - SHOWN // 3
    if start <= 0 or max(len(before), len(after)) <= SHOWN:
        return cut(before), cut(after)
    return cut("…" + before[start:]), cut("…" + after[start:])


def one_line(node: ast.AST) -> str:
    """A place as a line."""
    lines = [line.strip() for line in ast.unparse(node).splitlines()]
    return "; ".join(line for line in lines if line).replace(":;", ":")


def cut(text: str) -> str:
    """As much of a text as is shown."""
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


# ------------------------------------------------------------------ the places of a tree


def places(
    parent: ast.AST, role: str, scope: Scope, function: str, types: dict[str, str]
) -> Iterator[Place]:
    """Everything below a node that may be changed."""
    for field, value in ast.iter_fields(parent):
        if field in UNTOUCHED_FIELDS:
            continue
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or is_untouched(node):
                continue
            place = Place(node, parent, field, index, scope, role_of(parent, field, role))
            yield place
            inner = scope
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = scope_of(node, types if node.name == function else {})
            yield from places(node, place.role, inner, function, types)


def is_untouched(node: ast.AST) -> bool:
    """Docstrings and the like, messages, and what runs only as a script."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    if isinstance(node, ast.If):
        return any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.walk(node.test))
    return isinstance(node, UNTOUCHED)


def role_of(parent: ast.AST, field: str, role: str) -> str:
    """What a node is for, by where it hangs; ``role`` is the parent's."""
    if isinstance(parent, ast.Slice) and field in ("lower", "upper"):
        return "bound"
    if isinstance(parent, ast.Subscript) and field == "slice":
        return "bound"
    if isinstance(parent, ast.Call) and field == "args" and called(parent) == "range":
        return "bound"
    if isinstance(parent, ast.Return):
        return "returned"
    return role if isinstance(parent, ast.Tuple) else ""


def scope_of(function: ast.FunctionDef | ast.AsyncFunctionDef, types: dict[str, str]) -> Scope:
    """Names of a function: those of one type, of one loop, or made alike, may be mistaken.

    They stand in the order of their first binding: what is added below comes last.
    """
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    groups: dict[str, set[str]] = {}
    for parameter in parameters:
        annotation = ast.unparse(parameter.annotation) if parameter.annotation else ""
        kind = types.get(parameter.arg, annotation)
        groups.setdefault(f"parameter {kind}", set()).add(parameter.arg)
    bound = dict.fromkeys((parameter.arg for parameter in parameters), 1)
    for name in names_bound(function):
        bound[name] = bound.get(name, 0) + 1
    for number, node in enumerate(ast.walk(function)):
        if isinstance(node, ast.For | ast.comprehension):
            groups[f"loop {number}"] = set(names_bound(node.target))
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            origin = f"made by {type(node.value).__name__} {called(node.value)}"
            groups.setdefault(origin, set()).add(node.targets[0].id)
    return Scope(mistakable(list(bound), list(groups.values())), bound)


def names_bound(node: ast.AST) -> list[str]:
    """Names that get a value somewhere in there, in the order of the text."""
    names = [name for name in ast.walk(node) if isinstance(name, ast.Name)]
    return [name.id for name in sorted(names, key=position) if isinstance(name.ctx, ast.Store)]


def mistakable(names: list[str], groups: list[set[str]]) -> dict[str, tuple[str, ...]]:
    """For each name the others that stand in a group with it."""
    around = {name: set().union(*(group for group in groups if name in group)) for name in names}
    return {
        name: tuple(other for other in names if other != name and other in around[name])
        for name in names
    }
