"""A problem as a Kattis package: token text, drivers, validators, statements."""

import io
import sys
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from kattis_packages import imported
from package_builder import JUDGE_YAML, load_package
from value_strategies import typed_values

from judge.domain.signatures import make_signature, parse_type
from judge.errors import PackageInvalid
from judge.harness import wire
from judge.packages.builtin import builtin_slugs, load_named
from judge.packages.files import PackageFiles
from judge.packages.kattis import drivers, token_text
from judge.packages.kattis.exporting import Exported, export_package
from judge.packages.kattis.importing import import_package
from judge.packages.kattis.tex import to_tex
from judge.packages.package import load
from judge.packages.yaml_text import parse_yaml


def module(name: str, source: bytes, **names: object) -> dict[str, Any]:
    """A generated Python module, run."""
    made = ModuleType(name)
    made.__dict__.update(names)
    exec(compile(source, name, "exec"), made.__dict__)  # noqa: S102 - our own templates
    return made.__dict__


TOKENS = module("token_text", drivers.token_text())


class TestTokenText:
    def test_every_parameter_has_a_line_and_a_matrix_one_a_row(self) -> None:
        signature = make_signature(
            "f",
            {"a": "int", "b": "list[float]", "c": "ndarray[f64, 2]", "d": "str", "e": "list[int]"},
            "bool",
        )
        matrix = np.array([[0.5, 1.0], [2.0, 1e-300]])
        values = {"a": -3, "b": [0.1, float("inf")], "c": matrix, "d": "x y é", "e": []}
        assert token_text.input_text(signature, values).decode().splitlines() == [
            "-3",
            "2 0.1 inf",
            "2 2",
            "0.5 1.0",
            "2.0 1e-300",
            ":x%20y%20%C3%A9",
            "0",
        ]
        assert token_text.answer_text(signature, True) == b"1\n"

    @given(typed_values())
    def test_what_the_programs_read_and_write_again_is_the_same_text(self, typed: Any) -> None:
        value_type, value = typed
        text = token_text.value_text(value_type, value)
        kind = wire.describe(value_type)
        reader = TOKENS["Reader"](text)
        assert TOKENS["write"](kind, reader.read(kind)) == text
        reader.end()

    @pytest.mark.parametrize("text", ["", "1.5", "x", "5 1", "1 1 1", "99999999999 1"])
    def test_other_texts_are_no_values(self, text: str) -> None:
        reader = TOKENS["Reader"](text)
        with pytest.raises(TOKENS["BadTokens"]):
            (reader.read(wire.describe(parse_type("list[int]"))), reader.end())


def exported(
    changes: dict[str, str | bytes | None] | None = None, form: str = "legacy"
) -> Exported:
    return export_package(load_package(changes), form)


def yaml_of(made: Exported, path: str) -> Any:
    return parse_yaml(path, made.files[path]).data


class TestLegacy:
    def test_the_name_has_no_underscores(self) -> None:
        assert exported().short_name == "countlarge"

    def test_problem_yaml_has_the_keys_of_that_format(self) -> None:
        assert yaml_of(exported(), "problem.yaml") == {
            "problem_format_version": "legacy",
            "type": "pass-fail",
            "name": "Count large values",
            "uuid": "6a2f4c1e-9b0d-4e57-8a63-1f0c5d7e9b21",
            "source": "Decode Judge",
            "license": "cc by-sa",
            "limits": {"memory": 256},
            "validation": "default",
            "keywords": "counting",
        }

    def test_files_stand_where_the_format_wants_them(self) -> None:
        folders = {path.partition("/")[0] for path in exported().files}
        assert folders == {
            ".timelimit",
            "data",
            "include",
            "input_validators",
            "problem.yaml",
            "problem_statement",
            "submissions",
        }

    def test_nothing_of_the_judges_own_goes_out(self) -> None:
        paths = set(exported().files)
        assert not paths & {"judge.yaml", "reference.py", "margins.py", "generators/cases.py"}
        assert not any(path.startswith(("hints/", "solution/")) for path in paths)

    def test_drivers_are_those_of_the_problems_languages(self) -> None:
        paths = [path for path in exported().files if path.startswith("include/")]
        assert paths == ["include/python3/main.py", "include/python3/token_text.py"]

    def test_statements_keep_their_explanations_and_say_what_to_submit(self) -> None:
        tex = exported().files["problem_statement/problem.en.tex"].decode()
        assert tex.startswith("\\problemname{Count large values}\n")
        assert "\\texttt{count\\_large(values, limit)}" in tex
        assert "\\textbf{Sample 1.} 2 values are above 1." in tex

    @pytest.mark.parametrize("slug", builtin_slugs())
    @pytest.mark.parametrize("form", ["legacy", "2025-09"])
    def test_every_builtin_problem_that_has_a_form_is_exported(self, slug: str, form: str) -> None:
        package = load_named(slug)
        if package.problem.checker.kind == "distribution":
            pytest.skip("a distribution has no form there")
        made = export_package(package, form)
        cases = [path for path in made.files if path.endswith(".in")]
        assert len(cases) == len(package.problem.cases)


class TestChecker:
    def test_whole_numbers_are_compared_as_tokens(self) -> None:
        assert not any("output_validator" in path for path in exported().files)

    @pytest.mark.parametrize(
        ("checker", "returns", "answer"),
        [
            ("{kind: close, abs: 1.0e-6}", "float", "2.0\n"),
            ("{kind: exact}", "float", "2.0\n"),
            ("{kind: set}", "list[int]", "[2]\n"),
        ],
    )
    def test_what_tokens_cannot_say_gets_a_validator(
        self, checker: str, returns: str, answer: str
    ) -> None:
        made = exported(changed(checker, returns, answer))
        assert yaml_of(made, "problem.yaml")["validation"] == "custom"
        assert "output_validators/validator/main.py" in made.files

    @pytest.mark.parametrize(
        ("checker", "returns", "expected", "right", "wrong"),
        [
            ("{kind: close, abs: 0.5, rel: 0}", "float", "2.0", "2.5", "2.6"),
            ("{kind: exact}", "float", "0.0", "-0.0", "1e-300"),
            ("{kind: set}", "list[int]", "2 1 2", "2 2 1", "2 1 1"),
            ("{kind: multiset, abs: 0.5}", "list[float]", "2 1.0 1.9", "2 2.3 1.4", "2 3.0 1.4"),
            ("{kind: exact}", "float", "1.0", "1.0", "1.0 2.0"),
            ("{kind: exact}", "float", "1.0", "1.0", "one"),
        ],
    )
    def test_the_validator_says_what_the_checker_says(
        self, tmp_path: Any, checker: str, returns: str, expected: str, right: str, wrong: str
    ) -> None:
        answer = "[]\n" if returns.startswith("list") else "2.0\n"
        made = exported(changed(checker, returns, answer))
        source = made.files["output_validators/validator/main.py"]
        (tmp_path / "in").write_text("0\n1.0\n")
        (tmp_path / "ans").write_text(expected)
        statuses = [run_validator(source, tmp_path, output) for output in (right, wrong)]
        assert statuses == [42, 43]

    def test_a_distribution_has_no_form(self) -> None:
        package = load_package()
        checker = replace(package.problem.checker, kind="distribution")
        with pytest.raises(PackageInvalid, match="many draws"):
            export_package(replace(package, problem=replace(package.problem, checker=checker)))


def changed(checker: str, returns: str, answer: str) -> dict[str, str | bytes | None]:
    yaml = JUDGE_YAML.replace("{kind: exact}", checker).replace(
        "returns: int", f"returns: {returns}"
    )
    answers = ("sample/01", "secret/10-basic/01", "secret/10-basic/02", "secret/20-edges/01")
    return {"judge.yaml": yaml, **{f"data/{case}.ans": answer for case in answers}}


def run_validator(source: bytes, folder: Any, output: str) -> int:
    """The exit status of a generated output validator."""
    (folder / "feedback").mkdir(exist_ok=True)
    before = sys.argv, sys.stdin, sys.modules.get("token_text")
    sys.argv = ["main.py", str(folder / "in"), str(folder / "ans"), str(folder / "feedback")]
    sys.stdin = io.TextIOWrapper(io.BytesIO(output.encode()))
    sys.modules["token_text"] = ModuleType("token_text")
    sys.modules["token_text"].__dict__.update(TOKENS)
    try:
        module("main", source)
    except SystemExit as error:
        return int(str(error.code))
    finally:
        sys.argv, sys.stdin = before[:2]
        del sys.modules["token_text"]
    raise AssertionError("it did not exit")


class TestStdio:
    @pytest.mark.parametrize("form", ["legacy", "2025-09"])
    def test_a_problem_that_was_imported_comes_in_again(self, form: str) -> None:
        changes = {"problem.yaml": IMPORTED_YAML, "submissions/wrong_answer/w.py": "print()\n"}
        first = imported(changes)
        package = load(first.files, first.slug)
        made = export_package(package, form)
        files = PackageFiles(dict(made.files))
        again = load(import_package(files, "echo").files, "echo")
        assert [case.arguments for case in again.problem.cases] == [
            case.arguments for case in package.problem.cases
        ]
        assert again.problem.checker == package.problem.checker
        assert again.problem.limits == package.problem.limits
        assert [one.path for one in again.submissions] == [one.path for one in package.submissions]


IMPORTED_YAML = (
    "name: Echo\nuuid: 1d6a2a52-08d5-4b0a-9e7a-4a1f8a1c0f01\nlimits: {memory: 256}\n"
    "validator_flags: case_sensitive float_tolerance 1e-6\n"
)


@pytest.mark.parametrize(
    ("markdown", "tex"),
    [
        ("**a** *b* `c_d`", r"\textbf{a} \emph{b} \texttt{c\_d}"),
        ("$x_1$ is 5 % & #1", r"$x_1$ is 5 \% \& \#1"),
        ("## Head\n\ntext", "\\section*{Head}\n\ntext"),
        ("* a\n* b", "\\begin{itemize}\n\\item a\n\n\\item b\n\n\\end{itemize}"),
        ("$$a + b$$", "\\[a + b\\]"),
        ("{{n}} of them", "7 of them"),
        ("{{nextsample}}\n\nBecause.", r"\textbf{Sample 1.} Because."),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "1 & 2 \\\\"),
        ("[x](https://example.org)", r"\href{https://example.org}{x}"),
    ],
)
def test_markdown_becomes_latex(markdown: str, tex: str) -> None:
    assert tex in to_tex(markdown, "Name", "en", {"n": 7})
