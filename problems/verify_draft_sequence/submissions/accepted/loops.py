"""Plain loops over Python floats, one comparison at a time."""


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    tokens = []
    for i in range(len(draft_tokens)):
        x = draft_tokens[i]
        p = target_probs[i][x]
        q = draft_probs[i][x]
        if p >= q or random_uniforms[i] < p / q:
            tokens.append(x)
            continue
        best = 0
        best_gap = 0.0
        for v in range(len(draft_probs[i])):
            gap = target_probs[i][v] - draft_probs[i][v]
            if gap > best_gap:
                best, best_gap = v, gap
        tokens.append(best)
        return tokens, i
    return tokens, len(draft_tokens)
