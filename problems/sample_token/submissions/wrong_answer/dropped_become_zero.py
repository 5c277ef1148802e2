# Mistake: sets dropped logits to 0 instead of removing them.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    best = set(ranking[:k])
    masked = [z if i in best else 0.0 for i, z in enumerate(logits)]
    kept = range(len(logits))
    peak = max(masked)
    weights = [math.exp((masked[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return max(best)
