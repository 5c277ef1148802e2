# Mistake: takes the first k tokens that reach the cut, even before better ones.
import math


def sample_token(logits, temperature, k, random_value):
    cut = sorted(logits, reverse=True)[k - 1]
    kept = [i for i in range(len(logits)) if logits[i] >= cut][:k]
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
