"""Speculative decoding of two tokens, and what it must draw from."""

import bisect
import itertools


def dist_speculative(target, draft, start, uniforms):
    """Return two tokens, as first * vocabulary + second."""
    tokens, last = [], start
    numbers = iter(uniforms)
    for _ in range(2):
        p, q = target[last], draft[last]
        last = draw(q, next(numbers))
        accepted = next(numbers) * q[last] < p[last]
        mark = next(numbers)
        if not accepted:
            last = draw(residual(p, q), mark)
        tokens.append(last)
    return tokens[0] * len(target) + tokens[1]


def draw(weights, mark):
    """Return the index on which a mark between 0 and 1 falls."""
    edges = list(itertools.accumulate(weights))
    return bisect.bisect_right(edges, mark * edges[-1])


def residual(p, q):
    """Return what the draft gives too little of."""
    return [max(0.0, wanted - given) for wanted, given in zip(p, q)]


def pmf(target, draft, start):
    """Return the chance of every pair of tokens."""
    size = len(target)
    return [target[start][a] * target[a][b] for a in range(size) for b in range(size)]
