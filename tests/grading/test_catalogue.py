"""The catalogue of attacks: complete, and everything that it names is there."""

import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import golden
import pytest

from judge.harness.languages import LANGUAGES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LINES: list[dict[str, Any]] = tomllib.loads((HERE / "catalogue.toml").read_text())["line"]
KEYS = {"number", "title", "languages", "tier_a", "tier_b", "cases", "tests", "by_tests"}
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
def test_every_language_of_a_line_is_covered(line: dict[str, Any]) -> None:
    by_tests = line.get("by_tests", [])
    assert line.get("tests") or not by_tests
    covered = set(by_tests).union(*map(languages_of, line.get("cases", [])))
    assert set(line["languages"]) <= covered


def test_every_attack_is_listed() -> None:
    listed = {name for line in LINES for name in line.get("cases", [])}
    attacks = {
        folder.name
        for language in LANGUAGES
        for folder in golden.folders(language)
        if golden.kind_of(folder, language) in golden.ATTACKS
    }
    assert attacks - listed == set()
