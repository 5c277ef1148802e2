# Takes token 0 for padding and stops in front of it.
import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for i, token in enumerate(draft_tokens):
        if token == 0:
            return accepted, len(accepted)
        q = draft_probs[i][token]
        p = target_probs[i][token]
        if random_uniforms[i] < min(1.0, p / q):
            accepted.append(token)
            continue
        residual = np.maximum(target_probs[i] - draft_probs[i], 0.0)
        accepted.append(int(np.argmax(residual)))
        return accepted, i
    return accepted, len(draft_tokens)
