"""Completes the OpenAPI document with what holds for all operations.

FastAPI derives operations, parameters and shapes from the endpoints. Added here: how callers prove
themselves, the shape and an example of every problem document, the headers of rates and replays,
and what identifiers in paths look like. A parameter that may be missing is not one that may be
null, so that is taken out.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from starlette.routing import BaseRoute

from judge.api.errors import MEDIA_TYPE, ProblemDocument
from judge.api.example_nulls import restore_nulls
from judge.api.named_components import name_components
from judge.api.openapi_headers import name_read_headers, name_sent_headers
from judge.api.openapi_security import say_who_may_call
from judge.api.openapi_words import add_words
from judge.api.schemas.base import NO_NUL

_PREFIX = "/api/v1/"
_AUTH = "/api/v1/auth/"
_COUNTED_STATUS = "429"
_SCHEMES = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token of the form `jt_…`; made under `POST /api/v1/me/tokens`.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "judge_session",
        "description": "The cookie that signing in sets; for browsers.",
    },
}
_PROBLEM = {
    "type": "object",
    "title": "Problem",
    "description": "RFC 9457. What else belongs to a code stands beside these members.",
    "required": ["type", "title", "status", "code", "detail", "instance"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "Stable, never translated."},
        "detail": {"type": "string"},
        "instance": {"type": "string", "description": "The request's id."},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["pointer", "code", "message"],
                "properties": {
                    "pointer": {"type": "string"},
                    "code": {"type": "string"},
                    "message": {"type": "string"},
                },
            },
        },
    },
}
# An example for each status: code, and what fills its sentence.
_EXAMPLES: Mapping[str, ProblemDocument] = {
    "400": ProblemDocument(400, "invalid-json"),
    "401": ProblemDocument(401, "not-signed-in"),
    "403": ProblemDocument(
        403, "missing-scope", details={"needed": ["scores:read"], "have": ["problems:read"]}
    ),
    "404": ProblemDocument(404, "not-found"),
    "406": ProblemDocument(
        406, "not-acceptable", details={"offered": ["application/json", "text/csv"]}
    ),
    "409": ProblemDocument(409, "idempotency-in-flight", details={"seconds": 2}),
    "410": ProblemDocument(410, "problem-retired", details={"slug": "sample_token"}),
    "412": ProblemDocument(412, "if-match-failed"),
    "413": ProblemDocument(413, "body-too-large", details={"max_bytes": 524288}),
    "415": ProblemDocument(
        415, "not-json", "only", details={"sent": "application/x-www-form-urlencoded"}
    ),
    "422": ProblemDocument(422, "invalid-request"),
    "428": ProblemDocument(428, "if-match-missing", variant="changed"),
    "429": ProblemDocument(
        429,
        "too-many-requests",
        details={"seconds": 17, "policy": "submit", "most": 20, "window": 60},
    ),
    "503": ProblemDocument(503, "not-ready", variant="workers"),
}
# Where a body is no JSON at all.
_ARCHIVE_EXAMPLE = ProblemDocument(415, "no-raw-archive")
_ANY_EXAMPLE = _EXAMPLES["403"]
# A schema with one of these says enough of a text.
_SAID = {"pattern", "enum", "format"}
_RATE_HEADERS = {
    "RateLimit": {
        "description": "What rests of the quota, and the seconds until it is whole again.",
        "schema": {"type": "string"},
        "example": '"read";r=599;t=60',
    },
    "RateLimit-Policy": {
        "description": "The quota and its window in seconds.",
        "schema": {"type": "string"},
        "example": '"read";q=600;w=60',
    },
}
_LOCALE = {
    "name": "locale",
    "in": "query",
    "required": False,
    "description": "vi, ja or en, for what a refusal says; anything else asks for nothing.",
    "schema": {"type": "string", "pattern": NO_NUL},
}


def complete(document: dict[str, Any], routes: Iterable[BaseRoute] = ()) -> dict[str, Any]:
    """Complete the document in place, and return it; ``routes`` are those of /api/v1."""
    components = document.setdefault("components", {})
    components["securitySchemes"] = _SCHEMES
    components.setdefault("schemas", {})["Problem"] = _PROBLEM
    say_who_may_call(document, _PREFIX.rstrip("/"), routes)
    for path, methods in document["paths"].items():
        for operation in methods.values():
            _complete_operation(path, operation)
        for method, operation in methods.items():
            name_sent_headers(methods, method)
            if path.startswith(_PREFIX):
                _add_locale(operation)
    name_components(document)
    add_words(document)
    restore_nulls(document)
    return document


def _complete_operation(path: str, operation: dict[str, Any]) -> None:
    is_counted = path.startswith(_PREFIX) and not path.startswith(_AUTH)
    operation.setdefault("security", [{name: []} for name in _SCHEMES] if is_counted else [])
    name_read_headers(operation)
    for parameter in operation.get("parameters", []):
        _complete_parameter(parameter)
        # Optional for FastAPI only because a request without it has an answer of its own: 428.
        if parameter["name"] == "if-match" and _has_to_match(operation):
            parameter["required"] = True
    if path.startswith(_PREFIX):
        operation["responses"].setdefault("422", {"content": {MEDIA_TYPE: {}}})
    asked = operation.get("requestBody", {}).get("content", {})
    takes_json = "application/json" in asked
    if takes_json:
        operation["responses"].setdefault("415", {"content": {MEDIA_TYPE: {}}})
    if is_counted:
        operation["responses"].setdefault("401", {"content": {MEDIA_TYPE: {}}})
        operation["responses"].setdefault(_COUNTED_STATUS, {"content": {MEDIA_TYPE: {}}})
    for status, answer in operation["responses"].items():
        if MEDIA_TYPE in answer.get("content", {}):
            is_raw = status == "415" and not takes_json
            _complete_problem(answer, _ARCHIVE_EXAMPLE if is_raw else _EXAMPLES.get(status))
        if is_counted and status != "401":
            answer.setdefault("headers", {}).update(_RATE_HEADERS)
    operation["responses"] = dict(sorted(operation["responses"].items()))


def _has_to_match(operation: dict[str, Any]) -> bool:
    """Whether nothing but If-Match can say what was read."""
    names = {parameter["name"] for parameter in operation["parameters"]}
    return "428" in operation["responses"] and "if-none-match" not in names


def _add_locale(operation: dict[str, Any]) -> None:
    """What every route takes, also one that has nothing to say but where it refuses."""
    parameters = operation.setdefault("parameters", [])
    if all(one["name"] != "locale" for one in parameters):
        parameters.append(_LOCALE)


def _complete_parameter(parameter: dict[str, Any]) -> None:
    schema = parameter["schema"]
    choices = [one for one in schema.pop("anyOf", []) if one != {"type": "null"}]
    if len(choices) == 1:
        schema.update(choices[0])
    elif choices:
        schema["anyOf"] = choices
    if schema.get("type") == "string" and not _SAID & set(schema):
        schema["pattern"] = NO_NUL


def _complete_problem(answer: dict[str, Any], example: ProblemDocument | None) -> None:
    document = example or _ANY_EXAMPLE
    answer["description"] = "A problem document (RFC 9457)."
    answer["content"] = {
        MEDIA_TYPE: {
            "schema": {"$ref": "#/components/schemas/Problem"},
            "example": document.body("en", "req_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f"),
        }
    }
