# Scans with >=, so that the last of equal residuals wins.


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for i, token in enumerate(draft_tokens):
        if random_uniforms[i] < min(1.0, target_probs[i][token] / draft_probs[i][token]):
            accepted.append(token)
            continue
        best, best_residual = 0, 0.0
        pairs = zip(target_probs[i].tolist(), draft_probs[i].tolist(), strict=True)
        for v, (p, q) in enumerate(pairs):
            residual = max(0.0, p - q)
            if residual > 0.0 and residual >= best_residual:
                best, best_residual = v, residual
        accepted.append(best)
        return accepted, i
    return accepted, len(draft_tokens)
