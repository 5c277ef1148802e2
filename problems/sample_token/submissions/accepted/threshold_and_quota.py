"""Find the k-th largest value, keep everything above it, fill up with ties from the left."""

import math


def sample_token(logits, temperature, k, random_value):
    cut = sorted(logits)[-k]
    quota = k - sum(logit > cut for logit in logits)
    kept = []
    for index, logit in enumerate(logits):
        if logit > cut:
            kept.append(index)
        elif logit == cut and quota > 0:
            kept.append(index)
            quota -= 1
    peak = max(logits)
    weights = [math.exp(logits[index] / temperature - peak / temperature) for index in kept]
    total = sum(weights)
    left = random_value
    for index, weight in zip(kept, weights, strict=True):
        left -= weight / total
        if left < 0:
            return index
    return kept[-1]
