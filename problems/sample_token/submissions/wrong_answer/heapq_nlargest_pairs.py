# Mistake: heapq.nlargest on (logit, index) pairs prefers the larger index.
import heapq
import math


def sample_token(logits, temperature, k, random_value):
    best = heapq.nlargest(k, ((logit, i) for i, logit in enumerate(logits)))
    kept = sorted(i for _, i in best)
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
