# Right only if nothing is left of what a run before this one changed.
import builtins
import ctypes
import decimal
import fractions
import gc
import json
import locale
import os
import random
import signal
import sys
import threading

import numpy as np

libc = ctypes.CDLL(None)


def seen():
    return [
        os.environ.get("LEFT"),
        os.getcwd(),
        sys.path[0],
        sys.getrecursionlimit(),
        sys.getswitchinterval(),
        sys.get_int_max_str_digits() if hasattr(sys, "get_int_max_str_digits") else 0,
        sys.gettrace(),
        getattr(builtins, "left", None),
        getattr(json, "left", None),
        hasattr(np, "left"),
        np.geterr()["divide"],
        np.get_printoptions()["precision"],
        decimal.getcontext().prec,
        fractions.Fraction(1, 3).limit_denominator(2) == 0,
        locale.getlocale(locale.LC_NUMERIC)[0],
        random.getstate()[2],
        np.random.get_state()[2] if np.random.get_state()[2] == 7 else 0,
        signal.getsignal(signal.SIGUSR1) is signal.SIG_IGN,
        threading.stack_size(),
        gc.get_threshold(),
        gc.isenabled(),
        libc.getenv(b"LEFT"),
        len(threading.enumerate()),
    ]


ORIGINAL = seen()
CLEAN = [None, None, None, None, None, None, None, None, None, False, None, 8, 28]
if any(want is not None and want != have for want, have in zip(CLEAN, ORIGINAL)):
    raise RuntimeError(ORIGINAL)
for index in (0, 6, 7, 8, 15, 21):
    if ORIGINAL[index]:
        raise RuntimeError(ORIGINAL)
if ORIGINAL[3] == 77 or not ORIGINAL[20] or ORIGINAL[19][0] == 77 or ORIGINAL[17] or ORIGINAL[22] != 1:
    raise RuntimeError(ORIGINAL)


def pair_sum(a, b):
    os.environ["LEFT"] = "1"
    os.chdir("/")
    sys.path.insert(0, "/left")
    sys.setrecursionlimit(77)
    sys.setswitchinterval(1)
    builtins.left = json.left = np.left = True
    np.seterr(all="raise")
    np.set_printoptions(precision=2)
    np.add = np.subtract
    decimal.getcontext().prec = 2
    random.gauss(0, 1)
    random.seed(1)
    np.random.seed(1)
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    threading.stack_size(1 << 20)
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    gc.disable()
    gc.set_threshold(77)
    libc.setenv(b"LEFT", b"1", 1)
    return a + b
