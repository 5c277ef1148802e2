import re
import sys

first, second, end = sys.stdin.read().split("\n")
assert re.fullmatch(r"[0-9]+ [0-9]+", first)
assert re.fullmatch(r"[0-9]+( [0-9]+)*", second)
assert len(second.split()) == int(first.split()[0]) and not end
sys.exit(42)
