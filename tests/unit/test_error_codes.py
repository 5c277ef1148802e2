"""The table of statuses by error code says what the source says."""

import ast
from collections.abc import Iterator
from pathlib import Path

from test_catalogues import HTTP_REFUSALS, REFUSALS, ROOT, constants

from judge.api import errors
from judge.api.error_codes import CODES_BY_STATUS
from judge.web.error_codes import describe_code, list_codes

BY_CLASS = {kind.__name__: status for kind, status in errors._STATUS.items()}
# What stands for everything else that the framework refuses.
OF_ANY_STATUS = "error"


def raised() -> Iterator[tuple[int, str]]:
    """Status and code of every refusal in the source, and of those of the framework."""
    for path in sorted((ROOT / "judge").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield from raised_by(path, node.func.id, node)
    yield from ((status, code) for status, (code, _) in errors._OF_FRAMEWORK.items())


def raised_by(path: Path, called: str, node: ast.Call) -> Iterator[tuple[int, str]]:
    if called in REFUSALS and node.args:
        yield from ((BY_CLASS.get(called, 400), code) for code in constants(node.args[0]))
    if called in HTTP_REFUSALS and len(node.args) > 1:
        for code in constants(node.args[1]):
            status = node.args[0]
            assert isinstance(status, ast.Constant), f"{path}:{node.lineno}: which status?"
            yield int(str(status.value)), code


def test_the_table_has_every_code_with_every_status_that_it_comes_with() -> None:
    told = {(status, code) for status, codes in CODES_BY_STATUS.items() for code in codes}
    assert sorted(told ^ set(raised())) == [], "set judge/api/error_codes.py right"


def test_the_table_is_in_order() -> None:
    assert list(CODES_BY_STATUS) == sorted(CODES_BY_STATUS)
    assert [list(codes) for codes in CODES_BY_STATUS.values()] == [
        sorted(set(codes)) for codes in CODES_BY_STATUS.values()
    ]


def test_a_code_without_a_known_status_is_given_none() -> None:
    unknown = [
        one for one in list_codes() if not describe_code(one, "en", CODES_BY_STATUS).statuses
    ]
    assert unknown == [OF_ANY_STATUS]


def test_a_code_with_variants_has_all_their_sentences() -> None:
    assert len(describe_code("not-verified", "ja", CODES_BY_STATUS).sentences) == 4
    assert len(describe_code("not-found", "ja", CODES_BY_STATUS).sentences) == 1
