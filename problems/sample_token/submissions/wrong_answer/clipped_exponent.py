# Mistake: clips the scaled logits to [-50, 50] instead of subtracting the maximum.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    kept = sorted(ranking[:k])
    scaled = [max(-50.0, min(50.0, logits[i] / temperature)) for i in kept]
    weights = [math.exp(z) for z in scaled]
    total = sum(weights)
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
