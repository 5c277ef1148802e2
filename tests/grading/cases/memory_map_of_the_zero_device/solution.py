# Right only if 256 MB could be held in shared maps of a device.
import mmap
import os


def pair_sum(a, b):
    keep = []
    for _ in range(64):
        block = mmap.mmap(os.open("/dev/zero", os.O_RDWR), 1 << 22)
        block.write(b"x" * (1 << 22))
        keep.append(block)
    return a + b
