"""What the page of the API takes from an OpenAPI document."""

from typing import Any

import pytest

from judge.web.api_reference import Credential, Operation, Words, read_document

PROBLEM = "application/problem+json"


def problem(code: str) -> dict[str, Any]:
    return {"description": "No.", "content": {PROBLEM: {"example": {"code": code}}}}


def document(*operations: dict[str, Any]) -> dict[str, Any]:
    """One operation a path."""
    return {
        "paths": {
            f"/{number}": {"get": {"operationId": f"op{number}", "responses": {}, **operation}}
            for number, operation in enumerate(operations)
        },
        "components": {"schemas": {"Role": {"type": "string", "enum": ["learner", "admin"]}}},
    }


def read_one(**operation: Any) -> Operation:
    return read_document(document(operation)).groups[0].operations[0]


def test_operations_stand_under_their_first_tag() -> None:
    read = read_document(document({"tags": ["b"]}, {"tags": ["a"]}, {"tags": ["b", "a"]}, {}))
    found = [(group.tag, [one.id for one in group.operations]) for group in read.groups]
    assert found == [("b", ["op0", "op2"]), ("a", ["op1"]), ("other", ["op3"])]


def test_named_sets_of_words_are_shown() -> None:
    assert read_document(document()).sets == (Words("Role", ('"learner"', '"admin"')),)


def test_the_same_problem_document_stands_once() -> None:
    same = {"responses": {"404": problem("not-found")}}
    read = read_document(document(same, same, {"responses": {"404": problem("gone")}}))
    assert [(one.status, one.code) for one in read.problems] == [("404", "not-found")]
    answers = [one.answers[0] for one in read.groups[0].operations]
    assert [one.is_common for one in answers] == [True, True, False]
    assert [len(one.examples) for one in answers] == [0, 0, 1]


@pytest.mark.parametrize(
    ("security", "is_open", "credentials"),
    [
        ([], True, ()),
        ([{"token": ["scores:read"]}], False, (Credential("token", ("scores:read",)),)),
        ([{}, {"session": []}], True, (Credential("session", ()),)),
    ],
)
def test_who_may_call_is_as_the_document_says(
    security: list[dict[str, list[str]]], is_open: bool, credentials: tuple[Credential, ...]
) -> None:
    found = read_one(security=security)
    assert (found.is_open, found.credentials) == (is_open, credentials)


@pytest.mark.parametrize(
    ("schema", "rules"),
    [
        ({"type": "integer", "minimum": 0, "default": 0}, ("integer", "default: 0", "minimum: 0")),
        ({"$ref": "#/components/schemas/Role"}, ("string", "learner | admin")),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, ("string | integer",)),
        ({"type": "string", "pattern": r"^[^\u0000]*$"}, ("string",)),
        ({}, ()),
    ],
)
def test_a_parameter_has_the_rules_of_its_schema(
    schema: dict[str, Any], rules: tuple[str, ...]
) -> None:
    found = read_one(parameters=[{"name": "p", "in": "query", "schema": schema}])
    assert found.parameters[0].rules == rules


def test_an_example_that_is_text_is_shown_as_it_is() -> None:
    content = {"text/csv": {"example": "a,b\n"}, "application/json": {"example": {"a": "ă"}}}
    found = read_one(requestBody={"content": content}).request
    assert [one.text for one in found] == ["a,b\n", '{\n  "a": "ă"\n}']
