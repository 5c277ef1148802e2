"""The OpenAPI document describes every operation with an example."""

from collections.abc import Iterator
from typing import Any

import pytest
from api_world import World
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from test_api_roles import TABLE

# POSTs that create nothing that a second call would create again: they end or change something,
# or are about credentials, which no answer may hold twice.
CREATES_NOTHING = {
    "POST /api/v1/auth/register",
    "POST /api/v1/auth/login",
    "POST /api/v1/auth/logout",
    "POST /api/v1/me/notices/read",
    "POST /api/v1/me/restore",
    "POST /api/v1/auth/links:check",
    "POST /api/v1/auth/links:use",
    "POST /api/v1/me/password",
    "POST /api/v1/me/tokens",
    "POST /api/v1/admin/invitations",
    "POST /api/v1/admin/accounts/{account_id}/reset-link",
    "POST /api/v1/admin/accounts:import",
    "POST /api/v1/classes/join",
    "POST /api/v1/classes/{class_id}/join-code",
    "POST /api/v1/classes/{class_id}/accept",
    "POST /api/v1/classes/{class_id}/leave",
    "POST /api/v1/submissions/{submission_id}/reveal/{ordinal}",
    "POST /api/v1/admin/revisions/{revision_id}/publish",
    "POST /api/v1/admin/rejudges/{rejudge_id}/apply",
    "POST /api/v1/admin/rejudges/{rejudge_id}/cancel",
}


@pytest.fixture
def document(world: World) -> dict[str, Any]:
    found: dict[str, Any] = world.anonymous().get("/api/v1/openapi.json").json()
    return found


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


def test_an_independent_validator_accepts_the_document(document: dict[str, Any]) -> None:
    assert [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_every_example_has_the_shape_that_it_is_an_example_of(document: dict[str, Any]) -> None:
    flaws = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
            contents = [one for body in bodies for one in body.get("content", {}).items()]
            for media_type, content in contents:
                if "json" not in media_type or "ndjson" in media_type or "schema" not in content:
                    continue
                schema = {**content["schema"], "components": document["components"]}
                for error in Draft202012Validator(schema).iter_errors(content["example"]):
                    flaws.append(f"{method} {path}: {error.json_path}: {error.message[:200]}")
    assert flaws == []


def test_every_post_that_creates_takes_an_idempotency_key(
    operations: dict[str, dict[str, Any]],
) -> None:
    taking = {name for name, one in operations.items() if "Idempotency-Key" in headers_of(one)}
    posts = {name for name in operations if name.startswith("POST ")}
    assert taking == posts - CREATES_NOTHING
    assert posts >= CREATES_NOTHING


def headers_of(operation: dict[str, Any]) -> set[str]:
    return {one["name"] for one in operation.get("parameters", []) if one["in"] == "header"}


def test_who_needs_no_credentials_is_said(operations: dict[str, dict[str, Any]]) -> None:
    statuses = {f"{method} {route}": row for method, route, row in TABLE}
    for name, operation in operations.items():
        security = operation["security"]
        is_open = security == [] or {} in security
        assert is_open == (statuses[name][0] != 401), name


def test_every_operation_declares_how_it_refuses(operations: dict[str, dict[str, Any]]) -> None:
    statuses = {f"{method} {route}": row for method, route, row in TABLE}
    for name, operation in operations.items():
        declared = set(operation["responses"])
        seen = {str(status) for status in statuses[name]}
        needed = {status for status in ("401", "403", "404") if status in seen}
        if operation["security"]:
            needed |= {"401", "429"}
        if "{" in name:
            needed.add("404")
        assert needed <= declared, name


def test_counted_operations_declare_their_rates(operations: dict[str, dict[str, Any]]) -> None:
    for name, operation in operations.items():
        if not operation["security"]:
            continue
        for status, answer in operation["responses"].items():
            if status != "401":
                assert {"RateLimit", "RateLimit-Policy"} <= set(answer["headers"]), (name, status)
        assert "Retry-After" in operation["responses"]["429"]["headers"], name


# Fields of these names are words of a set wherever an answer has them as texts.
WORDS = {
    *("by", "cause", "change", "effect", "kind", "language", "languages", "locale", "purpose"),
    *("reason", "role", "scopes", "severity", "state", "unlocked", "verdict", "verify_state"),
    "visibility",
}


def test_every_set_of_words_is_an_enum(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    plain = [
        f"{name}.{field}"
        for name, schema in schemas.items()
        # What a probe reads of the machine, and rows whose flaws are told and not refused.
        if name not in ("Ready", "ImportRow", "RosterEntry")
        for field, described in schema.get("properties", {}).items()
        if field in WORDS and "enum" not in str(resolved(schemas, described))
    ]
    assert plain == []


def resolved(schemas: dict[str, Any], schema: Any) -> Any:
    """A schema with what it refers to in place of references."""
    if isinstance(schema, list):
        return [resolved(schemas, one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return schemas[schema["$ref"].rpartition("/")[2]]
    return {key: resolved(schemas, one) for key, one in schema.items()}


def test_every_success_with_a_body_has_a_schema(operations: dict[str, dict[str, Any]]) -> None:
    lacking = [
        f"{name} {status} {media_type}"
        for name, operation in operations.items()
        for status, answer in operation["responses"].items()
        for media_type, content in answer.get("content", {}).items()
        if status.startswith("2") and not content.get("schema")
    ]
    assert lacking == []


def test_operation_ids_say_what_is_done_to_what(operations: dict[str, dict[str, Any]]) -> None:
    names = [operation["operationId"] for operation in operations.values()]
    assert [name for name in names if "_" not in name] == []
    assert len(set(names)) == len(names)


def test_every_tag_is_described(
    document: dict[str, Any], operations: dict[str, dict[str, Any]]
) -> None:
    used = {tag for operation in operations.values() for tag in operation["tags"]}
    assert {tag["name"] for tag in document["tags"]} == used
    assert all(tag["description"].endswith(".") for tag in document["tags"])


def test_descriptions_are_markdown(document: dict[str, Any]) -> None:
    said = [one.get("description", "") for one in every_schema(document)]
    assert [one for one in said if "``" in str(one)] == []
    assert "must ignore members that it does not know" in document["info"]["description"]


def test_an_enum_needs_no_pattern(document: dict[str, Any]) -> None:
    assert [one for one in every_schema(document) if "enum" in one and "pattern" in one] == []


def test_times_have_their_format(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    plain = [
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, described in schema.get("properties", {}).items()
        if field.endswith("_at") and "date-time" not in str(described)
    ]
    assert plain == []


def every_schema(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from every_schema(inner)
    if isinstance(node, list):
        for inner in node:
            yield from every_schema(inner)


def test_an_example_of_a_refusal_fits_its_status(operations: dict[str, dict[str, Any]]) -> None:
    for name, operation in operations.items():
        for status, answer in operation["responses"].items():
            problem = answer.get("content", {}).get("application/problem+json")
            if problem is not None and status != "default":
                assert str(problem["example"]["status"]) == status, name
