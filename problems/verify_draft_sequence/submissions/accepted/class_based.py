"""A verifier object that returns a list holding a NumPy array and a NumPy integer."""

import numpy as np


class DraftVerifier:
    def __init__(self, draft_probs, target_probs):
        self.draft_probs = draft_probs
        self.target_probs = target_probs

    def accepts(self, position, token, mark):
        ratio = self.target_probs[position, token] / self.draft_probs[position, token]
        return mark < min(1.0, ratio)

    def replace(self, position):
        residual = self.target_probs[position] - self.draft_probs[position]
        residual[residual < 0] = 0
        return residual.argmax()

    def run(self, tokens, marks):
        output = []
        for position, (token, mark) in enumerate(zip(tokens, marks, strict=True)):
            if not self.accepts(position, token, mark):
                output.append(self.replace(position))
                return [np.array(output), np.int64(position)]
            output.append(token)
        return [np.array(output), np.int64(len(tokens))]


def verify_draft_sequence(draft_tokens, draft_probs, target_probs, random_uniforms):
    return DraftVerifier(draft_probs, target_probs).run(draft_tokens, random_uniforms)
