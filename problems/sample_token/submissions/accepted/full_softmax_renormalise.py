"""Softmax over the whole vocabulary first, then filter, then divide by the kept mass."""

import numpy as np


def sample_token(logits, temperature, k, random_value):
    z = np.array(logits) / temperature
    probabilities = np.exp(z - z.max())
    probabilities /= probabilities.sum()
    kept = np.sort(np.argsort(-z, kind="stable")[:k])
    probabilities = probabilities[kept] / probabilities[kept].sum()
    edge = 0.0
    for index, probability in zip(kept.tolist(), probabilities.tolist(), strict=True):
        edge += probability
        if edge > random_value:
            return index
    return int(kept[-1])
