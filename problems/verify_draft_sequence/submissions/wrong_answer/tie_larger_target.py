# Among equal residuals, takes the larger p.
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

        def score(v, r=residual, t=target_probs[i]):
            return (r[v], t[v])

        accepted.append(max(range(len(residual)), key=score))
        return accepted, i
    return accepted, len(draft_tokens)
