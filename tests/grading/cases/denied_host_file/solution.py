def pair_sum(a, b):
    return len(open('/etc/passwd').read())
