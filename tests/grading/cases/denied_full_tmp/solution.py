# Right only if a gigabyte can be written.
def pair_sum(a, b):
    for name in range(100):
        with open(f"/tmp/{name}", "wb") as file:
            for _ in range(10):
                file.write(bytes(1 << 20))
    return a + b
