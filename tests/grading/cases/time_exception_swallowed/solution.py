def pair_sum(a, b):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
