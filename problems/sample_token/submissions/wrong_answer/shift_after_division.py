# Mistake: subtracts the unscaled maximum from the scaled logits, so exp leaves its range.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    kept = sorted(ranking[:k])
    peak = max(logits[i] for i in kept)
    weights = [math.exp(min(logits[i] / temperature - peak, 700.0)) for i in kept]
    total = sum(weights) or 1.0
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
