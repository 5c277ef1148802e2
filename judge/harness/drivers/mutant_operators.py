"""Runs inside a Python box, as the first part of mutants.py: what can be changed at one place.

An operator takes a place of the syntax tree and gives the nodes that may stand there instead, each
of them one mutant. Which operators of comparisons are worth a mutant is what Kaminski, Ammann and
Offutt show (Improving logic-based testing, 2013): the others are caught by whatever catches these;
the opposite is made all the same.
"""

import ast
import copy
import dataclasses
import itertools
import typing
from collections.abc import Callable, Iterator

Name = typing.TypeVar("Name", bound=ast.AST)

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.NotEq, ast.GtE),
    ast.LtE: (ast.Lt, ast.Eq, ast.Gt),
    ast.Gt: (ast.GtE, ast.NotEq, ast.LtE),
    ast.GtE: (ast.Gt, ast.Eq, ast.Lt),
    ast.Eq: (ast.LtE, ast.GtE, ast.NotEq),
    ast.NotEq: (ast.Lt, ast.Gt, ast.Eq),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div, ast.Mod),
    ast.Mod: (ast.FloorDiv, ast.Mult),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
ONE_SIDED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.LShift, ast.RShift)
DROPPED = {"abs", "ceil", "exp", "floor", "fsum", "log", "log1p", "max", "min", "reversed", "round"}
DROPPED |= {"set", "sorted", "sqrt", "sum"}
COUNTERPARTS = {"all": "any", "argmax": "argmin", "bisect_left": "bisect_right", "ceil": "floor"}
COUNTERPARTS |= {"insort_left": "insort_right", "max": "min", "maximum": "minimum"}
COUNTERPARTS |= {"nlargest": "nsmallest", "bisect": "bisect_left"}
COUNTERPARTS |= {new: old for old, new in COUNTERPARTS.items() if old != "bisect"}
# Calls whose two arguments may change places without a difference.
SYMMETRIC = {"add", "allclose", "array_equal", "gcd", "hypot", "isclose", "lcm", "max", "maximum"}
SYMMETRIC |= {"min", "minimum", "multiply"}
ORDERING = {"max", "min", "nlargest", "nsmallest", "sorted"}
SIMPLE = (ast.AugAssign, ast.Break, ast.Continue, ast.Delete)


@dataclasses.dataclass(frozen=True)
class Scope:
    """What the function around a place knows: names that may be mistaken, and how often bound."""

    alike: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    bound: dict[str, int] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Place:
    """A node, and where it hangs in the tree."""

    node: ast.AST
    parent: ast.AST
    field: str
    index: int | None
    scope: Scope
    role: (
        str  # "bound": an index, the bound of a slice or range; "returned": a value or part of one
    )

    def put(self, node: ast.AST) -> None:
        """Hang another node there."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


# ------------------------------------------------------------------ small builders


def called(node: ast.AST) -> str:
    """Name of the function or method that a call calls."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def with_fields(node: Name, **fields: object) -> Name:
    """The same node with some parts changed."""
    changed = copy.copy(node)  # with its line, which a statement needs to be written out
    for name, part in fields.items():
        setattr(changed, name, part)
    return changed


def swapped_at(items: list[typing.Any], index: int, new: typing.Any) -> list[typing.Any]:
    """The list with one item changed."""
    return [*items[:index], new, *items[index + 1 :]]


def plus(node: typing.Any, number: int) -> ast.expr:
    """``node + 1`` or ``node - 1``."""
    return ast.BinOp(node, ast.Add() if number > 0 else ast.Sub(), ast.Constant(abs(number)))


def negative(node: typing.Any) -> ast.expr:
    """``-node``, without a second sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return node.operand
    return ast.UnaryOp(ast.USub(), node)


def negated(node: typing.Any) -> ast.expr:
    """``not node``."""
    return ast.UnaryOp(ast.Not(), node)


def backwards(node: typing.Any) -> ast.expr:
    """``reversed(list(node))``."""
    return call("reversed", call("list", node))


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """A call of a built-in."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def is_number(node: object) -> bool:
    """An integer or float as it is written, with or without a sign."""
    if isinstance(node, ast.UnaryOp):
        return is_number(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


# ------------------------------------------------------------------ the operators


def comparison(place: Place) -> Iterator[ast.AST]:
    """Its neighbours and its opposite."""
    node = place.node
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                yield with_fields(node, ops=swapped_at(node.ops, index, other()))


def arithmetic(place: Place) -> Iterator[ast.AST]:
    """Another operator of the same arity."""
    if isinstance(place.node, ast.BinOp | ast.AugAssign):
        for other in ARITHMETIC.get(type(place.node.op), ()):
            yield with_fields(place.node, op=other())


def operand(place: Place) -> Iterator[ast.AST]:
    """One side alone: no division, no subtraction of the largest."""
    node = place.node
    if isinstance(node, ast.BinOp):
        yield node.left
        if not isinstance(node.op, ONE_SIDED):
            yield node.right
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield ast.Assign([node.target], node.value, lineno=node.lineno)


def sign(place: Place) -> Iterator[ast.AST]:
    """Without its minus."""
    node = place.node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Invert):
        yield node.operand


def off_by_one(place: Place) -> Iterator[ast.AST]:
    """One more and one less: integers, indexes, bounds of slices and ranges, what is returned."""
    node = place.node
    if isinstance(node, ast.Constant):
        if type(node.value) is int:
            yield ast.Constant(node.value + 1)
            yield ast.Constant(node.value - 1)
    elif place.role and not is_number(node) and not isinstance(node, ast.Slice | ast.Tuple):
        yield plus(node, 1)
        yield plus(node, -1)


def bound(place: Place) -> Iterator[ast.AST]:
    """A slice without one of its bounds, or one item short; a range that starts late."""
    node = place.node
    if isinstance(node, ast.Slice):
        yield with_fields(node, lower=None if node.lower else ast.Constant(1))
        yield with_fields(node, upper=None if node.upper else negative(ast.Constant(1)))
        if node.step:
            yield with_fields(node, step=None)
    if called(node) in ("range", "enumerate") and isinstance(node, ast.Call) and not node.keywords:
        if len(node.args) == 1:
            late = ast.Constant(1)
            is_range = called(node) == "range"
            yield with_fields(node, args=[late, *node.args] if is_range else [*node.args, late])
        elif called(node) == "enumerate":
            yield with_fields(node, args=node.args[:1])


def dropped_call(place: Place) -> Iterator[ast.AST]:
    """An argument in place of the call: no max, no abs, no sorted."""
    node = place.node
    if isinstance(node, ast.Call) and called(node) in DROPPED:
        yield from (part for part in node.args if not isinstance(part, ast.Starred))


def counterpart(place: Place) -> Iterator[ast.AST]:
    """Min for max and the like."""
    node = place.node
    other = COUNTERPARTS.get(called(node), "")
    if not other or not isinstance(node, ast.Call):
        return
    if isinstance(node.func, ast.Attribute):
        yield with_fields(node, func=with_fields(node.func, attr=other))
    else:
        yield with_fields(node, func=ast.Name(other, ast.Load()))


def logic(place: Place) -> Iterator[ast.AST]:
    """And for or, one part of a condition missing, no ``not``, a condition negated or missing."""
    node = place.node
    if isinstance(node, ast.BoolOp):
        yield with_fields(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        for index in range(len(node.values)):
            rest = node.values[:index] + node.values[index + 1 :]
            yield rest[0] if len(rest) == 1 else with_fields(node, values=rest)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    if place.field not in ("test", "ifs"):
        return
    single = isinstance(node, ast.Compare) and len(node.ops) == 1  # that has its opposite
    if not single and not isinstance(node, ast.UnaryOp):
        yield negated(node)
    yield ast.Constant(not isinstance(place.parent, ast.While))


def sort_order(place: Place) -> Iterator[ast.AST]:
    """Reversed, and by a negated key; of a tuple each part negated."""
    node = place.node
    if isinstance(node, ast.Call) and called(node) in ("sorted", "sort"):
        others = [keyword for keyword in node.keywords if keyword.arg != "reverse"]
        if others == node.keywords:
            reverse = ast.keyword("reverse", ast.Constant(True))
            yield with_fields(node, keywords=[*others, reverse])
    if isinstance(node, ast.keyword) and node.arg == "key" and isinstance(node.value, ast.Lambda):
        for body in other_keys(node.value.body):
            yield with_fields(node, value=with_fields(node.value, body=body))


def other_keys(body: ast.expr) -> Iterator[ast.expr]:
    """The key negated, or one part of it negated or missing."""
    if not isinstance(body, ast.Tuple):
        yield negative(body)
        return
    for index, part in enumerate(body.elts):
        yield with_fields(body, elts=swapped_at(body.elts, index, negative(part)))
        yield with_fields(body, elts=body.elts[:index] + body.elts[index + 1 :])


def dropped_keyword(place: Place) -> Iterator[ast.AST]:
    """A call without its key, its start, its kind."""
    node = place.node
    if isinstance(node, ast.Call):
        for index, keyword in enumerate(node.keywords):
            if keyword.arg not in (None, "strict"):
                yield with_fields(node, keywords=node.keywords[:index] + node.keywords[index + 1 :])


def tie(place: Place) -> Iterator[ast.AST]:
    """Equal items in the other order."""
    node = place.node
    if not isinstance(node, ast.Call) or called(node) not in ORDERING or not node.args:
        return
    if any(keyword.arg == "key" for keyword in node.keywords):
        last = len(node.args) - 1  # nsmallest has a count before its items
        yield with_fields(node, args=swapped_at(node.args, last, backwards(node.args[last])))


def loop_order(place: Place) -> Iterator[ast.AST]:
    """A loop that walks backwards: ties, and where it stops."""
    if isinstance(place.parent, ast.For) and place.field == "iter":
        yield backwards(place.node)


def swapped(place: Place) -> Iterator[ast.AST]:
    """Two arguments, two operands or two returned values in each other's place."""
    node = place.node
    if isinstance(node, ast.Call) and called(node) not in SYMMETRIC:
        plain = [part for part in node.args if not isinstance(part, ast.Starred)]
        if len(plain) == len(node.args) == 2:
            yield with_fields(node, args=plain[::-1])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ONE_SIDED):
        yield with_fields(node, left=node.right, right=node.left)
    if isinstance(node, ast.Tuple) and isinstance(place.parent, ast.Return) and len(node.elts) == 2:
        yield with_fields(node, elts=node.elts[::-1])


def by_position(place: Place) -> Iterator[ast.AST]:
    """Positions in a list in place of its items: they are indexes into another one."""
    node = place.node
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Subscript):
        yield with_fields(node, slice=node.slice.slice)
    if not isinstance(place.parent, ast.For | ast.comprehension) or place.field != "iter":
        return
    if isinstance(node, ast.Name | ast.Attribute):
        yield call("range", call("len", node))
    if isinstance(node, ast.Call) and called(node) == "zip":
        for index, part in enumerate(node.args):
            positions = call("range", call("len", part))
            yield with_fields(node, args=swapped_at(node.args, index, positions))


def statement_order(place: Place) -> Iterator[ast.AST | None]:
    """Two neighbouring statements in the other order, where one changes what the other reads."""
    for field in ("body", "orelse"):
        block = getattr(place.node, field, None)
        if not isinstance(block, list):
            continue
        for index, (first, second) in enumerate(itertools.pairwise(block)):
            both = [*block[:index], second, first, *block[index + 2 :]]
            matters = changes(first, place.scope) & reads(second)
            yield with_fields(place.node, **{field: both}) if matters else None


def changes(node: ast.AST, scope: Scope) -> set[str]:
    """Names that a simple statement gives another value than they have."""
    if isinstance(node, ast.AugAssign):
        target: ast.AST = node.target
    elif isinstance(node, ast.Assign) and is_spare(node, scope):
        target = node.targets[0]
    else:
        return set()
    return {name.id for name in ast.walk(target) if isinstance(name, ast.Name)}


def reads(node: ast.AST) -> set[str]:
    """Names that stand in a statement."""
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}


def first_item(place: Place) -> Iterator[ast.AST]:
    """Always the first item, or the last."""
    node = place.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return
    if not is_number(node.slice) and not isinstance(node.slice, ast.Slice | ast.Tuple):
        yield with_fields(node, slice=ast.Constant(0))
        yield with_fields(node, slice=negative(ast.Constant(1)))


def constant(place: Place) -> Iterator[ast.AST]:
    """Another float, truth value or text."""
    node = place.node
    if not isinstance(node, ast.Constant):
        return
    if type(node.value) is float:
        yield ast.Constant(1.0 if node.value == 0.0 else 0.0)
        if node.value not in (0.0, 1.0):
            yield ast.Constant(2 * node.value)
    elif isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, str):
        yield ast.Constant("" if node.value else "x")


def statement(place: Place) -> Iterator[ast.AST]:
    """Missing: an update, a leap, a call, the body of an if; a leap to the other end."""
    node = place.node
    if isinstance(node, SIMPLE) or is_spare(node, place.scope):
        yield ast.Pass()
    if isinstance(node, ast.Break):
        yield ast.Continue()
    if isinstance(node, ast.Continue):
        yield ast.Break()
    if isinstance(node, ast.If):
        yield with_fields(node, body=[ast.Pass()])
        if node.orelse:
            yield with_fields(node, orelse=[])


def is_spare(node: ast.AST, scope: Scope) -> bool:
    """A statement without which every name still has a value."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    if not isinstance(node, ast.Assign):
        return False
    target = node.targets[0]
    if isinstance(target, ast.Name):
        return scope.bound.get(target.id, 0) > 1
    return isinstance(target, ast.Subscript | ast.Attribute)


def variable(place: Place) -> Iterator[ast.AST]:
    """Another name: a parameter of the same type, the other target of a loop."""
    node = place.node
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from (ast.Name(other, ast.Load()) for other in place.scope.alike.get(node.id, ()))


def returned(place: Place) -> Iterator[ast.AST]:
    """Another name of the function in place of one that is returned."""
    if place.role == "returned" and isinstance(place.node, ast.Name):
        others = [name for name in place.scope.bound if name != place.node.id]
        yield from (ast.Name(other, ast.Load()) for other in others)


# What an operator gives is counted: None uses a number up, so that those behind it keep theirs.
OPERATORS: dict[str, Callable[[Place], Iterator[ast.AST | None]]] = {
    "comparison": comparison,
    "arithmetic": arithmetic,
    "operand": operand,
    "sign": sign,
    "off-by-one": off_by_one,
    "bound": bound,
    "dropped-call": dropped_call,
    "counterpart": counterpart,
    "logic": logic,
    "sort-order": sort_order,
    "dropped-keyword": dropped_keyword,
    "tie": tie,
    "loop-order": loop_order,
    "swapped": swapped,
    "by-position": by_position,
    "first-item": first_item,
    "constant": constant,
    "statement": statement,
    "statement-order": statement_order,
    "variable": variable,
    "returned": returned,
}
