# Reads row 0 at every position.
import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for i, token in enumerate(draft_tokens):
        q = draft_probs[0][token]
        p = target_probs[0][token]
        if random_uniforms[i] < min(1.0, p / q):
            accepted.append(token)
            continue
        residual = np.maximum(target_probs[0] - draft_probs[0], 0.0)
        accepted.append(int(np.argmax(residual)))
        return accepted, i
    return accepted, len(draft_tokens)
