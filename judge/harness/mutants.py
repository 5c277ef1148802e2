"""Mutants of a reference: the call that makes them in a box, and what came of it.

A package's reference is never parsed on this side. What comes back is hostile as well: ids are
checked, for they are what an author declares equivalent, and a mutant's source only ever runs as
a submission does.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from judge.domain.signatures import DictOf, ListOf, Parameter, Scalar, Signature, TupleOf
from judge.domain.values import Arguments, Value
from judge.harness.replies import ReplyError

MOST_MUTANTS = 400
_ID = re.compile(r"[a-z-]{1,32}:[0-9]{1,6}:[0-9]{1,6}:[0-9]{1,6}")
_OWN_IMPORT = "from judge.harness.drivers."
_TEXT, _INT = Scalar("str"), Scalar("int")
SIGNATURE = Signature(
    "mutants",
    (
        Parameter("reference", _TEXT),
        Parameter("function", _TEXT),
        Parameter("types", DictOf(_TEXT, _TEXT)),
        Parameter("keep", ListOf(_TEXT)),
        Parameter("most", _INT),
        Parameter("left_out", _TEXT),
    ),
    TupleOf((_INT, ListOf(TupleOf((_TEXT, _TEXT, _INT, _TEXT, _TEXT, _TEXT))))),
)


@dataclass(frozen=True)
class Mutant:
    """The reference with one small change.

    ``line`` is that of reference.py; ``before`` and ``after`` are the place that was changed, each
    as one short line.
    """

    id: str
    operator: str
    line: int
    before: str
    after: str
    source: str


@dataclass(frozen=True)
class Mutants:
    """All that were made, in the order of the text, and how many changes were possible."""

    changes: int
    made: tuple[Mutant, ...]

    @property
    def are_chosen(self) -> bool:
        """Whether there are too many, so that only some of the changes were made."""
        return self.changes > MOST_MUTANTS


def maker_source() -> str:
    """The program that makes mutants; its function is that of ``SIGNATURE``.

    It is one text in the box, so the second file's import of the first is left out.
    """
    folder = Path(__file__).parent / "drivers"
    texts = [(folder / name).read_text() for name in ("mutant_operators.py", "mutants.py")]
    lines = "\n".join(texts).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(_OWN_IMPORT))


def make_arguments(
    signature: Signature, reference: str, keep: Sequence[str], left_out: str = ""
) -> Arguments:
    """What the program is called with.

    Of too many mutants those in ``keep`` are made first; in the function ``left_out``, which no
    submission calls, nothing is changed.
    """
    return {
        "reference": reference,
        "function": signature.name,
        "types": {parameter.name: str(parameter.type) for parameter in signature.parameters},
        "keep": list(keep),
        "most": MOST_MUTANTS,
        "left_out": left_out,
    }


def read_mutants(value: Value) -> Mutants:
    """What the program returned.

    Raises:
        ReplyError: something that it does not return.
    """
    changes, rows = cast(tuple[int, list[tuple[Any, ...]]], value)
    made = tuple(Mutant(*row) for row in rows)
    ids = {mutant.id for mutant in made if _ID.fullmatch(mutant.id)}
    if len(ids) != len(made) or len(made) > min(changes, MOST_MUTANTS):
        raise ReplyError("what came back is no list of mutants")
    return Mutants(changes, made)
