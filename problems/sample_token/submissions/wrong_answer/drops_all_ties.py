# Mistake: keeps only tokens above the first dropped logit, so it drops whole ties.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(logits, reverse=True)
    bound = ranking[k] if k < len(logits) else -math.inf
    kept = [i for i in range(len(logits)) if logits[i] > bound] or [logits.index(max(logits))]
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
