import os

os.write(3, b'C{"reason": "unheard of", "message": "own words"}')
os._exit(0)
