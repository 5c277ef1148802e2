# Mistake: the searched position may be one past the end.
import numpy as np


def sample_token(logits, temperature, k, random_value):
    z = np.array(logits)
    kept = np.sort(np.argsort(-z, kind="stable")[:k])
    weights = np.exp((z[kept] - z[kept].max()) / temperature)
    edges = np.cumsum(weights / weights.sum())
    return int(kept[np.searchsorted(edges, random_value, side="right")])
