# Mistake: compares the mark with a running sum of weights that was never normalised.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    kept = sorted(ranking[:k])
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight
        if running_sum > random_value:
            return index
    return kept[-1]
