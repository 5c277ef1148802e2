import os
import struct


def pair_sum(a, b):
    os.write(1, b"V" + struct.pack("<q", a + b))
    os._exit(0)
