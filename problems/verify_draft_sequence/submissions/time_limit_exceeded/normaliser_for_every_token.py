# Computes the sum of the residual again for every token: quadratic in V.


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for i, token in enumerate(draft_tokens):
        if random_uniforms[i] < min(1.0, target_probs[i][token] / draft_probs[i][token]):
            accepted.append(token)
            continue
        p, q = target_probs[i].tolist(), draft_probs[i].tolist()
        size = len(p)
        adjusted = [
            max(0.0, p[v] - q[v]) / sum(max(0.0, p[w] - q[w]) for w in range(size))
            for v in range(size)
        ]
        accepted.append(adjusted.index(max(adjusted)))
        return accepted, i
    return accepted, len(draft_tokens)
