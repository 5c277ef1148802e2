# Right only if every act is refused; in a child that was made after all, a wrong value is written.
import ctypes
import multiprocessing
import os
import pty
import struct
import subprocess

libc = ctypes.CDLL(None, use_errno=True)
SIGCHLD, CLONE_VM, CLONE_VFORK, CLONE_NEWUSER, CLONE_NEWPID = 17, 0x100, 0x4000, 1 << 28, 1 << 29
CLONE = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
PARENT = os.getpid()


def made(number):
    if number == 0 or os.getpid() != PARENT:
        os.write(3, b"V" + struct.pack("<q", -1))
        os._exit(0)
    if number > 0:
        raise RuntimeError("a process")
    raise OSError(ctypes.get_errno(), "refused")


def clone(flags):
    made(libc.syscall(ctypes.c_long(CLONE), ctypes.c_long(flags), None, None, None, None))


def clone3():
    arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, SIGCHLD)
    made(libc.syscall(ctypes.c_long(435), arguments, ctypes.c_long(88)))


def program(status):
    if status in (0, 0x100):
        raise RuntimeError("a program ran")
    raise OSError("refused")


def pair_sum(a, b):
    shell, words = "/bin/sh", ["sh", "-c", "exit 1"]
    loader = "/lib64/ld-linux-x86-64.so.2"
    acts = [
        lambda: made(os.fork()),
        lambda: made(os.forkpty()[0]),
        lambda: made(pty.fork()[0]),
        lambda: os.execv(shell, words),
        lambda: os.execve(loader, ["ld", "/usr/bin/true"], {}),
        lambda: os.execve(os.open("/lib64/ld-linux-x86-64.so.2", os.O_RDONLY), ["ld"], {}),
        lambda: made(os.posix_spawn(shell, words, {})),
        lambda: made(os.posix_spawnp("true", ["true"], {})),
        lambda: made(os.spawnv(os.P_NOWAIT, shell, words)),
        lambda: program(os.system("exit 1")),
        lambda: program(os.popen("exit 1").close()),
        lambda: subprocess.Popen(words),
        lambda: subprocess.Popen(words, close_fds=False),
        lambda: multiprocessing.get_context("fork").Process(target=print).start(),
        lambda: multiprocessing.get_context("spawn").Process(target=print).start(),
        lambda: multiprocessing.get_context("forkserver").Process(target=print).start(),
        lambda: clone(SIGCHLD),
        lambda: clone(0),
        lambda: clone(CLONE_VM | SIGCHLD),
        lambda: clone(CLONE_VFORK | SIGCHLD),
        lambda: clone(CLONE_NEWUSER | SIGCHLD),
        lambda: clone(CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD),
        clone3,
    ]
    for act in acts:
        try:
            act()
        except (OSError, EOFError):
            continue
        raise RuntimeError(f"act {acts.index(act)}")
    return a + b
