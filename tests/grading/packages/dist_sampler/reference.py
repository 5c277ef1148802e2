"""A sampler, and what it draws from."""

import bisect
import itertools


def dist_sampler(probs, uniforms):
    """Return the token that the random number falls on."""
    edges = list(itertools.accumulate(probs))
    return bisect.bisect_right(edges, uniforms[0] * edges[-1])


def pmf(probs):
    """Return the chance of every token."""
    return probs
