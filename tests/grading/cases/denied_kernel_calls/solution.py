# Right only if every call of the kernel is refused. Arguments are such that most would work where
# nothing guards. x86_64 and aarch64.
import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
buffer = ctypes.create_string_buffer(4096)
vector = (ctypes.c_uint64 * 2)(ctypes.addressof(buffer), 64)
one = (ctypes.c_uint64 * 2)(8, 8)
pipe = os.pipe()
me = os.getpid()
CALLS = {
    "ptrace": (101, 117, 0, 0, 0, 0),
    "process_vm_readv": (310, 270, me, vector, 1, vector, 1, 0),
    "process_vm_writev": (311, 271, me, vector, 1, vector, 1, 0),
    "process_madvise": (440, 440, -1, vector, 1, 4, 0),
    "kcmp": (312, 272, me, me, 1, 0, 0),
    "perf_event_open": (298, 241, buffer, 0, -1, -1, 0),
    "bpf": (321, 280, 0, buffer, 128),
    "userfaultfd": (323, 282, 1),
    "io_uring_setup": (425, 425, 8, buffer),
    "io_uring_enter": (426, 426, 0, 1, 0, 0, None, 0),
    "io_setup": (206, 0, 8, one),
    "keyctl": (250, 219, 0, -2, 1),
    "add_key": (248, 217, b"user", b"name", b"value", 5, -2),
    "request_key": (249, 218, b"user", b"name", None, -2),
    "seccomp": (317, 277, 2, 0, buffer),
    "prctl dumpable": (157, 167, 4, 1, 0, 0, 0),
    "prctl ptracer": (157, 167, 0x59616D61, -1, 0, 0, 0),
    "prctl seccomp": (157, 167, 22, 1, 0, 0, 0),
    "prctl subreaper": (157, 167, 36, 1, 0, 0, 0),
    "prctl map": (157, 167, 35, 14, buffer, 96, 0),
    "personality": (135, 92, 0x0040000),
    "personality read implies exec": (135, 92, 0x0400000),
    "setns": (308, 268, pipe[0], 0),
    "unshare": (272, 97, 0x10000000),
    "unshare files": (272, 97, 0x400),
    "mount": (165, 40, b"tmpfs", b"/tmp", b"tmpfs", 0, None),
    "remount": (165, 40, b"none", b"/", None, 32, None),
    "umount2": (166, 39, b"/tmp", 2),
    "pivot_root": (155, 41, b"/tmp", b"/tmp"),
    "chroot": (161, 51, b"/tmp"),
    "open_tree": (428, 428, -100, b"/tmp", 1),
    "move_mount": (429, 429, -100, b"/tmp", -100, b"/dev", 0),
    "fsopen": (430, 430, b"tmpfs", 0),
    "mount_setattr": (442, 442, -100, b"/", 0, one, 32),
    "reboot": (169, 142, 0xFEE1DEAD, 672274793, 0),
    "kexec_load": (246, 104, 0, 0, None, 0),
    "kexec_file_load": (320, 294, pipe[0], pipe[0], 0, b"", 0),
    "init_module": (175, 105, buffer, 128, b""),
    "finit_module": (313, 273, pipe[0], b"", 0),
    "delete_module": (176, 106, b"x", 0),
    "swapon": (167, 224, b"/tmp", 0),
    "syslog": (103, 116, 3, buffer, 128),
    "quotactl": (179, 60, 0x80000100, None, 0, buffer),
    "fanotify_init": (300, 262, 0x200, 0),
    "inotify_init1": (294, 26, 0),
    "iopl": (172, 0, 3),
    "ioperm": (173, 0, 0, 8, 1),
    "modify_ldt": (154, 0, 0, buffer, 16),
    "sethostname": (170, 161, b"x", 1),
    "settimeofday": (164, 170, one, None),
    "clock_settime": (227, 112, 0, one),
    "clock_adjtime": (305, 266, 0, buffer),
    "acct": (163, 89, b"/tmp/x"),
    "vhangup": (153, 58),
    "setuid": (105, 146, 0),
    "setgroups": (116, 159, 0, None),
    "capset": (126, 91, (ctypes.c_uint32 * 2)(0x20080522, 0), buffer),
    "shmget": (29, 194, 0, 4096, 0o1600),
    "semget": (64, 190, 0, 1, 0o1600),
    "msgget": (68, 186, 0, 0o1600),
    "mq_open": (240, 180, b"queue", 0o102, 0o600, None),
    "memfd_create": (319, 279, b"name", 0),
    "memfd_secret": (447, 447, 0),
    "mlock": (149, 228, buffer, 128),
    "mlock2": (325, 284, buffer, 128, 0),
    "mbind": (237, 235, None, 0, 0, None, 0, 0),
    "move_pages": (279, 239, 0, 0, None, None, None, 0),
    "remap_file_pages": (216, 234, buffer, 4096, 0, 0, 0),
    "vmsplice": (278, 75, pipe[1], vector, 1, 0),
    "splice": (275, 76, pipe[0], None, pipe[1], None, 1, 0),
    "tee": (276, 77, pipe[0], pipe[1], 1, 0),
    "sendfile": (40, 71, pipe[1], pipe[0], None, 1),
    "copy_file_range": (326, 285, pipe[0], None, pipe[1], None, 1, 0),
    "lookup_dcookie": (212, 18, 0, buffer, 64),
    "setrlimit": (160, 164, 7, one),
    "prlimit64 that sets": (302, 261, 0, 7, one, None),
    "prlimit64 of another": (302, 261, 1, 7, None, buffer),
    "sched_setattr": (314, 274, 0, (ctypes.c_uint32 * 12)(48), 0),
    "ioctl TIOCSTI": (16, 29, 1, 0x5412, b"x"),
    "ioctl TIOCLINUX": (16, 29, 1, 0x541C, b"x"),
    "ioctl TIOCSCTTY": (16, 29, 0, 0x540E, 1),
    "ioctl FIONBIO": (16, 29, pipe[0], 0x5421, buffer),
    "fcntl SETOWN": (72, 25, pipe[0], 8, me),
    "fcntl SETSIG": (72, 25, pipe[0], 10, 9),
    "fcntl SETLEASE": (72, 25, pipe[0], 1024, 0),
    "landlock": (444, 444, None, 0, 1),
    "epoll with signals": (289, 74, -1, buffer, 8, 0),
    "timerfd_create": (283, 85, 0, 0),
    "timer_create": (222, 107, 0, None, buffer),
    "pidfd_open": (434, 434, me, 0),
    "uselib": (134, 0, b"/lib64/ld-linux-x86-64.so.2"),
    "ustat": (136, 0, 1, buffer),
    "sysfs": (139, 0, 3),
    "a number of nothing": (5000, 5000),
}


def pair_sum(a, b):
    column = ["x86_64", "aarch64"].index(os.uname().machine)
    done = []
    for name, row in CALLS.items():
        number = row[column]
        plain = [ctypes.c_long(value) if isinstance(value, int) else value for value in row[2:]]
        if number and libc.syscall(ctypes.c_long(number), *plain) >= 0:
            done.append(name)
        elif number and ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            done.append(f"{name}: {errno.errorcode[ctypes.get_errno()]}")
    if done:
        raise RuntimeError(done)
    return a + b
