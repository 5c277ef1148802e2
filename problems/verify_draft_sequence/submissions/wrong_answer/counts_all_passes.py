# Counts the positions that would pass anywhere, not only before the first rejection.
import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    rows = np.arange(len(draft_tokens))
    alpha = np.minimum(1.0, target_probs[rows, draft_tokens] / draft_probs[rows, draft_tokens])
    passed = np.array(random_uniforms) < alpha
    if passed.all():
        return list(draft_tokens), len(draft_tokens)
    stop = int(np.argmin(passed))
    residual = np.maximum(target_probs[stop] - draft_probs[stop], 0.0)
    return [*draft_tokens[:stop], int(np.argmax(residual))], int(passed.sum())
