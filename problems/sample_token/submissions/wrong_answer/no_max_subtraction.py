# Mistake: does not subtract the maximum, so exp overflows or underflows.
import numpy as np


def sample_token(logits, temperature, k, random_value):
    z = np.array(logits)
    kept = np.sort(np.argsort(-z, kind="stable")[:k])
    with np.errstate(all="ignore"):
        weights = np.exp(z[kept] / temperature)
        edges = np.cumsum(weights / weights.sum())
    above = np.flatnonzero(edges > random_value)
    return int(kept[above[0]] if above.size else kept[-1])
