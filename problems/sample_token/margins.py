"""Exact distance of a sample_token case from its nearest decision edge.

Two kinds of edges can change the answer: the ends of the probability intervals, which
random_value is compared with, and the gap between the last kept and the first dropped
logit. Both are measured with 80 digits. The end of the last interval is not an edge,
because the last kept token is also the fallback.
"""

from decimal import Context, Decimal, localcontext
from fractions import Fraction

DIGITS = 80


def distance(case: dict) -> float:
    """Return the smallest distance, or infinity where no rounding can matter."""
    logits = [float(value) for value in case["logits"]]
    k = int(case["k"])
    ranking = sorted(range(len(logits)), key=lambda index: (-logits[index], index))
    kept = sorted(ranking[:k])
    nearest = float("inf")

    if k < len(logits):
        last_kept = Fraction(logits[ranking[k - 1]])
        first_dropped = Fraction(logits[ranking[k]])
        if last_kept != first_dropped:  # a tie is decided by the index, exactly
            nearest = float(last_kept - first_dropped)

    kept_logits = [logits[index] for index in kept]
    mark = float(case["random_value"])
    if not on_exact_edge(kept_logits, mark):
        nearest = min(nearest, edge_distance(kept_logits, float(case["temperature"]), mark))
    return nearest


def on_exact_edge(kept_logits: list[float], mark: float) -> bool:
    """Tell whether the mark sits on an edge that any softmax computes without error.

    With 2^m equal kept logits every weight is exp(0) = 1 and every running sum is a
    multiple of 2^-m, so single and double precision both hit the edge exactly.
    """
    count = len(kept_logits)
    all_equal = min(kept_logits) == max(kept_logits)
    power_of_two = count & (count - 1) == 0
    return all_equal and power_of_two and (Fraction(mark) * count).denominator == 1


def edge_distance(kept_logits: list[float], temperature: float, mark: float) -> float:
    """Return the distance of the mark from the nearest interior interval end."""
    with localcontext(Context(prec=DIGITS)):
        largest = max(Decimal(value) for value in kept_logits)
        weights = [
            ((Decimal(value) - largest) / Decimal(temperature)).exp() for value in kept_logits
        ]
        total = sum(weights)
        nearest = Decimal("Infinity")
        running_sum = Decimal(0)
        for weight in weights[:-1]:
            running_sum += weight
            nearest = min(nearest, abs(running_sum / total - Decimal(mark)))
        return float(nearest)
