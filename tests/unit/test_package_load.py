"""A package as a whole: cases in grading order, arrays, texts, submissions, tools."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from package_builder import (
    JUDGE_YAML,
    PROBLEM_YAML,
    SUBMISSIONS_YAML,
    case_text,
    case_texts,
    load_package,
    package_files,
    refusal,
)

from judge.domain.problem import Visibility
from judge.domain.verdicts import Verdict
from judge.errors import PackageInvalid
from judge.packages.builtin import load_named, load_to_generate
from judge.packages.submissions import covers

ARRAY_JUDGE_YAML = JUDGE_YAML.replace("values: list[float]", "values: ndarray[f64, 2]")


def npy(array: np.ndarray, version: tuple[int, int] = (1, 0)) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, version=version)
    return buffer.getvalue()


def array_package(content: bytes, reference: str = "values.npy"):
    """A package whose sample takes its two-dimensional argument from an array file."""
    case = {"values": {"$npy": reference}, "limit": 1.0}
    inline = {"values": [[1.0, 2.0]], "limit": 1.0}
    changes = {f"data/secret/{name}.in": json.dumps(inline) for name in HIDDEN}
    return {
        "judge.yaml": ARRAY_JUDGE_YAML,
        "data/invalid_input/empty.in": None,
        "data/sample/01.in": json.dumps(case),
        "data/sample/01.files/values.npy": content,
        **changes,
    }


HIDDEN = ("10-basic/01", "10-basic/02", "20-edges/01")


class TestCases:
    def test_samples_come_first_then_hidden_groups_by_name(self):
        changes = case_texts("secret/05-first/01", [9.0], 1.0, 1)
        changes |= {"data/secret/05-first/test_group.yaml": "max_score: 0\n"}
        problem = load_package(changes).problem
        assert [case.id for case in problem.cases] == [
            "sample/01",
            "secret/05-first/01",
            "secret/10-basic/01",
            "secret/10-basic/02",
            "secret/20-edges/01",
        ]
        assert [case.ordinal for case in problem.cases] == [1, 2, 3, 4, 5]
        assert [group.name for group in problem.groups] == [
            "sample",
            "secret/05-first",
            "secret/10-basic",
            "secret/20-edges",
        ]

    def test_groups_carry_their_scores_and_titles(self):
        groups = {group.name: group for group in load_package().problem.groups}
        assert groups["sample"].max_score == 0
        assert groups["secret/10-basic"].max_score == 40
        assert groups["secret/20-edges"].title == {"vi": "Biên", "ja": "境界", "en": "Edges"}

    def test_the_sample_group_scores_nothing_unless_it_says_so(self):
        changes = {"data/sample/test_group.yaml": None}
        assert load_package(changes).problem.groups[0].max_score == 0

    def test_titles_number_the_cases_of_a_group(self):
        titles = [case.title for case in load_package().problem.cases]
        assert titles[0] == {"vi": "Mẫu 1", "ja": "サンプル 1", "en": "Sample 1"}
        assert titles[2] == {"vi": "Cơ bản · 2", "ja": "基本 · 2", "en": "Basics · 2"}

    def test_arguments_and_answers_are_typed(self):
        case = load_package({"data/sample/01.in": '{"limit": 1, "values": []}'}).problem.cases[0]
        assert case.arguments == {"values": [], "limit": 1.0}
        assert [type(value) for value in case.arguments.values()] == [list, float]
        assert list(case.arguments) == ["values", "limit"]
        assert case.expected == 2

    def test_a_failing_case_shows_its_own_hint_or_its_group_s(self):
        cases = load_package({"data/secret/10-basic/02.yaml": "hint: look\n"}).problem.cases
        assert cases[1].hint["en"] == "Read step 1 again"
        assert cases[2].hint == {"vi": "look", "ja": "look", "en": "look"}

    def test_hidden_cases_may_be_revealed_only_where_the_package_allows_it(self):
        def visibilities(changes):
            return [case.visibility for case in load_package(changes).problem.cases]

        none = {"judge.yaml": JUDGE_YAML.replace("cases: 2", "cases: 0")}
        sample, reveal, hidden = Visibility
        assert visibilities({}) == [sample, reveal, reveal, reveal]
        assert visibilities(none) == [sample, hidden, hidden, hidden]
        one = {"data/secret/10-basic/01.yaml": "full_feedback: false\n"}
        assert visibilities(one) == [sample, hidden, reveal, reveal]

    @pytest.mark.parametrize(
        ("content", "line", "part"),
        [
            ('{"values": [1.0],\n "limit": }', 2, "not JSON"),
            ('{"values": [1.0], "limit": NaN}', 1, 'the string "NaN"'),
            ('{"values": [1.0]}', 1, "/limit: argument is missing"),
            ('{"values": ["x"], "limit": 1.0}', 1, "/values/0: expected float"),
            ('{"values": [], "limit": 1.0, "limit": 2.0}', 1, "same key twice"),
            ('{"values": {"$npy": "a.npy"}, "limit": 1.0}', 1, "/values: expected an array"),
            ("[1]", 1, "JSON object"),
            (b"\xff", 1, "UTF-8"),
            ("[" * 100_000, 1, "JSON"),
            ('{"values": [], "limit": ' + "9" * 5000 + "}", 1, "JSON"),
        ],
    )
    def test_an_input_that_does_not_fit_is_named_with_its_line(self, content, line, part):
        (finding,) = refusal(lambda: load_package({"data/secret/20-edges/01.in": content}))
        assert finding.code == "bad-case"
        assert finding.where == f"data/secret/20-edges/01.in:{line}"
        assert part in finding.message

    def test_an_answer_that_does_not_fit_is_named(self):
        (finding,) = refusal(lambda: load_package({"data/sample/01.ans": "2.5\n"}))
        assert (finding.code, finding.where) == ("bad-case", "data/sample/01.ans:1")

    def test_every_bad_case_is_reported(self):
        changes = {"data/sample/01.ans": "x", "data/secret/10-basic/01.in": "x"}
        assert len(refusal(lambda: load_package(changes))) == 2

    @pytest.mark.parametrize(
        ("path", "code"),
        [
            ("data/sample/02.ans", "stray-file"),
            ("data/sample/notes.txt", "stray-file"),
            ("data/secret/01.in", "stray-file"),
            ("data/secret/10-basic/deep/01.in", "stray-file"),
            ("data/secret/10-basic/09.files/values.npy", "stray-file"),
            ("statement/picture.png", "stray-file"),
            ("hints/x.en.md", "stray-file"),
            ("hints/4.en.md", "hint-numbers"),
            ("submissions/accepted/notes.txt", "stray-file"),
            ("submissions/loose.py", "stray-file"),
        ],
    )
    def test_a_file_that_belongs_to_nothing_is_refused(self, path, code):
        assert [each.code for each in refusal(lambda: load_package({path: "1\n"}))] == [code]

    def test_a_case_without_answer_is_refused(self):
        (finding,) = refusal(lambda: load_package({"data/sample/01.ans": None}))
        assert (finding.code, finding.where) == ("missing-file", "data/sample/01.ans")

    def test_a_group_without_its_yaml_is_refused(self):
        path = "data/secret/20-edges/test_group.yaml"
        (finding,) = refusal(lambda: load_package({path: None}))
        assert (finding.code, finding.where) == ("missing-file", path)


class TestArrays:
    def test_an_array_file_is_read_bit_for_bit(self):
        array = np.array([[0.1, np.nan], [-0.0, np.inf]])
        case = load_package(array_package(npy(array))).problem.cases[0]
        assert case.arguments["values"].tobytes() == array.tobytes()
        assert case.arguments["values"].shape == (2, 2)

    @pytest.mark.parametrize(
        ("content", "part"),
        [
            (npy(np.zeros((2, 2), dtype=np.float32)), "float32"),
            (npy(np.zeros((2, 2), dtype=">f8")), ">f8"),
            (npy(np.zeros((2, 2), dtype=np.int64)), "int64"),
            (npy(np.zeros(4)), "1 dimensions"),
            (npy(np.asfortranarray(np.ones((2, 3)))), "Fortran"),
            (npy(np.zeros((2, 2)), version=(2, 0)), "format (2, 0)"),
            (npy(np.zeros((2, 2)))[:-1], "items"),
            (npy(np.zeros((2, 2))) + b"x", "items"),
            (npy(np.zeros((0, 2))), "items"),
            (npy(np.zeros((2, 2))).replace(b"(2, 2)", b"(9, 9)"), "items"),
            (npy(np.zeros((2, 2))).replace(b"(2, 2)", b"(-2,2)"), "items"),
            (npy(np.zeros((2, 2))).replace(b"(2, 2), ", b"(-2,-2),"), "items"),
            (npy(np.zeros((2, 2))).replace(b"(2, 2)", b"(2, x)"), "cannot be read"),
            (npy(np.zeros((2, 2))).replace(b"'<f8'", b"'|O' "), "object"),
            (b"\x93NUMPY", "cannot be read"),
            (b"", "cannot be read"),
        ],
    )
    def test_an_array_file_that_is_not_exactly_as_declared_is_refused(self, content, part):
        (finding,) = refusal(lambda: load_package(array_package(content)))
        assert finding.code == "bad-case"
        assert part in finding.message

    def test_a_pickled_array_is_refused_without_unpickling(self):
        buffer = io.BytesIO()
        np.save(buffer, np.array([[{}]], dtype=object), allow_pickle=True)
        (finding,) = refusal(lambda: load_package(array_package(buffer.getvalue())))
        assert "object" in finding.message

    @pytest.mark.parametrize("name", ["other.npy", "../02.files/values.npy", "/etc/passwd"])
    def test_a_reference_leads_only_to_files_of_its_case(self, name):
        array = npy(np.zeros((2, 2)))
        (finding,) = refusal(lambda: load_package(array_package(array, name)))
        assert "is missing" in finding.message


class TestTheRest:
    def test_texts_are_kept_raw_by_locale(self):
        package = load_package({"statement/problem.en.md": "\ufeffA\r\n\n{{nextsample}}\r\n"})
        assert package.statements["en"] == "A\n\n{{nextsample}}\n"
        assert sorted(package.solutions) == ["en", "ja", "vi"]
        assert [hint["en"] for hint in package.hints] == ["1 (en)\n", "2 (en)\n"]
        assert package.names["ja"] == "大きい値を数える"

    def test_submissions_know_their_language_and_expectations(self):
        accepted, wrong = load_package().submissions
        assert (accepted.path, accepted.language) == ("accepted/loop.py", "python")
        assert accepted.is_accepted
        assert accepted.expectations[0].required == {Verdict.ACCEPTED}
        whole, group = wrong.expectations
        assert (whole.group, whole.required) == ("", {Verdict.WRONG_ANSWER})
        assert (group.group, group.required) == ("secret/20-edges", {Verdict.WRONG_ANSWER})
        assert group.where == "submissions/submissions.yaml:4"
        assert Verdict.RUNTIME_ERROR in group.permitted

    def test_patterns_reach_several_submissions(self):
        changed = (
            "accepted: {required: [AC], score: 100}\n'*/{not_strict,x}.py': {score: [0, 40]}\n"
        )
        accepted, wrong = load_package({"submissions/submissions.yaml": changed}).submissions
        assert accepted.expectations[0].score == (100.0, 100.0)
        assert wrong.expectations[0].score == (0.0, 40.0)

    @pytest.mark.parametrize(
        ("pattern", "path", "matches"),
        [
            ("accepted", "accepted/a.py", True),
            ("accepted/*", "accepted/a.py", True),
            ("accepted/*.cpp", "accepted/a.py", False),
            ("*", "accepted/a.py", True),
            ("acc", "accepted/a.py", False),
            ("{accepted,wrong}/a.{py,cpp}", "accepted/a.cpp", True),
            ("a.py", "a_py", False),
            ("secret/*-easy", "secret/1-easy/01", True),
        ],
    )
    def test_pattern_rules(self, pattern, path, matches):
        assert covers(pattern, path) is matches

    def test_invalid_inputs_say_whether_the_types_already_refuse_them(self):
        changes = {"data/invalid_input/text.in": case_text([], 1.0).replace("[]", '"x"')}
        inputs = {each.name: each for each in load_package(changes).invalid_inputs}
        assert inputs["empty"].arguments == {"values": [], "limit": 1.0}
        assert inputs["text"].arguments is None
        assert "/values: expected an array" in inputs["text"].refusal

    def test_tools_are_kept_as_text(self):
        tools = load_package({"margins.py": None}).tools
        assert "count_large" in tools.reference
        assert tools.margins == ""

    def test_the_slug_is_the_function_s_name(self):
        package = load_package()
        assert package.slug == package.problem.slug == "count_large"
        assert SUBMISSIONS_YAML  # the builder's expectations name existing files


@pytest.mark.parametrize(
    "text",
    ["version: !!int abc\n", "version: !!float abc\n", "version: !!int '1.5'\n"],
)
def test_a_number_that_is_none_is_a_finding(text: str) -> None:
    found = refusal(lambda: load_package({"problem.yaml": PROBLEM_YAML + text}))
    assert [finding.code for finding in found] == ["bad-yaml"]


def test_a_case_of_many_megabytes_is_a_finding_before_it_is_parsed() -> None:
    text = '{\n  "values": [' + "0.5," * 1_200_000 + '0.5],\n  "limit": 1.0\n}\n'
    found = refusal(lambda: load_package({"data/secret/10-basic/01.in": text}))
    assert [finding.code for finding in found] == ["bad-case"]


class TestToGenerate:
    """A package whose cases are to be made anew is read without them."""

    def folder(self, root: Path, changes: dict[str, str]) -> str:
        for path, content in package_files(changes).items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
        return str(root)

    @pytest.mark.parametrize("answer", ["2\n", None], ids=["an old answer", "no answer"])
    def test_cases_that_do_not_fit_the_signature_any_more_are_no_hindrance(
        self, tmp_path: Path, answer: str | None
    ) -> None:
        changes = {
            "judge.yaml": JUDGE_YAML.replace("returns: int", "returns: list[int]"),
            "data/sample/01.ans": answer,
            "data/sample/01.yaml": "hint: look\n",
        }
        name = self.folder(tmp_path / "count_large", changes)
        with pytest.raises(PackageInvalid):
            load_named(name)
        package, files = load_to_generate(name)
        assert package.problem.cases == ()
        assert [group.name for group in package.problem.groups][1:] == [
            "secret/10-basic",
            "secret/20-edges",
        ]
        assert str(package.case_signature.returns) == "list[int]"
        assert files == package_files(changes)

    def test_what_is_wrong_elsewhere_is_still_told(self, tmp_path: Path) -> None:
        name = self.folder(tmp_path / "count_large", {"data/stray.txt": "x"})
        with pytest.raises(PackageInvalid, match="stray-file"):
            load_to_generate(name)
