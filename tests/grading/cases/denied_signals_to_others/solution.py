# Right only if every act is refused.
import ctypes
import os
import signal

libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = {
    "x86_64": {"tgkill": 234, "tkill": 200, "sigqueue": 129, "tgsigqueue": 297},
    "aarch64": {"tgkill": 131, "tkill": 130, "sigqueue": 138, "tgsigqueue": 240},
}[os.uname().machine]


def call(number, *arguments):
    plain = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    if libc.syscall(ctypes.c_long(number), *plain) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def pair_sum(a, b):
    information = ctypes.create_string_buffer(128)
    mine = os.getpid()
    others = [-1, 0, 1, os.getppid(), -mine, mine - 1, mine + 1]
    acts = [lambda other=other: os.kill(other, signal.SIGKILL) for other in others]
    for other in (1, os.getppid(), mine - 1):
        acts += [
            lambda other=other: call(NUMBERS["tgkill"], other, other, 9),
            lambda other=other: call(NUMBERS["tkill"], other, 9),
            lambda other=other: call(NUMBERS["sigqueue"], other, 9, information),
            lambda other=other: call(NUMBERS["tgsigqueue"], other, other, 9, information),
            lambda other=other: os.pidfd_open(other),
            lambda other=other: call(424, other, 9, None, 0),
            lambda other=other: call(438, other, 3, 0),
            lambda other=other: call(448, other, 0),
        ]
    acts += [lambda: os.killpg(0, 9), lambda: os.pidfd_open(mine), os.setsid, lambda: os.setpgid(0, 0)]
    for act in acts:
        try:
            act()
        except OSError:
            continue
        raise RuntimeError(f"act {acts.index(act)}")
    return a + b
