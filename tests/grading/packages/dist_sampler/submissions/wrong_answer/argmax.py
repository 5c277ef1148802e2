def dist_sampler(probs, uniforms):
    return probs.index(max(probs))
