# Mistake: walks by recursion, which is too deep for a large vocabulary.
import math


def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    kept = sorted(ranking[:k])
    peak = logits[ranking[0]]
    weights = [math.exp((logits[i] - peak) / temperature) for i in kept]
    total = sum(weights)

    def keep_walking(position, before):
        if position == k:
            return kept[-1]
        reached = before + weights[position] / total
        later = keep_walking(position + 1, reached)
        return kept[position] if reached > random_value else later

    return keep_walking(0, 0.0)
