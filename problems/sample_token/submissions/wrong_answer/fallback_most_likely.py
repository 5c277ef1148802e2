# Mistake: returns the most likely token when no sum passes the mark.
import math


def sample_token(logits, temperature, k, random_value):
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
    return ranking[0]
