"""Sums without rounding errors (math.fsum) for the total and for every edge."""

from math import exp, fsum


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    kept = sorted(ranking[:k])
    largest = logits[ranking[0]]
    weights = [exp((logits[i] - largest) / temperature) for i in kept]
    total = fsum(weights)
    for count, index in enumerate(kept, start=1):
        if fsum(weights[:count]) / total > random_value:
            return index
    return kept[-1]
