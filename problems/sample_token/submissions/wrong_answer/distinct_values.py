# Mistake: counts k different logit values instead of k tokens.
import math


def sample_token(logits, temperature, k, random_value):
    best = set(sorted(set(logits), reverse=True)[:k])
    kept = [i for i in range(len(logits)) if logits[i] in best]
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
