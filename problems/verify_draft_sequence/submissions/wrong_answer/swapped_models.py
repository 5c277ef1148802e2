# Takes the target for the draft and the draft for the target.
import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for i, token in enumerate(draft_tokens):
        q = target_probs[i][token]
        p = draft_probs[i][token]
        if random_uniforms[i] * q < p:
            accepted.append(token)
            continue
        residual = np.maximum(draft_probs[i] - target_probs[i], 0.0)
        accepted.append(int(np.argmax(residual)))
        return accepted, i
    return accepted, len(draft_tokens)
