from __future__ import annotations


def pair_sum(a: Unknown, b: Unknown) -> Unknown:
    return a + b
