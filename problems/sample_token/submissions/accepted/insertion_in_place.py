"""Changes its own input: takes the best tokens out of the list one after the other."""

import math


def sample_token(logits, temperature, k, random_value):
    kept = {}
    while len(kept) < k:
        index = logits.index(max(logits))
        kept[index] = logits[index]
        logits[index] = -math.inf
    peak = max(kept.values())
    order = sorted(kept)
    weights = [math.exp((kept[i] - peak) / temperature) for i in order]
    probabilities = [weight / sum(weights) for weight in weights]
    edge = 0.0
    for index, probability in zip(order, probabilities, strict=True):
        edge += probability
        if edge > random_value:
            return index
    return order[-1]
