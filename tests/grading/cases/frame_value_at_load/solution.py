import os

os.write(3, b'V' + bytes(8))
os._exit(0)
