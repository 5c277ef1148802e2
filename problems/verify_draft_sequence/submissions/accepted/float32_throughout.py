"""Single precision for every number, as a GPU kernel would have it."""

import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    draft = draft_probs.astype(np.float32)
    target = target_probs.astype(np.float32)
    marks = np.array(random_uniforms, dtype=np.float32)
    accepted = []
    for i, x in enumerate(draft_tokens):
        alpha = min(np.float32(1), target[i, x] / draft[i, x])
        if marks[i] < alpha:
            accepted.append(x)
            continue
        residual = np.maximum(target[i] - draft[i], np.float32(0))
        residual /= residual.sum()
        accepted.append(int(np.argmax(residual)))
        return accepted, i
    return accepted, len(draft_tokens)
