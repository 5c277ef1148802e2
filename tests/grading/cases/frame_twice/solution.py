import os
import struct


def pair_sum(a, b):
    os.write(3, b'V' + struct.pack('<q', a + b))
    return a + b
