def dist_sampler(probs, uniforms):
    support = [token for token, probability in enumerate(probs) if probability > 0]
    return support[int(uniforms[0] * len(support))]
