"""Single precision; divides by the temperature before it subtracts the maximum."""

import numpy as np


def sample_token(logits, temperature, k, random_value):
    scaled = np.array(logits, np.float32) / np.float32(temperature)
    kept = np.sort(np.lexsort((np.arange(scaled.size), -scaled))[:k])
    scaled = scaled[kept]
    weights = np.exp(scaled - scaled.max())
    total = np.float32(0)
    for weight in weights:
        total += weight
    edge = np.float32(0)
    for index, weight in zip(kept, weights, strict=True):
        edge += weight / total
        if edge > np.float32(random_value):
            return index
    return kept[-1]
