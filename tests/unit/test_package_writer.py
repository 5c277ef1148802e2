"""The canonical text of cases, and the comparison of committed with generated cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from package_builder import case_text, load_package, package_files

from judge.domain.signatures import make_signature
from judge.packages.case_json import read_answer, read_arguments
from judge.packages.writer import array_file, case_files, compare, write_cases

SIGNATURE = make_signature(
    "f",
    {"logits": "list[float]", "name": "str", "matrix": "ndarray[f64, 2]"},
    "tuple[list[int], int]",
)
FLOATS = st.floats(allow_nan=False)


def files_of(logits, name, matrix, expected=([1, 2], 3)):
    arguments = {"logits": logits, "name": name, "matrix": matrix}
    return case_files(SIGNATURE, ("secret/10-x/01", arguments, expected))


def test_an_input_has_one_member_a_line_in_signature_order():
    files = files_of([1.0, 1e-09, 0.1], "Đề", np.array([[1.0, 2.0], [3.0, 4.5]]))
    assert files["data/secret/10-x/01.in"].decode() == (
        "{\n"
        '  "logits": [1.0, 1e-09, 0.1],\n'
        '  "name": "Đề",\n'
        '  "matrix": [[1.0, 2.0], [3.0, 4.5]]\n'
        "}\n"
    )
    assert files["data/secret/10-x/01.ans"] == b"[[1, 2], 3]\n"


def test_numbers_that_json_lacks_are_strings():
    files = files_of([float("nan"), float("inf"), -float("inf")], "", np.zeros((1, 1)))
    assert b'["NaN", "Infinity", "-Infinity"]' in files["data/secret/10-x/01.in"]


def test_an_array_over_4096_items_stands_in_a_file_of_its_own():
    small, large = np.zeros((64, 64)), np.zeros((64, 65))
    assert len(files_of([], "", small)) == 2
    files = files_of([], "", large)
    assert b'"matrix": {"$npy": "matrix.npy"}' in files["data/secret/10-x/01.in"]
    assert files["data/secret/10-x/01.files/matrix.npy"] == array_file(large)


def test_an_array_file_is_the_same_for_every_memory_layout():
    array = np.arange(6.0).reshape(2, 3)
    assert array_file(np.asfortranarray(array)) == array_file(array)
    assert array_file(array)[:8] == b"\x93NUMPY\x01\x00"


@given(st.lists(FLOATS, max_size=5), st.text(max_size=5), st.lists(FLOATS, min_size=2, max_size=2))
def test_what_is_written_reads_back_bit_for_bit(logits, name, row):
    matrix = np.array([row])
    files = files_of(logits, name, matrix)
    arguments = read_arguments(files, SIGNATURE, "data/secret/10-x/01")
    assert np.array(arguments["logits"]).tobytes() == np.array(logits, dtype=float).tobytes()
    assert arguments["name"] == name
    assert arguments["matrix"].tobytes() == matrix.tobytes()
    assert read_answer(files, SIGNATURE.returns, "data/secret/10-x/01") == ([1, 2], 3)


class TestCompare:
    def generated(self):
        problem = load_package().problem
        return problem.signature, [
            (case.id, case.arguments, case.expected) for case in problem.cases
        ]

    def findings(self, changes):
        return [
            (each.code, each.where) for each in compare(package_files(changes), *self.generated())
        ]

    def test_a_package_that_its_generator_made_has_no_findings(self):
        assert self.findings({}) == []

    def test_the_writer_makes_the_committed_files(self):
        files = package_files()
        for path, content in write_cases(*self.generated()).items():
            assert files[path] == content

    @pytest.mark.parametrize(
        ("changes", "finding"),
        [
            ({"data/sample/01.ans": None}, ("case-missing", "data/sample/01.ans")),
            ({"data/sample/01.ans": "3\n"}, ("case-stale", "data/sample/01.ans:1")),
            (
                {"data/sample/01.in": case_text([1.0, 2.0, 3.0], 1.5)},
                ("case-stale", "data/sample/01.in:3"),
            ),
            ({"data/sample/02.in": "{}"}, ("case-extra", "data/sample/02.in")),
            ({"data/sample/01.files/a.npy": ""}, ("case-extra", "data/sample/01.files/a.npy")),
        ],
    )
    def test_every_difference_is_named(self, changes, finding):
        assert self.findings(changes) == [finding]

    def test_group_settings_and_invalid_inputs_are_not_the_generator_s(self):
        changes = {"data/sample/01.yaml": "hint: x\n", "data/invalid_input/more.in": "{}"}
        assert self.findings(changes) == []
