"""The residual is divided by its exactly rounded sum before the maximum is taken."""

from math import fsum


def adjusted_distribution(target, draft):
    residual = [max(0.0, p - q) for p, q in zip(target, draft, strict=True)]
    total = fsum(residual)
    return [value / total for value in residual]


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    accepted_tokens = []
    num_accepted = 0
    for i, x in enumerate(draft_tokens):
        alpha = min(1.0, float(target_probs[i][x]) / float(draft_probs[i][x]))
        if random_uniforms[i] >= alpha:
            p_prime = adjusted_distribution(target_probs[i].tolist(), draft_probs[i].tolist())
            accepted_tokens.append(max(range(len(p_prime)), key=p_prime.__getitem__))
            break
        accepted_tokens.append(x)
        num_accepted += 1
    return accepted_tokens, num_accepted
