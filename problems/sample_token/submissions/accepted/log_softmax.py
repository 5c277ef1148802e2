"""Probabilities as exp(z - logsumexp(z)); returns a zero-dimensional integer array."""

import numpy as np


def sample_token(logits, temperature, k, random_value):
    z = np.array(logits, dtype=np.float64)
    kept = sorted(sorted(range(z.size), key=lambda i: (-z[i], i))[:k])
    scaled = (z[kept] - z[kept].max()) / temperature
    probabilities = np.exp(scaled - np.log(np.exp(scaled).sum()))
    edges = probabilities.cumsum()
    edges[-1] = 1.0
    return np.array(kept)[np.argmax(edges > random_value)].reshape(())
