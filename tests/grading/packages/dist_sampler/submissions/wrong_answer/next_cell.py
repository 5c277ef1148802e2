def dist_sampler(probs, uniforms):
    left = uniforms[0]
    for token, probability in enumerate(probs):
        left -= probability
        if left < 0:
            return (token + 1) % len(probs)
    return 0
