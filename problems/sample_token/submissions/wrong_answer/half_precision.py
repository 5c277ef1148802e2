# Mistake: works in 16-bit floating point.
import numpy as np


def sample_token(logits, temperature, k, random_value):
    z = np.array(logits, dtype=np.float16)
    kept = np.sort(np.argsort(-z, kind="stable")[:k])
    weights = np.exp((z[kept] - z[kept].max()) / np.float16(temperature))
    edges = np.cumsum(weights / weights.sum(), dtype=np.float16)
    above = np.flatnonzero(edges > np.float16(random_value))
    return int(kept[above[0]] if above.size else kept[-1])
