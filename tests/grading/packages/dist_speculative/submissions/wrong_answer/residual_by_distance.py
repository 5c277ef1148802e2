def dist_speculative(target, draft, start, uniforms):
    """Return two tokens, as first * vocabulary + second."""
    tokens, last = [], start
    numbers = iter(uniforms)
    while len(tokens) < 2:
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
    left = mark * sum(weights)
    for token, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return token
    return max(token for token, weight in enumerate(weights) if weight > 0)


def residual(p, q):
    """Return what the draft gives too little of."""
    return [abs(wanted - given) for wanted, given in zip(p, q)]
