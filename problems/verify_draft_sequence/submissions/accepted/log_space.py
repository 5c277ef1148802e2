"""The comparison in logarithms, with log 0 taken as minus infinity."""

import math

import numpy as np


def log(value):
    return math.log(value) if value > 0.0 else -math.inf


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    for i, token in enumerate(draft_tokens):
        log_alpha = min(0.0, log(target_probs[i, token]) - log(draft_probs[i, token]))
        if not log(random_uniforms[i]) < log_alpha:
            residual = np.maximum(0.0, target_probs[i] - draft_probs[i])
            return [*draft_tokens[:i], int(np.argmax(residual))], i
    return list(draft_tokens), len(draft_tokens)
