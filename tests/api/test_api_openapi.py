"""The OpenAPI document describes every operation with an example."""

from typing import Any

import pytest
from api_world import World


@pytest.fixture
def operations(world: World) -> dict[str, dict[str, Any]]:
    document = world.anonymous().get("/api/v1/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    return {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def test_every_operation_has_a_summary_and_an_example(
    operations: dict[str, dict[str, Any]],
) -> None:
    lacking = []
    for name, operation in operations.items():
        status, success = next(
            (status, answer)
            for status, answer in operation["responses"].items()
            if status.startswith("2")
        )
        has_example = status == "204" or any(
            "example" in content for content in success["content"].values()
        )
        if not operation.get("summary") or not operation.get("description") or not has_example:
            lacking.append(name)
    assert lacking == []


def test_every_body_has_an_example_that_fits_its_shape(
    world: World, operations: dict[str, dict[str, Any]]
) -> None:
    document = world.anonymous().get("/api/v1/openapi.json").json()
    for name, operation in operations.items():
        if "requestBody" not in operation:
            continue
        kinds = operation["requestBody"]["content"]
        if "application/octet-stream" in kinds:
            assert "example" in kinds["application/octet-stream"], name
            continue
        content = kinds["application/json"]
        schema = document["components"]["schemas"][content["schema"]["$ref"].split("/")[-1]]
        assert schema["additionalProperties"] is False, name
        assert set(content["example"]) <= set(schema["properties"]), name
        assert set(schema.get("required", [])) <= set(content["example"]), name


def test_examples_of_answers_have_the_fields_of_their_shape(
    world: World, operations: dict[str, dict[str, Any]]
) -> None:
    schemas = world.anonymous().get("/api/v1/openapi.json").json()["components"]["schemas"]
    for name, operation in operations.items():
        for status in ("200", "201"):
            content = operation["responses"].get(status, {}).get("content", {})
            answer = content.get("application/json")
            if answer is None or "$ref" not in answer.get("schema", {}):
                continue
            schema = schemas[answer["schema"]["$ref"].split("/")[-1]]
            properties = schema["properties"]
            # FastAPI leaves members out whose example is null.
            nullable = {key for key in properties if {"type": "null"} in types(properties[key])}
            assert set(answer["example"]) <= set(properties), name
            assert set(properties) - set(answer["example"]) <= nullable, name


def types(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return list(schema.get("anyOf", []))


def test_errors_are_problem_documents(operations: dict[str, dict[str, Any]]) -> None:
    for operation in operations.values():
        for status, answer in operation["responses"].items():
            if status.startswith(("4", "5")):
                assert list(answer["content"]) == ["application/problem+json"]
