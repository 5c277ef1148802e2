# Right only if every act is refused: no name of a box may lead out of it, nor make whoever opens it
# wait.
import ctypes
import os
import stat

libc = ctypes.CDLL(None, use_errno=True)
HANDLES = {"x86_64": (303, 304), "aarch64": (264, 265)}[os.uname().machine]


def call(number, *arguments):
    plain = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    if libc.syscall(ctypes.c_long(number), *plain) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def pair_sum(a, b):
    try:
        open("/tmp/file", "w").close()
    except OSError:
        pass
    library = os.__file__
    handle, mount = (ctypes.c_uint32 * 40)(128), ctypes.c_int()
    how = (ctypes.c_uint64 * 3)(os.O_RDONLY, 0, 0)
    acts = [
        lambda: os.symlink("/etc/passwd", "/tmp/link"),
        lambda: os.link("/tmp/file", "/tmp/link"),
        lambda: os.link(library, "/tmp/link"),
        lambda: os.rename("/tmp/file", "/usr/lib/file"),
        lambda: os.replace("/tmp/file", library),
        lambda: os.replace("/tmp", "/dev"),
        lambda: open(f"/proc/self/fd/{os.open(library, os.O_PATH)}", "w"),
        lambda: os.fchmod(os.open(library, os.O_RDONLY), 0o777),
        lambda: call(437, -100, library.encode(), how, 24),
        lambda: call(HANDLES[0], -100, b"/tmp", handle, ctypes.byref(mount), 0),
        lambda: call(HANDLES[1], -100, handle, 0),
        lambda: os.open("/tmp", os.O_TMPFILE | os.O_RDWR) and os.link("/tmp/file", "/tmp/other"),
        lambda: os.mkfifo("/tmp/pipe"),
        lambda: os.mknod("/tmp/null", stat.S_IFCHR | 0o666, os.makedev(1, 3)),
        lambda: os.mknod("/tmp/plain", stat.S_IFREG | 0o666),
        lambda: os.chmod("/tmp/file", 0o4755),
        lambda: os.chmod("/tmp/file", 0o755),
        lambda: os.chown("/tmp/file", 0, 0),
        lambda: os.setxattr("/tmp/file", "user.a", b"b"),
        lambda: os.setxattr("/tmp/file", "security.capability", bytes(20)),
        lambda: os.chroot("/tmp"),
    ]
    for act in acts:
        try:
            act()
        except OSError:
            continue
        raise RuntimeError(f"act {acts.index(act)}")
    return a + b
