"""A Kattis package as a stdio package of the judge: what is taken over, assumed, refused."""

import pytest
from kattis_packages import CURRENT_YAML, LEGACY_YAML, PROGRAM, imported, refused

from judge.domain.problem import CheckerSpec, Mode
from judge.packages.kattis.importing import Imported, slug_of
from judge.packages.lint import is_fit, is_fit_once_translated, lint
from judge.packages.package import Package, load

BOTH = pytest.mark.parametrize("legacy", [True, False], ids=["legacy", "2025-09"])
SCORING = "type: scoring\n"
GROUPED = {
    "data/secret/1.in": None,
    "data/secret/1.ans": None,
    "data/secret/a/1.in": "b\n",
    "data/secret/a/1.ans": "b\n",
    "data/secret/a/2.in": "c\n",
    "data/secret/a/2.ans": "c\n",
    "data/secret/b/1.in": "d\n",
    "data/secret/b/1.ans": "d\n",
}


def loaded(made: Imported) -> Package:
    return load(made.files, made.slug)


def codes(made: Imported) -> list[tuple[str, str]]:
    return [(notice.code, notice.where) for notice in made.notices]


class TestTheWhole:
    @BOTH
    def test_it_loads_and_is_fit_but_for_translations(self, legacy: bool) -> None:
        made = imported(legacy=legacy)
        package = loaded(made)
        assert made.notices == ()
        found = lint(package)
        assert {one.code for one in found if one.severity == "error"} == {
            "missing-title",
            "missing-statement",
        }
        assert is_fit_once_translated(found)
        assert package.problem.mode is Mode.STDIO
        assert package.problem.checker == CheckerSpec("tokens")
        assert (package.slug, package.names) == ("echo", {"en": "Echo"})

    def test_one_without_a_right_program_is_not_fit_whatever_is_translated(self) -> None:
        accepted = "submissions/accepted/echo.py"
        made = imported({accepted: None, "submissions/wrong_answer/echo.py": PROGRAM})
        assert not is_fit_once_translated(lint(loaded(made)))

    def test_one_in_every_locale_is_fit(self) -> None:
        names = CURRENT_YAML.replace("{en: Echo}", "{vi: Vọng, ja: こだま, en: Echo}")
        texts = {"vi": "Nói lại một lần nữa.\n", "ja": "もう一度言ってください。\n"}
        files = {f"statement/problem.{locale}.md": text for locale, text in texts.items()}
        made = imported({"problem.yaml": names, **files}, legacy=False)
        assert is_fit(lint(loaded(made)))

    @BOTH
    def test_cases_are_texts_and_groups_have_the_points(self, legacy: bool) -> None:
        problem = loaded(imported(legacy=legacy)).problem
        assert [(case.arguments, case.expected) for case in problem.cases] == [
            ({"input": "a\n"}, "a\n"),
            ({"input": "b\n"}, "b\n"),
        ]
        assert [(group.name, group.max_score) for group in problem.groups] == [
            ("sample", 0),
            ("secret/10-hidden", 100),
        ]

    def test_twice_the_same_package_is_twice_the_same_import(self) -> None:
        changes = {"problem.yaml": "name: Echo\n"}
        assert imported(changes).files == imported(changes).files

    @pytest.mark.parametrize(
        ("name", "slug"),
        [("hello", "hello"), ("Two-Words", "two_words"), ("2sum", "p_2sum"), ("for", "for_")],
    )
    def test_its_name_becomes_a_slug(self, name: str, slug: str) -> None:
        assert slug_of(name) == slug

    def test_data_that_are_no_text_are_refused_where_the_package_is_read(self) -> None:
        made = imported({"data/secret/1.in": b"b\n\xff"})
        with pytest.raises(Exception, match=r"01?\.in:2: error: is not UTF-8|1\.in:2"):
            loaded(made)


class TestLimits:
    @pytest.mark.parametrize(
        ("changes", "legacy", "cpu_ms"),
        [
            ({}, True, 1000),
            ({".timelimit": None, "domjudge-problem.ini": "timelimit='2.5'\n"}, True, 2500),
            ({"problem.yaml": CURRENT_YAML.replace("time_limit: 1", "time_limit: 3")}, False, 3000),
        ],
    )
    def test_a_time_limit_is_found(
        self, changes: dict[str, str | None], legacy: bool, cpu_ms: int
    ) -> None:
        assert loaded(imported(changes, legacy=legacy)).problem.limits.cpu_ms == cpu_ms

    def test_where_none_is_stated_the_import_says_what_it_takes(self) -> None:
        made = imported({".timelimit": None})
        assert codes(made) == [("import-assumed", "problem.yaml")]
        assert loaded(made).problem.limits.cpu_ms == 2000

    def test_output_is_what_a_result_may_hold(self) -> None:
        yaml = LEGACY_YAML.replace("memory: 256", "memory: 99999, output: 16")
        made = imported({"problem.yaml": yaml})
        limits = loaded(made).problem.limits
        assert (limits.memory_kb, limits.result_kb) == (4096 * 1024, 16 * 1024)
        assert codes(made) == [("import-assumed", "problem.yaml")]


class TestChecker:
    @pytest.mark.parametrize(
        ("flags", "spec"),
        [
            ("case_sensitive", CheckerSpec("tokens", case_sensitive=True)),
            ("space_change_sensitive", CheckerSpec("tokens", space_sensitive=True)),
            ("float_tolerance 1e-6", CheckerSpec("tokens", 1e-6, 1e-6)),
            ("float_absolute_tolerance 1e-4", CheckerSpec("tokens", 1e-4)),
            ("float_relative_tolerance 1e-4", CheckerSpec("tokens", 0.0, 1e-4)),
        ],
    )
    def test_arguments_of_the_default_validator(self, flags: str, spec: CheckerSpec) -> None:
        legacy = imported({"problem.yaml": f"{LEGACY_YAML}validator_flags: {flags}\n"})
        args = ", ".join(flags.split())
        group = {"data/test_group.yaml": f"output_validator_args: [{args}]\n"}
        current = imported(group, legacy=False)
        assert loaded(legacy).problem.checker == spec
        assert loaded(current).problem.checker == spec

    def test_an_argument_that_it_has_not_is_refused(self) -> None:
        finding = refused({"problem.yaml": f"{LEGACY_YAML}validator_flags: float_tol 1\n"})
        assert "'float_tol'" in finding.message

    def test_groups_may_not_differ_in_them(self) -> None:
        changes = {**GROUPED, "data/secret/b/testdata.yaml": "output_validator_flags: x\n"}
        assert "groups differ" in refused(changes).message

    def test_a_custom_validator_comes_with_its_arguments(self) -> None:
        changes = {
            "problem.yaml": f"{LEGACY_YAML}validation: custom\nvalidator_flags: a b\n",
            "output_validators/mine/validate.py": "import sys\nsys.exit(42)\n",
            "output_validators/mine/more.py": "",
        }
        program = loaded(imported(changes)).problem.checker_program
        assert program is not None
        assert program.language == "python"
        assert [name for name, _ in program.files] == ["validate.py", "more.py"]
        assert program.arguments == ("a", "b")

    def test_in_2025_09_the_folder_says_that_there_is_one(self) -> None:
        changes = {"output_validator/v.cpp": "int main() {}\n"}
        package = loaded(imported(changes, legacy=False))
        assert package.problem.checker.kind == "custom"
        assert package.problem.checker_program is not None
        assert package.problem.checker_program.language == "cpp"

    @pytest.mark.parametrize(
        "paths",
        [("v/build", "v/run"), ("v/v.java",), ("a.py", "b.py"), ("v/a.py", "v/b.py")],
        ids=["scripts", "another language", "two programs", "no entry"],
    )
    def test_a_validator_that_cannot_run_here_is_refused(self, paths: tuple[str, ...]) -> None:
        changes = {f"output_validators/{path}": "x" for path in paths}
        yaml = {"problem.yaml": f"{LEGACY_YAML}validation: custom\n"}
        assert refused(changes | yaml).where == "output_validators"


class TestRefused:
    @pytest.mark.parametrize("kind", ["interactive", "multi-pass", "submit-answer"])
    def test_types_that_are_no_single_run_of_a_program(self, kind: str) -> None:
        finding = refused({"problem.yaml": f"{CURRENT_YAML}type: {kind}\n"}, legacy=False)
        assert (finding.code, finding.where) == ("not-offered", "problem.yaml")
        assert kind in finding.message

    @pytest.mark.parametrize(
        ("changes", "word"),
        [
            ({"problem.yaml": f"{LEGACY_YAML}validation: custom interactive\n"}, "interactive"),
            ({"problem.yaml": f"{LEGACY_YAML}validation: custom score\n"}, "scores"),
            ({"problem.yaml": f"{LEGACY_YAML}grading: {{objective: min}}\n"}, "lowest"),
            ({"problem.yaml": "problem_format_version: 2023-07-draft\n"}, "2023-07-draft"),
            ({"problem.yaml": "[]\n"}, "no mapping"),
            ({"problem.yaml": None}, "no Kattis package"),
            ({"judge.yaml": "format: judge/1\n"}, "already"),
            ({"data/sample/1.interaction": "<a\n"}, "interactive"),
            ({"data/secret/1.files/x": "a"}, "files of its own"),
            ({"data/secret/1.yaml": "args: [x]\n"}, "args"),
            ({"data/secret/1.in": None}, "no test case"),
            ({"include/python3/main.py": ""}, "compiled with every submission"),
            ({"graders/g.py": ""}, "grader"),
            ({"static_validator/v.py": ""}, "source itself"),
            ({"data/secret/testdata.yaml": "grading: custom\n"}, "grader"),
        ],
    )
    def test_what_the_judge_does_not_offer(self, changes: dict[str, str | None], word: str) -> None:
        finding = refused(changes)
        assert finding.code == "not-offered"
        assert word in finding.message

    def test_a_problem_in_languages_that_are_not_judged(self) -> None:
        yaml = f"{CURRENT_YAML}languages: [rust]\n"
        assert "none of its languages" in refused({"problem.yaml": yaml}, legacy=False).message


class TestScores:
    def legacy_groups(self, a: str, b: str = "accept_score: 70\ngrader_flags: min\n") -> Imported:
        changes = {
            **GROUPED,
            "problem.yaml": LEGACY_YAML + SCORING,
            "data/testdata.yaml": "grader_flags: ignore_sample\n",
            "data/secret/a/testdata.yaml": a,
            "data/secret/b/testdata.yaml": b,
        }
        return imported(changes)

    @pytest.mark.parametrize(
        ("settings", "score"),
        [
            ("accept_score: 30\ngrader_flags: min\n", 30),
            ("accept_score: 15\n", 30),
            ("accept_score: 30\ngrader_flags: first_error avg\n", 30),
        ],
    )
    def test_of_legacy_groups_that_are_given_whole(self, settings: str, score: int) -> None:
        problem = loaded(self.legacy_groups(settings)).problem
        scores = {group.name: group.max_score for group in problem.groups}
        assert scores == {"sample": 0, "secret/a": score, "secret/b": 70}
        assert problem.points == 100

    def test_of_single_cases_are_refused(self) -> None:
        with pytest.raises(Exception, match="scores of their own"):
            self.legacy_groups("accept_score: 15\ngrader_flags: accept_if_any_accepted\n")

    def test_of_2025_09_groups(self) -> None:
        changes = {
            **GROUPED,
            "problem.yaml": CURRENT_YAML + SCORING,
            "data/secret/a/test_group.yaml": "max_score: 30\nscore_aggregation: min\n",
            "data/secret/b/test_group.yaml": "max_score: 70\nrequire_pass: [secret/a]\n",
        }
        groups = loaded(imported(changes, legacy=False)).problem.groups
        assert [(group.max_score, group.require_pass) for group in groups] == [
            (0, ()),
            (30, ()),
            (70, ("secret/a",)),
        ]

    @pytest.mark.parametrize(
        "settings",
        ["max_score: 30\nscore_aggregation: sum\n", "max_score: unbounded\n", "max_score: 0.5\n"],
    )
    def test_of_2025_09_that_are_not_offered(self, settings: str) -> None:
        changes = {
            **GROUPED,
            "problem.yaml": CURRENT_YAML + SCORING,
            "data/secret/a/test_group.yaml": settings,
            "data/secret/b/test_group.yaml": "max_score: 70\n",
        }
        assert refused(changes, legacy=False).where == "data/secret/a"

    def test_groups_of_a_pass_fail_problem_become_one(self) -> None:
        problem = loaded(imported({**GROUPED})).problem
        assert [case.id for case in problem.cases[1:]] == [
            "secret/10-hidden/a-1",
            "secret/10-hidden/a-2",
            "secret/10-hidden/b-1",
        ]
        assert problem.groups[1].require_pass == ("sample",)


class TestSubmissions:
    def test_a_folder_says_what_they_must_come_to(self) -> None:
        package = loaded(imported({"submissions/wrong_answer/w.cpp": "int main() {}\n"}))
        wrong = package.submissions[-1]
        assert (wrong.path, wrong.language) == ("wrong_answer/w.cpp", "cpp")
        assert {str(verdict) for verdict in wrong.expectations[0].required} == {"wrong_answer"}

    def test_submissions_yaml_says_more(self) -> None:
        changes = {
            "submissions/rejected/r.py": PROGRAM,
            "submissions/submissions.yaml": "rejected/*: {required: [RTE], message: EOF}\n",
        }
        rejected = loaded(imported(changes, legacy=False)).submissions[-1].expectations[0]
        assert {str(verdict) for verdict in rejected.required} == {"runtime_error"}
        assert rejected.message == "EOF"

    def test_a_folder_of_one_file_is_that_file(self) -> None:
        made = imported({"submissions/accepted/big/Main.java": "class Main {}\n"})
        assert "submissions/accepted/big.java" in made.files

    @pytest.mark.parametrize(
        "changes",
        [
            {"submissions/accepted/a/x.py": PROGRAM, "submissions/accepted/a/y.py": ""},
            {"submissions/accepted/a.rs": "fn main() {}\n"},
            {"submissions/accepted/a.py": "#!/usr/bin/env python2\nprint 1\n"},
            {"submissions/brute_force/a.py": PROGRAM},
        ],
        ids=["several files", "another language", "Python 2", "no verdict of its own"],
    )
    def test_others_are_left_out_with_a_notice(self, changes: dict[str, str]) -> None:
        made = imported(changes)
        assert {code for code, _ in codes(made)} == {"import-dropped"}
        assert [one.path for one in loaded(made).submissions] == ["accepted/echo.py"]


class TestTexts:
    def test_latex_beyond_the_subset_is_attached(self) -> None:
        tex = "\\problemname{Echo}\n\\begin{tabular}{l}x\\end{tabular}\n"
        made = imported({"problem_statement/problem.tex": tex})
        assert made.files["attachments/problem.en.tex"] == tex.encode()
        assert b"problem.en.tex" in made.files["statement/problem.en.md"]
        assert codes(made) == [("import-dropped", "problem_statement/problem.tex")]

    def test_locales_are_those_of_the_judge(self) -> None:
        changes = {"statement/problem.sv.md": "Hej.\n", "statement/problem.vi.md": "Xin chào.\n"}
        made = imported(changes, legacy=False)
        assert "attachments/problem.sv.md" in made.files
        assert set(loaded(made).statements) == {"en", "vi"}

    def test_samples_get_a_place(self) -> None:
        assert loaded(imported()).statements["en"].endswith("{{remainingsamples}}\n")

    def test_the_name_in_a_statement_counts_where_there_is_no_other(self) -> None:
        made = imported({"problem.yaml": LEGACY_YAML.replace("name: Echo\n", "")})
        assert loaded(made).names == {"en": "Echo"}

    def test_hints_and_descriptions_of_cases_stay(self) -> None:
        made = imported({"data/secret/1.hint": "Think.\n", "data/secret/1.png": "x"})
        assert loaded(made).problem.cases[1].hint["en"] == "Think."
        assert codes(made) == [("import-dropped", "data/secret/1.png")]
