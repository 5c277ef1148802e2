# Mistake: takes the softmax over all tokens and does not renormalise after the filter.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    kept = sorted(ranking[:k])
    peak = max(logits)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(math.exp((z - peak) / temperature) for z in logits)
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
