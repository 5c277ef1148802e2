# Mistake: handles k = 1 by itself and lets the last of equal logits win.
import math


def sample_token(logits, temperature, k, random_value):
    if k == 1:
        best = 0
        for i, logit in enumerate(logits):
            if logit >= logits[best]:
                best = i
        return best
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
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
