import sys
from pathlib import Path

from pairs import is_pair

RIGHT, WRONG = 42, 43


def wrong(message):
    Path(sys.argv[3], "judgemessage.txt").write_text(message)
    sys.exit(WRONG)


def main():
    words = Path(sys.argv[1]).read_text().split()
    difference, numbers = int(words[1]), words[2:]
    answer = Path(sys.argv[2]).read_text().split()
    output = sys.stdin.read().split()
    if output == ["none"] or answer == ["none"]:
        sys.exit(RIGHT if output == answer else WRONG)
    if len(output) != 2:
        wrong("two numbers are expected")
    if not is_pair(numbers, output, difference):
        wrong(f"{output} is no pair of the input")
    sys.exit(RIGHT)


main()
