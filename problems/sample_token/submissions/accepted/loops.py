"""Plain loops, no library but math: pick the best token k times."""

import math


def sample_token(logits, temperature, k, random_value):
    taken = [False] * len(logits)
    largest = None
    for _ in range(k):
        best = -1
        for i in range(len(logits)):
            if not taken[i] and (best == -1 or logits[i] > logits[best]):
                best = i
        taken[best] = True
        if largest is None:
            largest = logits[best]

    total = 0.0
    for i in range(len(logits)):
        if taken[i]:
            total += math.exp((logits[i] - largest) / temperature)

    running_sum = 0.0
    last = 0
    for i in range(len(logits)):
        if taken[i]:
            running_sum += math.exp((logits[i] - largest) / temperature) / total
            if running_sum > random_value:
                return i
            last = i
    return last
