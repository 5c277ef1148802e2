# Mistake: also drops the tokens beyond 95 percent of the kept mass.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    best = logits[ranking[0]]
    mass = [math.exp((logits[i] - best) / temperature) for i in ranking[:k]]
    kept, covered = [], 0.0
    for i, part in zip(ranking, mass, strict=False):
        kept.append(i)
        covered += part / sum(mass)
        if covered >= 0.95:
            break
    kept.sort()
    peak = max(logits[i] for i in kept)
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)
    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
