# Finds the position of a token with list.index, which meets the first copy.
import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for token in draft_tokens:
        i = draft_tokens.index(token)
        q = draft_probs[i][token]
        p = target_probs[i][token]
        if random_uniforms[i] < min(1.0, p / q):
            accepted.append(token)
            continue
        residual = np.maximum(target_probs[i] - draft_probs[i], 0.0)
        accepted.append(int(np.argmax(residual)))
        return accepted, i
    return accepted, len(draft_tokens)
