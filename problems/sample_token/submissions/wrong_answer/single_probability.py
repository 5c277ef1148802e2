# Mistake: compares each probability by itself, without a running sum.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    kept = sorted(ranking[:k])
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    for index, weight in zip(kept, weights, strict=True):
        if weight / total > random_value:
            return index
    return kept[-1]
