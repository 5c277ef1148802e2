"""Reference answer for sample_token: top-k filter, temperature softmax, walk by index."""

import math


def sample_token(logits: list[float], temperature: float, k: int, random_value: float) -> int:
    """Return the index of the token that random_value selects."""
    # sorted() is stable, so equal logits stay in ascending index order.
    ranking = sorted(range(len(logits)), key=lambda index: -logits[index])
    kept = sorted(ranking[:k])

    largest = logits[ranking[0]]
    weights = [math.exp((logits[index] - largest) / temperature) for index in kept]
    total = math.fsum(weights)

    running_sum = 0.0
    for index, weight in zip(kept, weights, strict=True):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return kept[-1]
