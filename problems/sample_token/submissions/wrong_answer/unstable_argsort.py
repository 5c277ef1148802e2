# Mistake: np.argsort without kind="stable" may order ties in any way.
import numpy as np


def sample_token(logits, temperature, k, random_value):
    z = np.array(logits)
    kept = np.sort(np.argsort(-z)[:k])
    weights = np.exp((z[kept] - z[kept].max()) / temperature)
    edges = np.cumsum(weights / weights.sum())
    above = np.flatnonzero(edges > random_value)
    return int(kept[above[0]] if above.size else kept[-1])
