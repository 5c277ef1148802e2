import os

os.write(3, b'K{}')
os._exit(0)
