"""No division: r < p/q is asked as r*q < p; the cut at 1 is not needed because r < 1."""


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    kept = []
    steps = zip(draft_tokens, draft_probs, target_probs, random_uniforms, strict=True)
    for token, draft, target, mark in steps:
        if mark * draft[token] >= target[token]:
            excess = (target - draft).tolist()
            return (*kept, excess.index(max(excess))), len(kept)
        kept.append(token)
    return tuple(kept), len(kept)
