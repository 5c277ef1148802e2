"""Validator of dist_sampler."""


def validate(case):
    """Raise ValueError if the case breaks a constraint."""
    if abs(sum(case["probs"]) - 1) > 1e-9 or len(case["uniforms"]) != 1:
        raise ValueError("probs must sum to 1, and a draw takes one number")
