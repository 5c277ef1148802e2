# Mistake: a reversed ascending argsort puts the larger index of a tie first.
import numpy as np


def sample_token(logits, temperature, k, random_value):
    z = np.array(logits)
    kept = np.sort(np.argsort(z, kind="stable")[::-1][:k])
    weights = np.exp((z[kept] - z[kept].max()) / temperature)
    edges = np.cumsum(weights / weights.sum())
    above = np.flatnonzero(edges > random_value)
    return int(kept[above[0]] if above.size else kept[-1])
