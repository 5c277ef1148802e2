# Mistake: sorts the list in place and answers with an index of the sorted list.
import math


def sample_token(logits, temperature, k, random_value):
    logits.sort(reverse=True)
    weights = [math.exp((z - logits[0]) / temperature) for z in logits[:k]]
    total = sum(weights)
    running_sum = 0.0
    for index, weight in enumerate(weights):
        running_sum += weight / total
        if running_sum > random_value:
            return index
    return k - 1
