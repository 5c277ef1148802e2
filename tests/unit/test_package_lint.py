"""Package lint: each test breaks one thing in a clean package and expects exactly its code."""

import pytest
from package_builder import (
    JUDGE_YAML,
    PROBLEM_YAML,
    STATEMENTS,
    SUBMISSIONS_YAML,
    case_texts,
    load_package,
    package_files,
)

from judge.errors import Finding
from judge.packages.lint import is_fit, lint
from judge.packages.package import load
from judge.packages.rules.numbers import numbers

TWO_SAMPLES = case_texts("sample/02", [7.0], 5.0, 1)
FULL_WIDTH = "".join(chr(0xFF10 + digit) for digit in (5, 0, 2, 5, 7))
ENGLISH = "statement/problem.en.md"


def findings(changes, known=None) -> list[Finding]:
    return list(lint(load_package(changes), known))


def found(changes, known=None) -> list[tuple[str, str, str]]:
    return [(each.code, each.where, each.severity) for each in findings(changes, known)]


def judge_yaml(old: str, new: str) -> dict[str, str]:
    assert old in JUDGE_YAML
    return {"judge.yaml": JUDGE_YAML.replace(old, new)}


def problem_yaml(old: str, new: str) -> dict[str, str]:
    assert old in PROBLEM_YAML
    return {"problem.yaml": PROBLEM_YAML.replace(old, new)}


def statements(old: str, new: str) -> dict[str, str]:
    """The same change in every locale."""
    changed = {locale: text.replace(old, new) for locale, text in STATEMENTS.items()}
    assert changed != STATEMENTS
    return {f"statement/problem.{locale}.md": text for locale, text in changed.items()}


def appended(text: str) -> dict[str, str]:
    """A paragraph more in every statement; it stands on line 9."""
    return {
        f"statement/problem.{locale}.md": f"{statement}\n{text}\n"
        for locale, statement in STATEMENTS.items()
    }


def test_a_clean_package_has_no_findings():
    assert findings({}, known=()) == []


ONE_FINDING = [
    (problem_yaml("vi: Đếm giá trị lớn, ", ""), "missing-title", "problem.yaml:3"),
    ({"statement/problem.vi.md": None}, "missing-statement", "statement/problem.vi.md"),
    ({"solution/solution.ja.md": " \n"}, "missing-solution", "solution/solution.ja.md"),
    ({"hints/2.en.md": None}, "missing-hint", "hints/2.en.md"),
    (judge_yaml(", limit: しきい値", ""), "missing-docs", "judge.yaml:11"),
    (judge_yaml(", return: how many", ""), "missing-docs", "judge.yaml:12"),
    (judge_yaml("ja: 境界, ", ""), "missing-group-title", "judge.yaml:26"),
    (judge_yaml("ja: 手順 2 を読み直す, ", ""), "missing-group-hint", "judge.yaml:26"),
    (
        {ENGLISH: STATEMENTS["en"].replace("> 2$", "> 3$")},
        "numbers-differ",
        None,
    ),
    (appended("## Title\n\n# Title"), "statement-title", None),
    (appended("Title\n====="), "statement-title", None),
    (appended("accept when pi(xi)qi(xi) is large"), "flattened-formula", None),
    (appended(r"$\frac{a}{$"), "bad-formula", None),
    (appended(r"\frac{a}{b}"), "leftover-backslash", None),
    (appended("> {{nextsample}}"), "misplaced-sample", None),
    (statements("{{nextsample}}\n\n", ""), "sample-count", None),
    (appended("{{nextsample}}\n\nmore"), "sample-count", None),
    (TWO_SAMPLES, "sample-count", None),
    (
        {"hints/1.vi.md": "1 $a_$"},
        "bad-formula",
        "hints/1.vi.md:1",
    ),
    (
        {"solution/solution.vi.md": "$n$\n\n\\frac"},
        "leftover-backslash",
        "solution/solution.vi.md:3",
    ),
    (
        {
            "data/secret/30-none/test_group.yaml": "max_score: 0\n",
            **judge_yaml(
                "groups:\n",
                "groups:\n  30-none:\n    title: {vi: a, ja: b, en: c}\n",
            ),
        },
        "empty-group",
        "data/secret/30-none",
    ),
    (
        judge_yaml("groups:\n", "groups:\n  99-x:\n    title: {vi: a, ja: b, en: c}\n"),
        "unknown-group",
        "judge.yaml:23",
    ),
    (judge_yaml("points: 100", "points: 90"), "points-sum", "judge.yaml:15"),
    (
        case_texts("secret/20-edges/02", [1.0, 2.0, 3.0], 1.0, 2),
        "hidden-equals-sample",
        "data/secret/20-edges/02.in",
    ),
    (
        {"data/sample/01.in": '{\n  "values": [1, 2.0, 3.0],\n  "limit": 1.0\n}\n'},
        "not-canonical",
        "data/sample/01.in:2",
    ),
    ({"data/sample/01.ans": "2"}, "not-canonical", "data/sample/01.ans:1"),
    (problem_yaml("time_limit: 2.0", "time_limit: 100"), "limit-out-of-range", "problem.yaml:6"),
    (problem_yaml("memory: 256", "memory: 9"), "limit-out-of-range", "problem.yaml:6"),
    (judge_yaml("stdout_kib: 64", "stdout_kib: 4096"), "limit-out-of-range", "judge.yaml:20"),
    (judge_yaml("result_mib: 8", "result_mib: 65"), "limit-out-of-range", "judge.yaml:20"),
    (
        judge_yaml("limits: {", "limits: {per_language: {java: {time_factor: 50}}, "),
        "limit-out-of-range",
        "judge.yaml:20",
    ),
    ({"reference.py": None}, "missing-reference", "reference.py"),
    ({"margins.py": None}, "missing-margins", "margins.py"),
    (problem_yaml("[python3]", "[python3, java]"), "missing-accepted", "submissions/accepted"),
    ({"hints/1.en.md": "{{max_v}} 1"}, "unknown-constant", "hints/1.en.md:1"),
    (
        {"submissions/submissions.yaml": SUBMISSIONS_YAML + "wrong_answer/gone.py: {}\n"},
        "expectation-without-file",
        "submissions/submissions.yaml:5",
    ),
    (
        {"submissions/submissions.yaml": SUBMISSIONS_YAML.replace("20-edges", "21-edges")},
        "expectation-unknown-group",
        "submissions/submissions.yaml:4",
    ),
    (
        {"submissions/accepted/more.py": "x = 1\n"},
        "submission-without-expectation",
        "submissions/accepted/more.py",
    ),
    (
        {"submissions/submissions.yaml": SUBMISSIONS_YAML.replace("[AC]", "[WA]")},
        "contradicting-expectation",
        "submissions/submissions.yaml:1",
    ),
    (
        {"submissions/submissions.yaml": SUBMISSIONS_YAML.replace("[WA]\n", "[WA, AC]\n")},
        "contradicting-expectation",
        "submissions/submissions.yaml:2",
    ),
    (
        {
            "submissions/accepted/more.java": "x",
            "submissions/submissions.yaml": SUBMISSIONS_YAML.replace("loop.py", "*"),
        },
        "submission-language",
        "submissions/accepted/more.java",
    ),
]


@pytest.mark.parametrize(("changes", "code", "where"), ONE_FINDING)
def test_an_error_is_found_with_its_place_and_nothing_else_is(changes, code, where):
    result = found(changes)
    assert {each[0] for each in result} == {code}
    assert {each[2] for each in result} == {"error"}
    assert where is None or [each[1] for each in result] == [where]
    assert not is_fit(findings(changes))


ONE_WARNING = [
    ({"input_validators/validate.py": None}, "missing-validator", "input_validators/validate.py"),
    ({"generators/cases.py": None}, "missing-generator", "generators/cases.py"),
    (
        case_texts("secret/20-edges/02", [3.0], 3.0, 0),
        "duplicate-case",
        "data/secret/20-edges/02.in",
    ),
    ({"hints/1.en.md": "costs 1$"}, "leftover-dollar", "hints/1.en.md:1"),
    (
        {ENGLISH: STATEMENTS["en"] + "\nAgain, all values above 1.\n"},
        "numbers-differ",
        None,
    ),
    (
        judge_yaml("prerequisites: []", "prerequisites: [a-b]"),
        "unknown-prerequisite",
        "judge.yaml:17",
    ),
]


@pytest.mark.parametrize(("changes", "code", "where"), ONE_WARNING)
def test_a_warning_does_not_stop_publication(changes, code, where):
    result = found(changes, known=("count_large", "c-d"))
    assert {(each[0], each[2]) for each in result} == {(code, "warning")}
    assert where is None or [each[1] for each in result] == [where]
    assert is_fit(findings(changes))


class TestPlaces:
    def test_a_finding_in_a_text_names_its_line(self):
        result = found(appended(r"\frac{a}{b}"))
        assert [each[1] for each in result] == [
            "statement/problem.en.md:9",
            "statement/problem.ja.md:9",
            "statement/problem.vi.md:9",
        ]

    def test_findings_come_by_file_and_line(self):
        changes = {ENGLISH: STATEMENTS["en"] + "\n".join(["", *["\\x\n"] * 12])}
        lines = [int(where.rpartition(":")[2]) for _, where, _ in found(changes)]
        assert lines == sorted(lines)

    def test_a_differing_number_is_named_with_its_line(self):
        changes = {"statement/problem.ja.md": STATEMENTS["ja"].replace("値は 2", "値は 7")}
        explained, finding = findings(changes)
        assert (finding.code, finding.where) == ("numbers-differ", "statement/problem.ja.md:7")
        assert "7 (1x, not 0x)" in finding.message
        assert (explained.code, explained.severity) == ("sample-explanation-differs", "error")

    def test_numbers_are_read_the_same_in_every_notation(self):
        assert numbers("50,257 and $50{,}257$ and $50\\,257$ and " + FULL_WIDTH) == {"50257": 4}
        assert numbers("[0, 1.5] 1e-9 2^{-53}") == {"0": 1, "1.5": 1, "1e-9": 1, "2": 1, "-53": 1}

    def test_a_minus_counts_where_nothing_stands_before_it(self):
        for text in ("is -1.5 or", "(-1.5)", "$-1.5$", "値は-1.5です", "[\u22121.5]"):
            assert numbers(text) == {"-1.5": 1}
        for text in ("1-3", "$k-3$ 1", "top-3 1", "1 - 3", "f(1)-3", "1\u20133"):
            assert numbers(text) == {"1": 1, "3": 1}


class TestSamples:
    def two(self, between: str, after: str) -> dict[str, str]:
        text = f"$x > 2$\n\n{{{{nextsample}}}}\n{between}\n{{{{nextsample}}}}\n{after}\n"
        return TWO_SAMPLES | {f"statement/problem.{each}.md": text for each in ("vi", "ja", "en")}

    def codes(self, changes) -> set[str]:
        return {each[0] for each in found(changes)}

    def test_two_samples_with_two_explanations(self):
        assert self.codes(self.two("first", "second")) == set()

    @pytest.mark.parametrize(("between", "after"), [("", "x"), ("x", ""), ("x", "## End\n\ny")])
    def test_a_sample_without_explanation(self, between, after):
        assert self.codes(self.two(between, after)) == {"sample-unexplained"}

    def test_a_copied_explanation(self):
        assert self.codes(self.two("same", "same")) == {"sample-explanation-boilerplate"}

    def test_remaining_samples_count_as_shown(self):
        changes = self.two("first", "second")
        shown = {
            path: text.replace("{{nextsample}}\nsecond", "{{remainingsamples}}\nsecond")
            for path, text in changes.items()
        }
        assert self.codes(shown) == set()

    def test_a_package_without_samples_or_hidden_cases(self):
        no_samples = {"data/sample/01.in": None, "data/sample/01.ans": None}
        shown = statements("{{nextsample}}\n\n", "")
        assert found(no_samples | shown) == [("empty-group", "data/sample", "error")]
        hidden = [path for path in package_files() if path.startswith("data/secret")]
        codes = self.codes(dict.fromkeys(hidden))
        assert "no-hidden-cases" in codes


def test_a_folder_with_another_name_than_the_function_is_a_warning():
    (finding,) = lint(load(package_files(), "other"))
    assert (finding.code, finding.severity) == ("slug-differs", "warning")
