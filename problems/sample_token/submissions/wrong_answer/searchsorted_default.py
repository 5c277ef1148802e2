# Mistake: np.searchsorted looks on the left side unless told otherwise.
import numpy as np


def sample_token(logits, temperature, k, random_value):
    z = np.array(logits)
    kept = np.sort(np.argsort(-z, kind="stable")[:k])
    weights = np.exp((z[kept] - z[kept].max()) / temperature)
    edges = np.cumsum(weights / weights.sum())
    position = np.searchsorted(edges, random_value)
    return int(kept[min(position, k - 1)])
