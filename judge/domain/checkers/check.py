"""Which checker compares: the one that the problem names."""

from typing import cast

from judge.domain.checkers.compare import compare
from judge.domain.checkers.comparison import RIGHT, Comparison
from judge.domain.checkers.keys import find_key
from judge.domain.checkers.tokens import compare_tokens
from judge.domain.checkers.unordered import compare_unordered, item_type
from judge.domain.problem import CheckerSpec
from judge.domain.signatures import Signature, ValueType
from judge.domain.values import Arguments, Value
from judge.errors import JudgeBroken


def check(
    spec: CheckerSpec, signature: Signature, arguments: Arguments, expected: Value, returned: Value
) -> Comparison:
    """Compare what the function returned for ``arguments`` with what was expected.

    Raises:
        JudgeBroken: the kind needs more than values (custom, distribution), or the package holds
            what ``misfit`` and the rules for its cases refuse.
    """
    returns = signature.returns
    match spec.kind:
        case "exact" | "close":
            return compare(spec, returns, expected, returned)
        case "set" | "multiset":
            return compare_unordered(spec, returns, expected, returned)
        case "permutation":
            item = cast(ValueType, item_type(returns))
            key = find_key(spec.key, signature, item, arguments) if spec.key else None
            return compare_unordered(spec, returns, expected, returned, key)
        case "tokens":
            return compare_tokens(spec, cast(str, expected), cast(str, returned))
        case "any":
            return RIGHT
        case _:
            raise JudgeBroken(f"a checker of kind {spec.kind} does not judge values alone")
