# Right only if 256 MB could be held in shared maps of files.
import mmap
import os


def pair_sum(a, b):
    keep = []
    for number in range(64):
        file = os.open(f"/tmp/{number}", os.O_CREAT | os.O_RDWR)
        os.ftruncate(file, 1 << 22)
        block = mmap.mmap(file, 1 << 22)
        block.write(b"x" * (1 << 22))
        os.close(file)
        keep.append(block)
    return a + b
