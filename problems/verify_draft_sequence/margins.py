"""Distance of a verify_draft_sequence case from its nearest decision edge.

Two kinds of decisions are made: r < min(1, p/q) at every position up to the first rejection, and
the argmax of the residual at the rejection. A mark or a tie that sits exactly on its edge counts
as no edge at all, provided that every usual way to compute the decision gives the same answer.
"""

import math
from decimal import Decimal, localcontext

import numpy as np

DIGITS = 80
INFINITY = Decimal("Infinity")


def distance(case: dict) -> float:
    """Return the smallest distance of the case from a decision edge."""
    draft = np.asarray(case["draft_probs"], dtype=np.float64)
    target = np.asarray(case["target_probs"], dtype=np.float64)
    nearest = INFINITY
    with localcontext() as context:
        context.prec = DIGITS
        for i, token in enumerate(case["draft_tokens"]):
            q, p = float(draft[i, token]), float(target[i, token])
            mark = float(case["random_uniforms"][i])
            nearest = min(nearest, _mark_distance(mark, p, q))
            if _compare_with_ratio(mark, p, q) >= 0:
                nearest = min(nearest, _residual_gap(draft[i], target[i]))
                break
    return float(nearest)


def _compare_with_ratio(mark, p, q):
    """Return the exact sign of mark - p/q, in integers."""
    (mark_top, mark_bottom), (p_top, p_bottom), (q_top, q_bottom) = (
        value.as_integer_ratio() for value in (mark, p, q)
    )
    left = mark_top * q_top * p_bottom
    right = p_top * mark_bottom * q_bottom
    return (left > right) - (left < right)


def _mark_distance(mark, p, q):
    """Return |mark - min(1, p/q)|, or infinity for a mark that is provably on the edge."""
    if _compare_with_ratio(mark, p, q) == 0:
        return INFINITY if _all_forms_reject(mark, p, q) else Decimal(0)
    acceptance = min(Decimal(1), Decimal(p) / Decimal(q))
    return abs(Decimal(mark) - acceptance)


def _all_forms_reject(mark, p, q):
    """Ask every usual form of the comparison about a mark that equals p/q."""
    mark_32, p_32, q_32 = np.float32(mark), np.float32(p), np.float32(q)
    accepting = (
        mark < p / q,
        mark * q < p,
        mark_32 < p_32 / q_32,
        mark_32 * q_32 < p_32,
        _log(mark) < _log(p) - _log(q),
    )
    return not any(accepting)


def _log(value):
    return math.log(value) if value > 0.0 else -math.inf


def _residual_gap(draft_row, target_row):
    """Return the gap between the largest residual and the next different one."""
    pairs = list(zip(target_row.tolist(), draft_row.tolist(), strict=True))
    residuals = [max(Decimal(0), Decimal(p) - Decimal(q)) for p, q in pairs]
    top = max(residuals)
    winners = [token for token, value in enumerate(residuals) if value == top]
    if top == 0:
        return Decimal(0)
    if len(winners) > 1 and not all(_exact_in_float32(*pairs[token]) for token in winners):
        return Decimal(0)
    rest = [value for value in residuals if value != top]
    return top - max(rest) if rest else INFINITY


def _exact_in_float32(p, q):
    """Tell whether p, q and p - q are all exact in single precision."""
    p_32, q_32 = np.float32(p), np.float32(q)
    exact_difference = Decimal(p) - Decimal(q)
    return float(p_32) == p and float(q_32) == q and Decimal(float(p_32 - q_32)) == exact_difference
