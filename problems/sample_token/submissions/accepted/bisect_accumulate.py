"""itertools.accumulate makes the edges, bisect_right finds the interval."""

from bisect import bisect_right
from itertools import accumulate
from math import exp


def sample_token(logits, temperature, k, random_value):
    pairs = sorted(enumerate(logits), key=lambda pair: pair[1], reverse=True)[:k]
    pairs.sort()
    largest = max(logit for _, logit in pairs)
    weights = [exp((logit - largest) / temperature) for _, logit in pairs]
    total = sum(weights)
    edges = list(accumulate(weight / total for weight in weights))
    position = min(bisect_right(edges, random_value), k - 1)
    return pairs[position][0]
