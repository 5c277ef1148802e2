"""Validator of dist_speculative."""


def validate(case):
    """Raise ValueError if the case breaks a constraint."""
    for row in case["target"] + case["draft"]:
        if abs(sum(row) - 1) > 1e-9:
            raise ValueError("a row does not sum to 1")
    if len(case["uniforms"]) != 6:
        raise ValueError("a draw takes six numbers")
