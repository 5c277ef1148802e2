"""Reference solution of verify_draft_sequence: plain loops in double precision."""


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    """Return the verified tokens and the number of draft tokens among them."""
    verified = []
    for position, token in enumerate(draft_tokens):
        draft_row = draft_probs[position].tolist()
        target_row = target_probs[position].tolist()
        acceptance = min(1.0, target_row[token] / draft_row[token])
        if random_uniforms[position] < acceptance:
            verified.append(token)
        else:
            verified.append(_replacement(draft_row, target_row))
            return verified, position
    return verified, len(draft_tokens)


def _replacement(draft_row, target_row):
    """Return the smallest token id with the largest residual max(0, p - q).

    Dividing every residual by the same positive sum would not move the maximum.
    """
    best_token = 0
    best_residual = 0.0
    for token, (q, p) in enumerate(zip(draft_row, target_row, strict=True)):
        residual = max(0.0, p - q)
        if residual > best_residual:
            best_token = token
            best_residual = residual
    return best_token
