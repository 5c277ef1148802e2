"""The checker tokens: what a program prints, by the rules of Kattis' default output validator.

Source: problem package format 2025-09, section "Default output validator specification". The output
is bytes, split at the six white-space characters of ASCII. Tokens are equal byte for byte, or up to
the case of A to Z unless ``case_sensitive``. ``space_sensitive`` (``space_change_sensitive`` there)
also compares the white space before, between and after the tokens.

A tolerance is given where it is more than 0. Then every token of the answer that is a decimal
number is compared as one, integers as well, and the printed token must be a number too; ``inf``,
``nan`` and hexadecimal numbers are texts. A tolerance that is given as 0 (``float_tolerance 0``:
numbers must be equal, their spelling need not be) is stated as ``SMALLEST_TOLERANCE``.

A number that is off by the tolerance exactly, in the decimals as they are written, is right even
where doubles round it out of the tolerance: what the statement allows is never wrong.
"""

import math
import re
from dataclasses import replace
from decimal import Context, Decimal
from itertools import zip_longest

from judge.domain.checkers.comparison import RIGHT, Comparison, wrong
from judge.domain.checkers.floats import float_reason
from judge.domain.problem import CheckerSpec
from judge.domain.verdicts import Reason

SMALLEST_TOLERANCE = math.ulp(0.0)
_SPACE = re.compile(rb"([ \f\n\r\t\v]+)")
_NUMBER = re.compile(rb"[+-]?(?:[0-9]*\.[0-9]+|[0-9]+\.?)(?:[Ee][+-]?[0-9]+)?")
_EXACT_ENOUGH = Context(prec=100, traps=[])


def compare_tokens(spec: CheckerSpec, expected: str, returned: str) -> Comparison:
    """Compare a program's output with the answer; the first difference is named by its line."""
    rule = replace(spec, kind="close")
    wanted, given = _pieces(expected), _pieces(returned)
    for index, (left, right) in enumerate(zip_longest(wanted, given)):
        is_token = index % 2 == 1
        reason = _reason(rule, left, right) if is_token else _space_reason(rule, left, right)
        if reason is Reason.NONE:
            continue
        line = 1 + sum(piece.count(b"\n") for piece in given[:index])
        what = f"token {index // 2 + 1}" if is_token else f"space {index // 2 + 1}"
        message = f"{what}: expected {_shown(left)}, got {_shown(right)}"
        return wrong(reason, f"line {line} of the output", message)
    return RIGHT


def _pieces(text: str) -> list[bytes]:
    """White space and tokens by turns, white space (perhaps none) at both ends."""
    # A program may print bytes that are no text; what stands for them has a form in bytes, too.
    pieces = _SPACE.split(text.encode("utf-8", "surrogatepass"))
    if len(pieces) == 1 and not pieces[0]:
        return [b""]
    if pieces[0]:
        pieces.insert(0, b"")
    else:
        del pieces[0]
    if pieces[-1]:
        pieces.append(b"")
    else:
        del pieces[-1]
    return pieces


def _reason(spec: CheckerSpec, expected: bytes | None, returned: bytes | None) -> Reason:
    """Why a token is wrong; None is a token that is not there."""
    if expected is None or returned is None:
        return Reason.WRONG_SHAPE
    number = _number(expected) if spec.abs_tolerance or spec.rel_tolerance else None
    if number is not None:
        return _number_reason(spec, expected, number, returned)
    if not spec.case_sensitive:
        expected, returned = expected.lower(), returned.lower()
    return Reason.NONE if expected == returned else Reason.WRONG_VALUE


def _space_reason(spec: CheckerSpec, expected: bytes | None, returned: bytes | None) -> Reason:
    differs = spec.space_sensitive and expected != returned
    return Reason.WRONG_SHAPE if differs else Reason.NONE


def _number_reason(spec: CheckerSpec, token: bytes, expected: float, printed: bytes) -> Reason:
    returned = _number(printed)
    if returned is None:
        return Reason.NAN if printed.lower().lstrip(b"+-") == b"nan" else Reason.WRONG_VALUE
    reason = float_reason(spec, expected, returned)
    if reason is not Reason.NONE and _near_in_decimals(spec, token, printed):
        return Reason.NONE
    return reason


def _number(token: bytes) -> float | None:
    """The finite double that a token writes; None where it is a text."""
    if not _NUMBER.fullmatch(token):
        return None
    number = float(token)
    return number if math.isfinite(number) else None


def _near_in_decimals(spec: CheckerSpec, expected: bytes, returned: bytes) -> bool:
    context = _EXACT_ENOUGH.copy()
    left, right = (context.create_decimal(token.decode()) for token in (expected, returned))
    distance = context.abs(context.subtract(left, right))
    share = context.multiply(_as_written(spec.rel_tolerance), context.abs(left))
    return bool(distance <= _as_written(spec.abs_tolerance) or distance <= share)


def _as_written(tolerance: float) -> Decimal:
    """The shortest decimal that is read as this double: the one that the author wrote."""
    return Decimal(repr(tolerance))


def _shown(piece: bytes | None) -> str:
    return "the end" if piece is None else f"{piece.decode('utf-8', 'replace')!r:.80}"
