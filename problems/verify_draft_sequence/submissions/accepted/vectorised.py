"""All ratios at once with NumPy, then the first failing position."""

import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    tokens = np.asarray(draft_tokens)
    rows = np.arange(len(tokens))
    alpha = np.minimum(1.0, target_probs[rows, tokens] / draft_probs[rows, tokens])
    failing = np.flatnonzero(np.asarray(random_uniforms) >= alpha)
    if failing.size == 0:
        return tokens.tolist(), len(tokens)
    stop = int(failing[0])
    residual = np.clip(target_probs[stop] - draft_probs[stop], 0.0, None)
    return [*tokens[:stop].tolist(), int(residual.argmax())], stop
