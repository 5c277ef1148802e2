import subprocess


def pair_sum(a, b):
    return len(subprocess.check_output(['ls']))
