def pair_sum(a, b):
    return a + b


if __name__ == "__main__":
    print(pair_sum(int(input()), int(input())))
