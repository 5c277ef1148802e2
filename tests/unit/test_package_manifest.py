"""Manifests of a package: what YAML may say, and where a finding points."""

import re

import pytest
from package_builder import (
    JUDGE_YAML,
    PROBLEM_YAML,
    SUBMISSIONS_YAML,
    load_package,
    pair_changes,
    refusal,
)

from judge.errors import Finding
from judge.packages.judge_yaml import AfterN
from judge.packages.submissions_yaml import ALL_CODES
from judge.packages.yaml_text import parse_yaml


def yaml_error(text: str | bytes) -> Finding:
    content = text.encode() if isinstance(text, str) else text
    (finding,) = refusal(lambda: parse_yaml("x.yaml", content))
    return finding


def only_finding(changes) -> Finding:
    (finding,) = refusal(lambda: load_package(changes))
    return finding


def judge_finding(old: str, new: str) -> Finding:
    assert old in JUDGE_YAML
    return only_finding({"judge.yaml": JUDGE_YAML.replace(old, new)})


def problem_finding(old: str, new: str) -> Finding:
    assert old in PROBLEM_YAML
    return only_finding({"problem.yaml": PROBLEM_YAML.replace(old, new)})


class TestYaml:
    def test_scalars_follow_the_core_schema(self):
        text = "a: no\nb: 1e-9\nc: 2025-09-01\nd: 0x1F\ne:\nf: [true, -.5, .inf]\n1: 2\n"
        assert parse_yaml("x", text.encode()).data == {
            "a": "no",
            "b": 1e-9,
            "c": "2025-09-01",
            "d": 31,
            "e": None,
            "f": [True, -0.5, float("inf")],
            "1": 2,
        }

    def test_every_key_knows_its_line(self):
        document = parse_yaml("x.yaml", b"a:\n  b: 1\n  c:\n    - 2\n    - 3\n")
        assert document.where(("a", "c", 1)) == "x.yaml:5"
        assert document.where(("a", "b", "unknown")) == "x.yaml:2"
        assert document.where(("unknown",)) == "x.yaml:1"

    @pytest.mark.parametrize(
        ("text", "where", "part"),
        [
            ("a: &x 1\nb: *x", "x.yaml:1", "anchors"),
            ("a: 1\nb: 2\na: 3", "x.yaml:3", "given twice"),
            ("a: 1\nb: [", "x.yaml:3", "did not find"),
            ("a: !!python/object:os.system x", "x.yaml:1", "tag"),
            ("a: !!binary aGk=", "x.yaml:1", "tag"),
            ("? [a]\n: 1", "x.yaml:1", "plain word"),
            ("a: 1\n---\nb: 2", "x.yaml:2", "another document"),
            ("[" * 5000, "x.yaml:1", "nesting"),
            ("a:\n" + "".join(f"{' ' * n}- \n" for n in range(1, 40)), "x.yaml:22", "nested"),
            (b"a: \xff", "x.yaml", "UTF-8"),
            ("a: \x00", "x.yaml", "control characters"),
            ("a: " + "x" * 300_000, "x.yaml", "larger"),
        ],
    )
    def test_what_is_not_plain_data_is_refused_with_its_line(self, text, where, part):
        finding = yaml_error(text)
        assert (finding.code, finding.where) == ("bad-yaml", where)
        assert part in finding.message


class TestProblemYaml:
    @pytest.mark.parametrize("text", ['a: 1\nb: "x\\0y"', 'a: 1\n"b\\0": 1', 'a:\n- "\\uD800"'])
    def test_a_text_that_nobody_can_keep_is_refused_with_its_line(self, text):
        (finding,) = refusal(lambda: parse_yaml("x.yaml", text.encode()))
        assert (finding.code, finding.where) == ("bad-yaml", "x.yaml:2")

    def test_an_unknown_key_is_named_with_its_file_and_line(self):
        finding = problem_finding("keywords:", "difficulty: hard\nkeywords:")
        assert finding.code == "unknown-key"
        assert finding.where == "problem.yaml:7"
        assert "'difficulty' in problem.yaml" in finding.message

    def test_an_unknown_nested_key_is_named_by_its_path(self):
        finding = problem_finding("memory: 256}", "memory: 256, disk: 3}")
        assert (finding.code, finding.where) == ("unknown-key", "problem.yaml:6")
        assert "'limits.disk'" in finding.message

    def test_a_missing_key_is_named(self):
        finding = problem_finding("uuid: 6a2f4c1e-9b0d-4e57-8a63-1f0c5d7e9b21\n", "")
        assert (finding.code, finding.where) == ("missing-key", "problem.yaml:1")
        assert "'uuid'" in finding.message

    @pytest.mark.parametrize(
        ("old", "new", "code"),
        [
            ("2025-09", "legacy", "bad-value"),
            ("type: scoring", "type: interactive", "not-offered"),
            ("type: scoring", "type: [scoring, multi-pass]", "not-offered"),
            ("type: scoring", "type: fun", "bad-value"),
            ("[python3]", "[python3, rust]", "not-offered"),
            ("[python3]", "[]", "bad-value"),
            ("[python3]", "[python3, python3]", "bad-value"),
            ("time_limit: 2.0", "time_limit: 0", "bad-value"),
            ("time_limit: 2.0", "time_limit: true", "bad-value"),
            ("memory: 256", "memory: 256.5", "bad-value"),
            ("memory: 256", "memory: '256'", "bad-value"),
            ("cc by-sa", "mit", "bad-value"),
            ("6a2f4c1e-", "", "bad-value"),
        ],
    )
    def test_a_value_that_is_not_allowed_is_refused(self, old, new, code):
        assert problem_finding(old, new).code == code

    def test_kattis_keys_without_effect_here_are_read(self):
        more = (
            "version: '3'\ncredits: {authors: [A B <a@b.example>, {name: C}], translators: "
            "{ja: D}}\nsource: [X, {name: Y, url: https://y.example}]\nrights_owner: A\n"
            "embargo_until: 2030-01-01\nallow_file_writing: false\nconstants: {max_v: 1000}\n"
        )
        package = load_package({"problem.yaml": PROBLEM_YAML + more})
        assert package.problem_yaml.constants == {"max_v": 1000}

    def test_limits_are_turned_into_the_units_of_the_judge(self):
        limits = load_package().problem.limits
        assert (limits.cpu_ms, limits.memory_kb) == (2000, 256 * 1024)
        assert (limits.stdout_kb, limits.result_kb) == (64, 8 * 1024)

    def test_languages_are_turned_into_the_words_of_the_judge(self):
        def languages(text):
            changed = PROBLEM_YAML.replace("[python3]", text)
            return load_package({"problem.yaml": changed}).problem.languages

        assert languages("[java, python3]") == ("java", "python")
        assert languages("cpp") == ("cpp",)
        assert languages("all") == ("python", "cpp", "java")


class TestJudgeYaml:
    def test_a_stdio_problem_is_a_function_of_one_text(self):
        finding = judge_finding("mode: function", "mode: stdio")
        assert (finding.code, finding.where) == ("bad-value", "judge.yaml:3")
        assert "params {input: str}" in finding.message

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("points: 100", "points: 0"),
            ("points: 100", "points: ten"),
            ("cases: 2", "cases: -1"),
            ("hints: after_submit", "hints: sometimes"),
            ("visibility: public", "visibility: everyone"),
            ("[counting]", "[Not Kebab]"),
            ("format: judge/1", "format: judge/2"),
        ],
    )
    def test_values_that_are_not_allowed_are_refused(self, old, new):
        assert judge_finding(old, new).code == "bad-value"

    def test_an_unknown_key_is_refused(self):
        finding = judge_finding("points: 100", "points: 100\nscore: 3")
        assert (finding.code, finding.where) == ("unknown-key", "judge.yaml:16")

    @pytest.mark.parametrize(
        ("old", "new"),
        [("list[float]", "list[double]"), ("returns: int", "returns: 'tuple[a: int, int]'")],
    )
    def test_a_signature_that_does_not_parse_points_at_the_signature(self, old, new):
        finding = judge_finding(old, new)
        assert (finding.code, finding.where) == ("bad-signature", "judge.yaml:3")

    def test_names_of_results_go_into_the_signature(self):
        package = load_package(pair_changes("[above, places]"))
        assert package.problem.signature.result_names == ("above", "places")

    @pytest.mark.parametrize("names", ["[above]", "[above, above]", "[above, limit]", "[a, B]"])
    def test_names_of_results_are_one_a_part(self, names):
        finding = only_finding(pair_changes(names))
        assert (finding.code, finding.where) == ("bad-signature", "judge.yaml:3")

    def test_names_of_results_do_not_change_what_the_tests_are(self):
        hashes = {
            load_package(pair_changes(names)).tests_hash for names in ("[a, b]", "[c, d]", "[]")
        }
        assert len(hashes) == 1

    def test_docs_of_an_unknown_parameter_are_refused(self):
        finding = judge_finding("ja: {values:", "ja: {wrong: x, values:")
        assert (finding.code, finding.where) == ("unknown-parameter", "judge.yaml:11")

    def test_keys_of_later_releases_are_kept(self):
        changed = JUDGE_YAML.replace("hints: after_submit", "hints: {after_n: 3}").replace(
            "limits: {", "limits: {per_language: {java: {time_factor: 1.5}}, "
        )
        package = load_package({"judge.yaml": changed + "mutants: {required_kill: all}\n"})
        assert package.judge_yaml.reveal.hints == AfterN(after_n=3)
        assert package.problem.time_factors == {"java": 1.5}


class TestOtherManifests:
    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("max_score: unbounded", "not-offered"),
            ("score_aggregation: min", "not-offered"),
            ("max_score: -1", "bad-value"),
            ("max_score: 40\nweight: 1", "unknown-key"),
            ("require_pass: secret/nope", "unknown-group"),
            ("require_pass: secret/10-basic", "unknown-group"),
        ],
    )
    def test_test_group_yaml(self, text, code):
        finding = only_finding({"data/secret/10-basic/test_group.yaml": text + "\n"})
        assert finding.code == code
        assert finding.where.startswith("data/secret/10-basic/test_group.yaml")

    def test_case_yaml_refuses_unknown_keys(self):
        finding = only_finding({"data/sample/01.yaml": "hint: x\ntitle: y\n"})
        assert (finding.code, finding.where) == ("unknown-key", "data/sample/01.yaml:2")

    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [
            ("required: [AC]", "required: [OK]", 1),
            ("secret/20-edges: {required: [WA]}", "secret/20-edges: {need: [WA]}", 4),
            ("required: [WA]\n", "required: WA\n", 3),
            ("  required: [WA]\n", "  groups: {}\n", 2),
        ],
    )
    def test_submissions_yaml(self, old, new, line):
        changed = SUBMISSIONS_YAML.replace(old, new, 1)
        findings = refusal(lambda: load_package({"submissions/submissions.yaml": changed}))
        assert findings[0].where == f"submissions/submissions.yaml:{line}"

    @pytest.mark.parametrize("stated", ["WAX", "[WAX]", "{}", "7"])
    def test_a_verdict_that_there_is_not_is_told_with_those_that_there_are(self, stated):
        changed = SUBMISSIONS_YAML.replace("[AC]", stated, 1)
        (finding,) = refusal(lambda: load_package({"submissions/submissions.yaml": changed}))
        for code in ALL_CODES:
            assert re.search(rf"\b{code}\b", finding.message), finding.message

    def test_all_files_report_at_once(self):
        changes = {
            "problem.yaml": PROBLEM_YAML + "foo: 1\n",
            "judge.yaml": JUDGE_YAML + "bar: 1\n",
            "submissions/submissions.yaml": None,
            "statement/problem.fr.md": "x",
        }
        codes = [finding.code for finding in refusal(lambda: load_package(changes))]
        assert codes == ["unknown-key", "unknown-key", "unknown-locale", "missing-file"]
