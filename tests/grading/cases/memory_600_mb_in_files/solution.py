# Right only if 600 MB could be held in the temporary file system.
def pair_sum(a, b):
    for name in range(600):
        with open(f"/tmp/{name}", "wb") as file:
            file.write(b"x" * (1 << 20))
    return a + b
