"""Works inside the arrays it was given: they are fresh copies, so this is allowed."""

import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    n = 0
    output = []
    while draft_tokens:
        token = draft_tokens.pop(0)
        mark = random_uniforms.pop(0)
        if target_probs[n][token] > mark * draft_probs[n][token]:
            output.append(np.int32(token))
            n += 1
            continue
        target_probs[n] -= draft_probs[n]
        np.maximum(target_probs[n], 0.0, out=target_probs[n])
        target_probs[n] /= target_probs[n].sum()
        output.append(np.argmax(target_probs[n]))
        break
    return output, n
