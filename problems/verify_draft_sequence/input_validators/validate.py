"""Input validator of verify_draft_sequence: every constraint that the statement promises."""

import math

import numpy as np

MEMBERS = ("draft_tokens", "draft_probs", "target_probs", "random_uniforms")
MAX_POSITIONS = 64
MAX_VOCABULARY = 50257
SUM_TOLERANCE = 1e-9


def validate(case: dict) -> None:
    """Raise ValueError when the case breaks a constraint."""
    if set(case) != set(MEMBERS):
        raise ValueError(f"expected the members {', '.join(MEMBERS)}, got {sorted(case)}")
    tokens = _list_of(case["draft_tokens"], "draft_tokens", (int, np.integer))
    marks = _list_of(case["random_uniforms"], "random_uniforms", (int, float, np.number))
    positions = len(tokens)
    if not 1 <= positions <= MAX_POSITIONS:
        raise ValueError(f"K must be in 1..{MAX_POSITIONS}, got {positions} draft tokens")
    if len(marks) != positions:
        raise ValueError(f"{positions} draft tokens but {len(marks)} random_uniforms")
    draft = _distributions(case["draft_probs"], "draft_probs", positions)
    target = _distributions(case["target_probs"], "target_probs", positions)
    if draft.shape != target.shape:
        raise ValueError(f"draft_probs is {draft.shape} but target_probs is {target.shape}")
    for i, mark in enumerate(marks):
        if not 0.0 <= mark < 1.0:
            raise ValueError(f"random_uniforms[{i}] must be in [0, 1), got {mark!r}")
    for i, token in enumerate(tokens):
        if not 0 <= token < draft.shape[1]:
            raise ValueError(f"draft_tokens[{i}] must be in 0..{draft.shape[1] - 1}, got {token}")
        if not draft[i, token] > 0.0:
            raise ValueError(f"draft_probs[{i}][{token}] must be positive: the draft drew it")


def _list_of(value, name, kinds):
    """Check that value is a list of numbers of the given kinds (a bool is not a number)."""
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list, got {type(value).__name__}")
    for i, item in enumerate(value):
        if isinstance(item, (bool, np.bool_)) or not isinstance(item, kinds):
            raise ValueError(f"{name}[{i}] has the wrong type {type(item).__name__}")
    return value


def _distributions(value, name, positions):
    """Check that value is a K x V array whose rows are probability distributions."""
    array = np.asarray(value)
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise ValueError(f"{name} must be a 2-d array of numbers")
    if array.shape[0] != positions:
        raise ValueError(f"{name} must have {positions} rows, got {array.shape[0]}")
    if not 2 <= array.shape[1] <= MAX_VOCABULARY:
        raise ValueError(f"V must be in 2..{MAX_VOCABULARY}, got {array.shape[1]} in {name}")
    array = array.astype(np.float64)
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must hold finite numbers only")
    if np.any(array < 0.0):
        raise ValueError(f"{name} must not hold a negative probability")
    for i, row in enumerate(array):
        total = math.fsum(row.tolist())
        if abs(total - 1.0) > SUM_TOLERANCE:
            raise ValueError(f"{name}[{i}] must sum to 1 within {SUM_TOLERANCE}, got {total!r}")
    return array
