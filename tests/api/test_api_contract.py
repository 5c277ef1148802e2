"""What clients build on does not change under them: the promise of /api/v1 as a file.

``golden/contract.json`` holds, for every operation, its parameters, the fields of its request and
those of its answers with their types. What the file names has to stay. More may be added, and goes
into the file with ``RENEW_CONTRACT=1 scripts/test tests/api/test_api_contract.py``; that is also
how a promise is taken back on purpose, in a commit that says so.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from api_world import World

GOLDEN = Path(__file__).parent / "golden" / "contract.json"
METHODS = ("get", "post", "put", "patch", "delete")
Contract = dict[str, dict[str, Any]]


def fields(
    document: Mapping[str, Any], schema: Mapping[str, Any], at: str
) -> Iterator[tuple[str, str]]:
    """Every field below a schema, as a pointer with ``*`` for any index or key, and its type."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        schema = document["components"]["schemas"][name]
    options = schema.get("anyOf") or schema.get("oneOf") or ()
    if options:
        for option in options:
            yield from fields(document, option, at)
        return
    kind = schema.get("type", "any")
    yield at, "|".join(kind) if isinstance(kind, list) else kind
    for name, inner in schema.get("properties", {}).items():
        yield from fields(document, inner, f"{at}/{name}")
    for inner in (schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict):
            yield from fields(document, inner, f"{at}/*")


def flat(document: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, list[str]]:
    """The fields of every media type, each with its types."""
    found: dict[str, set[str]] = {}
    for media_type, body in content.items():
        for at, kind in fields(document, body.get("schema", {}), media_type):
            found.setdefault(at, set()).add(kind)
    return {at: sorted(kinds) for at, kinds in sorted(found.items())}


def contract_of(document: Mapping[str, Any]) -> Contract:
    """All that the document promises."""
    return {
        f"{method.upper()} {path}": {
            "parameters": {
                f"{one['in']} {one['name']}": bool(one.get("required"))
                for one in sorted(operation.get("parameters", ()), key=lambda one: one["name"])
            },
            "request": flat(document, operation.get("requestBody", {}).get("content", {})),
            "required": sorted(required(document, operation)),
            "answers": {
                status: flat(document, answer.get("content", {}))
                for status, answer in sorted(operation["responses"].items())
                if status < "3"
            },
        }
        for path, operations in sorted(document["paths"].items())
        for method, operation in operations.items()
        if method in METHODS
    }


def required(document: Mapping[str, Any], operation: Mapping[str, Any]) -> Iterator[str]:
    """What a request cannot do without, at its top."""
    body = operation.get("requestBody", {})
    for media_type, content in body.get("content", {}).items():
        schema = content.get("schema", {})
        if "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        yield from (f"{media_type}/{name}" for name in schema.get("required", ()))


def broken(old: Contract, new: Contract) -> Iterator[str]:
    """Every promise of the old contract that the new one does not keep."""
    for name, promised in old.items():
        if name not in new:
            yield f"{name} is gone"
            continue
        for part in (of_parameters, of_request, of_answers):
            for said in part(promised, new[name]):
                yield f"{name}: {said}"


def of_parameters(promised: dict[str, Any], present: dict[str, Any]) -> Iterator[str]:
    before, after = promised["parameters"], present["parameters"]
    yield from (f"the parameter {one} is gone" for one in before if one not in after)
    for one, is_required in after.items():
        if is_required and not before.get(one):
            yield f"the parameter {one} has become required"


def of_request(promised: dict[str, Any], present: dict[str, Any]) -> Iterator[str]:
    for field in set(present["required"]) - set(promised["required"]):
        yield f"the request's {field} has become required"
    for at, kinds in promised["request"].items():
        if not set(kinds) <= set(present["request"].get(at, ())):
            yield f"the request's {at} is no longer {kinds}"


def of_answers(promised: dict[str, Any], present: dict[str, Any]) -> Iterator[str]:
    for status, answer in promised["answers"].items():
        for at, kinds in answer.items():
            # A client has to be ready for every type that it was told, and for no other.
            now = present["answers"].get(status, {}).get(at)
            if not now or not set(now) <= set(kinds):
                yield f"{at} of {status} was {kinds} and is {now}"


@pytest.fixture
def present(world: World) -> Contract:
    contract = contract_of(world.app.openapi())
    if os.environ.get("RENEW_CONTRACT"):
        GOLDEN.write_text(json.dumps(contract, indent=1, sort_keys=True) + "\n")
    return contract


def test_nothing_that_clients_build_on_has_changed(present: Contract) -> None:
    assert list(broken(json.loads(GOLDEN.read_text()), present)) == []


def test_every_operation_is_in_the_contract(present: Contract) -> None:
    """So that a new one is a promise from its first release on."""
    assert set(present) <= set(json.loads(GOLDEN.read_text()))


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("answers", "200", "application/json/score"), None, "score of 200 was"),
        (("answers", "200", "application/json/score"), ["string"], "score of 200 was"),
        (("request", "application/json/source"), ["integer"], "is no longer"),
        (("parameters", "query since"), True, "has become required"),
        (("parameters", "query wait"), None, "is gone"),
        (("required",), ["application/json/note"], "has become required"),
    ],
)
def test_what_would_break_a_client_is_found(place: tuple[str, ...], value: Any, said: str) -> None:
    old: Contract = {
        "POST /x": {
            "parameters": {"query wait": False},
            "request": {"application/json/source": ["string"]},
            "required": [],
            "answers": {"200": {"application/json/score": ["null", "number"]}},
        }
    }
    new = json.loads(json.dumps(old))
    assert list(broken(old, new)) == []
    *way, last = place
    here = new["POST /x"]
    for step in way:
        here = here[step]
    if value is None:
        del here[last]
    else:
        here[last] = value
    (found,) = broken(old, new)
    assert said in found
