# Searches only among the 100 likeliest target tokens.
import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for i, token in enumerate(draft_tokens):
        q = draft_probs[i][token]
        p = target_probs[i][token]
        if random_uniforms[i] < min(1.0, p / q):
            accepted.append(token)
            continue
        residual = np.maximum(target_probs[i] - draft_probs[i], 0.0)
        likely = np.sort(np.argsort(-target_probs[i], kind="stable")[:100])
        accepted.append(int(likely[np.argmax(residual[likely])]))
        return accepted, i
    return accepted, len(draft_tokens)
