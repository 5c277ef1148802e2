"""Single precision from the first step to the last."""

import numpy as np


def sample_token(logits, temperature, k, random_value):
    z = np.asarray(logits, dtype=np.float32)
    t = np.float32(temperature)
    u = np.float32(random_value)
    kept = np.sort(np.argsort(-z, kind="stable")[:k])
    weights = np.exp((z[kept] - z[kept].max()) / t)
    probabilities = weights / weights.sum(dtype=np.float32)
    edges = np.cumsum(probabilities, dtype=np.float32)
    above = np.flatnonzero(edges > u)
    return int(kept[above[0]] if above.size else kept[-1])
