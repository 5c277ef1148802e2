"""Takes the replacement from a heap of (negative residual, token) pairs."""

import heapq


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted = []
    for i, token in enumerate(draft_tokens):
        draft, target = draft_probs[i].tolist(), target_probs[i].tolist()
        if random_uniforms[i] < min(1.0, target[token] / draft[token]):
            accepted.append(token)
            continue
        candidates = [(q - p, v) for v, (p, q) in enumerate(zip(target, draft, strict=True))]
        [(_, replacement)] = heapq.nsmallest(1, candidates)
        return [*accepted, replacement], i
    return accepted, len(accepted)
