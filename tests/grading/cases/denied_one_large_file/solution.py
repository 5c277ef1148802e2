# Right only if one file of a gigabyte can be made, by writing or without.
import os


def pair_sum(a, b):
    for make in (
        lambda file: os.truncate(file, 1 << 30),
        lambda file: os.posix_fallocate(file, 0, 1 << 30),
        lambda file: os.pwrite(file, b"x", 1 << 30),
    ):
        try:
            make(os.open("/tmp/file", os.O_CREAT | os.O_RDWR))
        except OSError as error:
            refused = error
            continue
        return a + b
    raise refused
