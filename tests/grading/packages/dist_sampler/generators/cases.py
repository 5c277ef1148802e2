"""Cases of dist_sampler."""

import random


def generate():
    """Every case in order."""
    return [
        ("sample/01", [0.5, 0.25, 0.25], [0.6]),
        ("secret/10-few/01", [0.125, 0.5, 0.375], [0.3]),
        ("secret/10-few/02", [0.1, 0.2, 0.3, 0.4], [0.9]),
        ("secret/20-rare/01", [0.0, 0.7, 0.01, 0.09, 0.2], [0.05]),
    ]


def fresh(seed):
    """One more."""
    rng = random.Random(seed)
    weights = [1 + rng.randrange(9) for _ in range(3 + rng.randrange(4))]
    return [weight / sum(weights) for weight in weights], [rng.random()]
