# Mistake: np.argmax of an all-false array is 0, so the fallback is the first kept token.
import numpy as np


def sample_token(logits, temperature, k, random_value):
    z = np.array(logits)
    kept = np.sort(np.argsort(-z, kind="stable")[:k])
    weights = np.exp((z[kept] - z[kept].max()) / temperature)
    edges = np.cumsum(weights / weights.sum())
    return int(kept[np.argmax(edges > random_value)])
