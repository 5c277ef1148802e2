# Mistake: returns the position among the kept tokens, not the index in the vocabulary.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    kept = sorted(ranking[:k])
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    running_sum = 0.0
    for position, weight in enumerate(weights):
        running_sum += weight / total
        if running_sum > random_value:
            return position
    return k - 1
