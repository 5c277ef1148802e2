"""Generated drivers in their own languages: what they read is what they write again."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from judge.domain.signatures import Signature, make_signature
from judge.domain.values import Arguments
from judge.packages.kattis import drivers, token_text

RESULT = "tuple[a: list[str], b: optional[float], c: dict[str, int], d: list[bool], e: float]"
SIGNATURE = make_signature(
    "give_back",
    {
        "a": "list[str]",
        "b": "optional[float]",
        "c": "dict[str, int]",
        "d": "list[bool]",
        "e": "ndarray[f64, 2]",
    },
    RESULT,
)
ROWS = [[0.5, 0.25], [1.0, 2.0]]
ARGUMENTS: Arguments = {
    "a": ["", "two words", "é\n%"],
    "b": 0.1,
    "c": {"x": -1, "y y": 2**62},
    "d": [True, False],
}
EXPECTED = (*ARGUMENTS.values(), 3.75)
PYTHON = "def give_back(a, b, c, d, e):\n    print('noise')\n    return a, b, c, d, e.sum()\n"
CPP = """
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

std::tuple<std::vector<std::string>, std::optional<double>, std::map<std::string, long long>,
           std::vector<bool>, double>
give_back(const std::vector<std::string>& a, std::optional<double> b,
          std::map<std::string, long long> c, std::vector<bool>& d,
          const std::vector<std::vector<double>>& e) {
  std::cout << "noise" << std::endl;
  double sum = 0;
  for (const auto& row : e) for (double x : row) sum += x;
  return {a, b, c, d, sum};
}
"""
JAVA = """
import java.util.*;

public class Solution {
    record Result(String[] a, Double b, Map<String, Long> c, boolean[] d, double e) {}

    static Result give_back(
            String[] a, Double b, Map<String, Long> c, boolean[] d, double[][] e) {
        System.out.println("noise");
        double sum = 0;
        for (double[] row : e) for (double x : row) sum += x;
        return new Result(a, b, c, d, sum);
    }
}
"""


def write(folder: Path, files: dict[str, bytes | str]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def run(folder: Path, *argv: str, text: bytes = b"") -> bytes:
    done = subprocess.run(argv, cwd=folder, input=text, capture_output=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def case_text() -> bytes:
    numpy = pytest.importorskip("numpy")
    return token_text.input_text(SIGNATURE, ARGUMENTS | {"e": numpy.array(ROWS)})


def expects(output: bytes, signature: Signature = SIGNATURE) -> None:
    """Floats may be written in more digits: 3.75 has one form in all languages, 0.1 has not."""
    wanted = token_text.answer_text(signature, EXPECTED).decode().split()
    got = output.decode().split()
    assert len(got) == len(wanted)
    for left, right in zip(wanted, got, strict=True):
        assert left == right or float(left) == float(right)


def test_python(tmp_path: Path) -> None:
    files = {"main.py": drivers.python_driver(SIGNATURE), "token_text.py": drivers.token_text()}
    write(tmp_path, {**files, "any_name.py": PYTHON})
    expects(run(tmp_path, sys.executable, "main.py", text=case_text()))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="missing program: g++")
def test_cpp(tmp_path: Path) -> None:
    write(tmp_path, {"main.cpp": drivers.cpp_driver(SIGNATURE), "solution.cpp": CPP})
    run(tmp_path, "g++", "-std=c++17", "main.cpp", "solution.cpp", "-o", "program")
    expects(run(tmp_path, "./program", text=case_text()))


@pytest.mark.skipif(shutil.which("javac") is None, reason="missing program: javac")
def test_java(tmp_path: Path) -> None:
    write(tmp_path, {"Main.java": drivers.java_driver(SIGNATURE), "Solution.java": JAVA})
    run(tmp_path, "javac", "-encoding", "UTF-8", "Main.java", "Solution.java")
    expects(run(tmp_path, "java", "-cp", ".", "Main", text=case_text()))


NESTED_JAVA = """
public class Solution {
    record Part(long x, String[] y) {}
    record Result(Part[] parts, long sum) {}

    static Result give_back(Part[] parts, long[] numbers) {
        long sum = 0;
        for (long number : numbers) sum += number;
        return new Result(parts, sum);
    }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="missing program: javac")
def test_java_reads_types_within_types_in_the_words_of_the_problem(tmp_path: Path) -> None:
    """Names of parts, commas within parts, whole numbers of 64 bits in an array."""
    numpy = pytest.importorskip("numpy")
    parts = "list[tuple[x: int, y: list[str]]]"
    signature = make_signature(
        "give_back", {"parts": parts, "numbers": "ndarray[i64, 1]"}, f"tuple[{parts}, int]"
    )
    value = [(1, ["a", "b"]), (2, [])]
    arguments: Arguments = {"parts": value, "numbers": numpy.array([2**62, 1])}
    write(tmp_path, {"Main.java": drivers.java_driver(signature), "Solution.java": NESTED_JAVA})
    run(tmp_path, "javac", "-encoding", "UTF-8", "Main.java", "Solution.java")
    printed = run(
        tmp_path, "java", "-cp", ".", "Main", text=token_text.input_text(signature, arguments)
    )
    wanted = token_text.answer_text(signature, (value, 2**62 + 1))
    assert printed.split() == wanted.split()


def test_the_input_validator_takes_the_one_form_of_a_case(tmp_path: Path) -> None:
    validator = "def validate(case):\n    return None if case['d'][0] else 'must be true'\n"
    write(
        tmp_path,
        {
            "main.py": drivers.input_validator(SIGNATURE),
            "token_text.py": drivers.token_text(),
            "problem_validator.py": validator,
        },
    )
    right = case_text()
    refused = (right.replace(b"2 1 0\n", b"2 0 1\n"), right + b" ", right[:-2], b"\xff", b"")
    statuses = [
        subprocess.run(
            [sys.executable, "main.py"], cwd=tmp_path, input=text, capture_output=True, check=False
        ).returncode
        for text in (right, *refused)
    ]
    assert statuses == [42, 43, 43, 43, 43, 43]
