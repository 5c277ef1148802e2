"""Ranks all residuals with a stable sort, so that ties stay in order of token id."""

import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for i, token in enumerate(draft_tokens):
        if random_uniforms[i] < target_probs[i, token] / draft_probs[i, token]:
            accepted.append(token)
        else:
            residual = np.maximum(0.0, target_probs[i] - draft_probs[i])
            order = np.argsort(-residual, kind="stable")
            accepted.append(int(order[0]))
            break
    else:
        return accepted, len(draft_tokens)
    return accepted, len(accepted) - 1
