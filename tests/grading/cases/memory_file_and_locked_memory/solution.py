# Right only if every act is refused.
import ctypes
import mmap
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
MAP_LOCKED, MAP_HUGETLB, MFD_HUGETLB = 0x2000, 0x40000, 4


def memory_file(flags):
    os.truncate(os.memfd_create("store", flags), 1 << 30)


def checked(result):
    if result not in (-1, ctypes.c_void_p(-1).value):
        return
    raise OSError(ctypes.get_errno(), "refused")


def mapped(flags):
    wanted = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | flags
    checked(libc.mmap(None, ctypes.c_size_t(1 << 22), 3, wanted, -1, 0))


def pair_sum(a, b):
    block = ctypes.create_string_buffer(4096)
    acts = {
        "memory file": lambda: memory_file(0),
        "memory file of huge pages": lambda: memory_file(MFD_HUGETLB),
        "all locked": lambda: checked(libc.mlockall(3)),
        "locked": lambda: checked(libc.mlock(block, 4096)),
        "mapped locked": lambda: mapped(MAP_LOCKED),
        "huge pages": lambda: mapped(MAP_HUGETLB),
    }
    for name, act in acts.items():
        try:
            act()
        except OSError:
            continue
        raise RuntimeError(name)
    return a + b
