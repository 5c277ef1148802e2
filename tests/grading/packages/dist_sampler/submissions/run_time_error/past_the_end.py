def dist_sampler(probs, uniforms):
    return int(uniforms[1])
