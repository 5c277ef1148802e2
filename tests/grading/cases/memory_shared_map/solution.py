# Right only if a gigabyte could be held in a map that a limit on data does not see.
import mmap


def pair_sum(a, b):
    block = mmap.mmap(-1, 1 << 30)
    for at in range(0, 1 << 30, mmap.PAGESIZE):
        block[at] = 1
    return a + b
