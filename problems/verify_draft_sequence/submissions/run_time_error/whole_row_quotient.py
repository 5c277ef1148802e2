# Divides whole rows in plain Python, where q may be 0.
import numpy as np


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for i, token in enumerate(draft_tokens):
        pairs = zip(target_probs[i].tolist(), draft_probs[i].tolist(), strict=True)
        alphas = [min(1.0, b / a) for b, a in pairs]
        if random_uniforms[i] < alphas[token]:
            accepted.append(token)
            continue
        residual = np.maximum(target_probs[i] - draft_probs[i], 0.0)
        accepted.append(int(np.argmax(residual)))
        return accepted, i
    return accepted, len(draft_tokens)
