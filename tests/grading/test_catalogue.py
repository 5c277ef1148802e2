"""The catalogue of attacks: complete, and everything that it names is there."""

import ast
import importlib
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import golden
import pytest

from judge.harness.languages import LANGUAGES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LINES: list[dict[str, Any]] = tomllib.loads((HERE / "catalogue.toml").read_text())["line"]
KEYS = {"number", "title", "languages", "tier_a", "tier_b", "cases", "tests"}
each_line = pytest.mark.parametrize("line", LINES, ids=lambda line: str(line["number"]))


def languages_of(name: str) -> set[str]:
    """The languages in which a folder holds a source."""
    return {
        language
        for language, facts in LANGUAGES.items()
        if (golden.CASES / name / facts.file_name).is_file()
    }


@cache
def names_of_tests(path: str) -> frozenset[str]:
    """Names of the test functions of a file."""
    tree = ast.parse((ROOT / path).read_text())
    names = (node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return frozenset(name for name in names if name.startswith("test_"))


def languages_of_test(test: str) -> set[str]:
    """The languages that a grading test is parametrised over; it runs once for each.

    What the sandbox's own tests run is no source of a learner's, so they try no language.
    """
    path, _, name = test.partition("::")
    if not path.startswith("tests/grading/"):
        return set()
    module = importlib.import_module(Path(path).stem)
    classes = [one for one in vars(module).values() if isinstance(one, type)]
    marks: list[pytest.Mark] = []
    for owner in (module, *classes):
        function = vars(owner).get(name)
        if function is not None:
            marks += [*getattr(owner, "pytestmark", []), *getattr(function, "pytestmark", [])]
    return set(parametrised_languages(marks)) & set(LANGUAGES)


def parametrised_languages(marks: list[pytest.Mark]) -> Iterator[str]:
    """The values of ``language`` in what marks a test."""
    for mark in marks:
        if mark.name != "parametrize":
            continue
        names = mark.args[0]
        names = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
        if "language" not in names:
            continue
        for row in mark.args[1]:
            values = getattr(row, "values", row)
            yield values if isinstance(values, str) else values[names.index("language")]


def test_every_number_is_there_once() -> None:
    assert [line["number"] for line in LINES] == list(range(1, 94))


@each_line
def test_a_line_says_what_must_come_of_it(line: dict[str, Any]) -> None:
    assert set(line) <= KEYS
    assert line["title"]
    assert line["tier_a"]
    assert line["languages"]
    assert line.get("tier_b") != line["tier_a"]


@each_line
def test_what_a_line_names_is_there(line: dict[str, Any]) -> None:
    assert [name for name in line.get("cases", []) if not languages_of(name)] == []
    for test in line.get("tests", []):
        path, _, name = test.partition("::")
        assert name in names_of_tests(path), test


@each_line
def test_a_line_claims_the_languages_that_it_tries_and_no_others(line: dict[str, Any]) -> None:
    tried = set().union(
        *map(languages_of, line.get("cases", [])), *map(languages_of_test, line.get("tests", []))
    )
    assert set(line["languages"]) == tried


def test_every_attack_is_listed() -> None:
    listed = {name for line in LINES for name in line.get("cases", [])}
    attacks = {
        folder.name
        for language in LANGUAGES
        for folder in golden.folders(language)
        if golden.kind_of(folder, language) in golden.ATTACKS
    }
    assert attacks - listed == set()
