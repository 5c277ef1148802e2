# Mistake: stores indices in a dict under their logit, so equal logits overwrite each other.
import math


def sample_token(logits, temperature, k, random_value):
    index_of = {logit: i for i, logit in enumerate(logits)}
    kept = sorted(index_of[value] for value in sorted(index_of, reverse=True)[:k])
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
