# Takes math.log of a target probability that may be 0.
import math

import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for i, token in enumerate(draft_tokens):
        q = draft_probs[i][token]
        p = target_probs[i][token]
        log_alpha = math.log(p) - math.log(q)
        if random_uniforms[i] == 0.0 or math.log(random_uniforms[i]) < log_alpha:
            accepted.append(token)
            continue
        residual = np.maximum(target_probs[i] - draft_probs[i], 0.0)
        accepted.append(int(np.argmax(residual)))
        return accepted, i
    return accepted, len(draft_tokens)
