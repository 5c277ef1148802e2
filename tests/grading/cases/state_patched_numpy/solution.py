import builtins

import numpy as np

if hasattr(np, "patched") or hasattr(builtins, "patched"):
    raise RuntimeError("a run before this one is still here")


def pair_sum(a, b):
    np.patched = builtins.patched = True
    return a + b
