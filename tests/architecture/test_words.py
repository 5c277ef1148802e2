"""One word for one thing: the words that docs/glossary.md rules out, among our identifiers."""

import ast
import re
from collections.abc import Iterator

import pytest
from sources import Source, sources

FOLDERS = ("judge/domain", "judge/grading", "judge/db")

# Word -> the word to use instead. Each is looked for as a part of a snake_case or CamelCase name.
NEVER = {
    "exercise": "problem",
    "task": "problem (or job)",
    "challenge": "problem",
    "bundle": "package",
    "version": "revision",
    "description": "statement",
    "editorial": "solution",
    "prototype": "signature",
    "lang": "language (or locale)",
    "batch": "test case",
    "subtask": "test group",
    "comparator": "checker",
    "grader": "harness (or grading)",
    "stub": "harness",
    "status": "verdict (or state)",
    "agent": "worker",
}

# (folder, identifier): why it may stand.
ALLOWED = {
    ("judge/grading", "Grader"): "the class that grades, named by the worker's contract",
    ("judge/grading", "grader"): "an instance of Grader",
    ("judge/grading", "grader_version"): "version of the judge's own code",
    ("judge/grading", "python_version"): "a third party's version number, not a revision",
    ("judge/grading", "version"): "a third party's version number, not a revision",
    ("judge/grading", "__version__"): "Python's own name",
    ("judge/grading", "versions"): "version numbers of third parties",
    ("judge/db", "runner_version"): "a third party's version number, not a revision",
    ("judge/db", "_VERSION_7"): "the seventh kind of UUID (RFC 9562)",
    ("judge/db", "version_table"): "Alembic's own name",
    ("judge/db", "render_as_batch"): "Alembic's own name",
}

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words_of(identifier: str) -> set[str]:
    """The words that an identifier is made of, in lower case and without a plural s."""
    parts = [part.lower() for part in _WORD.findall(identifier)]
    return {*parts, *(part.removesuffix("s") for part in parts if not part.endswith("ss"))} - {""}


def identifiers(source: Source) -> Iterator[tuple[int, str]]:
    """Line and name of everything that a module itself names."""
    for node in ast.walk(source.tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name
            case ast.arg(arg=name):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("TestCase", {"test", "case"}),
        ("status_code", {"status", "statu", "code"}),
        ("batches", {"batches", "batche"}),
        ("HTTPStatus", {"http", "status", "statu"}),
        ("class_", {"class"}),
    ],
)
def test_a_name_is_split_into_its_words(identifier: str, words: set[str]) -> None:
    assert words_of(identifier) == words


@pytest.mark.parametrize("folder", FOLDERS)
def test_identifiers_use_the_words_of_the_glossary(folder: str) -> None:
    wrong = [
        f"{source.name}:{line} {name}: say {NEVER[word]}, not {word}"
        for source in sources(folder)
        for line, name in identifiers(source)
        for word in sorted(words_of(name) & NEVER.keys())
        if (folder, name) not in ALLOWED
    ]
    assert wrong == []


def test_module_names_use_the_words_of_the_glossary() -> None:
    names = [source.path for folder in FOLDERS for source in sources(folder)]
    assert [path.as_posix() for path in names if words_of(path.stem) & NEVER.keys()] == []
