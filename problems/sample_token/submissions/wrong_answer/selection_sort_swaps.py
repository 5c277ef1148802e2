# Mistake: swaps while it selects, which changes the order of equal logits.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = list(range(len(logits)))
    for a in range(k):
        best = max(range(a, len(logits)), key=lambda b: logits[ranking[b]])
        ranking[a], ranking[best] = ranking[best], ranking[a]
    kept = sorted(ranking[:k])
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
