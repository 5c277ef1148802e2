def dist_sampler(probs, uniforms):
    left = uniforms[0] * (1 - probs[-1])
    for token, probability in enumerate(probs[:-1]):
        left -= probability
        if left < 0:
            return token
    return len(probs) - 2
