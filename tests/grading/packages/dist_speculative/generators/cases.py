"""Cases of dist_speculative."""

import random

TARGET = [[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.25, 0.25, 0.5]]
DRAFT = [[0.2, 0.3, 0.5], [0.4, 0.4, 0.2], [0.6, 0.2, 0.2]]
MARKS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]


def generate():
    """Every case in order."""
    return [
        ("sample/01", TARGET, DRAFT, 0, MARKS),
        ("secret/10-loop/01", TARGET, DRAFT, 1, MARKS),
        ("secret/10-loop/02", DRAFT, TARGET, 2, MARKS),
    ]


def fresh(seed):
    """One more."""
    rng = random.Random(seed)
    return rows(rng), rows(rng), rng.randrange(3), [rng.random() for _ in range(6)]


def rows(rng):
    """Three rows that sum to 1."""
    weights = [[1 + rng.randrange(9) for _ in range(3)] for _ in range(3)]
    return [[weight / sum(row) for weight in row] for row in weights]
