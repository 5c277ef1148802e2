"""A heap finds the k best tokens; the mark is compared with unnormalised sums."""

import heapq
import math


def sample_token(logits, temperature, k, random_value):
    best = heapq.nsmallest(k, ((-logit, index) for index, logit in enumerate(logits)))
    lowest_energy = best[0][0]
    kept = sorted((index, energy) for energy, index in best)
    weights = [math.exp((lowest_energy - energy) / temperature) for _, energy in kept]
    target = random_value * sum(weights)
    covered = 0.0
    for (index, _), weight in zip(kept, weights, strict=True):
        covered += weight
        if covered > target:
            return index
    return kept[-1][0]
