import sys

sys.stdin.read()
sys.exit(42)
