# Mistake: uses bisect_left, so a mark on an edge stays left.
import math
from bisect import bisect_left
from itertools import accumulate


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    kept = sorted(ranking[:k])
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    edges = list(accumulate(weight / total for weight in weights))
    return kept[min(bisect_left(edges, random_value), k - 1)]
