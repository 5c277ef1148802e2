# Mistake: starts again from the first token until a sum passes the mark.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    kept = sorted(ranking[:k])
    peak = logits[ranking[0]]
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    while True:
        running_sum = 0.0
        for index, weight in zip(kept, weights, strict=True):
            running_sum += weight / total
            if running_sum > random_value:
                return index
