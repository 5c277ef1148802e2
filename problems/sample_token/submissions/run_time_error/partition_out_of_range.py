# Mistake: np.argpartition at position k fails when k is the whole vocabulary.
import numpy as np


def sample_token(logits, temperature, k, random_value):
    z = np.array(logits)
    cut = z[np.argpartition(-z, k)[k]]
    above = np.flatnonzero(z > cut)
    ties = np.flatnonzero(z == cut)
    kept = np.sort(np.concatenate([above, ties[: k - above.size]]))
    weights = np.exp((z[kept] - z[kept].max()) / temperature)
    edges = np.cumsum(weights / weights.sum())
    passed = np.flatnonzero(edges > random_value)
    return int(kept[passed[0]] if passed.size else kept[-1])
