# Mistake: looks values up with list.index, so equal logits collapse into one token.
import math


def sample_token(logits, temperature, k, random_value):
    best = sorted(logits, reverse=True)[:k]
    kept = sorted(logits.index(value) for value in best)
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
