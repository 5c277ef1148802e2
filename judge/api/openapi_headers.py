"""Names in the OpenAPI document the headers that operations read and send.

Which ones these are follows from what an operation declares otherwise: one that takes a cursor
sends Link, one that may answer 304 reads If-None-Match. What follows from nothing is named at the
route (judge.api.schemas.base.sending); what each header looks like stands here once.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from judge.api.errors import MEDIA_TYPE

_TEXT = {"type": "string"}
_ETAG = {"type": "string", "pattern": '^"[^"]*"$'}
_SENT: Mapping[str, dict[str, Any]] = {
    "Content-Disposition": {
        "description": "That this is a file, and under which name to keep it.",
        "schema": _TEXT,
        "example": 'attachment; filename="decode-judge-export.zip"',
    },
    "Content-Language": {
        "description": "The locale of what people read in the answer.",
        "schema": _TEXT,
        "example": "en",
    },
    "ETag": {
        "description": "What this state is called, for If-Match and If-None-Match.",
        "schema": _ETAG,
        "example": '"01990c1e5b7f7c3e9a1d2f3b4c5d6e80"',
    },
    "Idempotent-Replayed": {
        "description": "That an earlier request with this key did it; else it is missing.",
        "schema": {"type": "string", "enum": ["true"]},
        "example": "true",
    },
    "Link": {
        "description": "The address of the next page; missing on the last one.",
        "schema": _TEXT,
        "example": '</api/v1/submissions?cursor=WyJhIl0>; rel="next"',
    },
    "Location": {
        "description": "The address of what was made.",
        "schema": {"type": "string", "format": "uri-reference"},
        "example": "/api/v1/submissions/sub_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    },
    "Preference-Applied": {
        "description": "How long the judge was willing to wait, where Prefer asked for it.",
        "schema": _TEXT,
        "example": "wait=25",
    },
    "Retry-After": {
        "description": "Whole seconds after which another attempt is worth it.",
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
        "example": "17",
    },
    "WWW-Authenticate": {
        "description": "Which credentials a program can send.",
        "schema": _TEXT,
        "example": 'Bearer realm="judge"',
    },
}
_READ: Mapping[str, dict[str, Any]] = {
    "if-none-match": {
        "description": "An ETag that was read: 304 if it is still the present one.",
    },
    "prefer": {
        "description": "`wait=25`: as the parameter `wait`, which comes before it.",
        "example": "wait=25",
    },
}


def name_read_headers(operation: dict[str, Any]) -> None:
    """Add the headers that an operation reads and FastAPI does not know of."""
    names = _parameters(operation)
    wanted = []
    if "304" in operation["responses"] and "if-none-match" not in names:
        wanted.append("if-none-match")
    if "wait" in names:
        wanted.append("prefer")
    for name in wanted:
        parameter = {"name": name, "in": "header", "required": False, "schema": dict(_TEXT)}
        operation["parameters"].append({**parameter, **_READ[name]})


def name_sent_headers(methods: Mapping[str, dict[str, Any]], method: str) -> None:
    """Name the headers of every answer of an operation; ``methods`` are those of its path."""
    operation = methods[method]
    has_etag = "304" in operation["responses"] or "if-match" in _parameters(operation)
    if method == "get":
        has_etag |= any("if-match" in _parameters(one) for one in methods.values())
    speaks = "locale" in _parameters(operation)
    for status, answer in operation["responses"].items():
        named = answer.get("headers", {})
        names = [*_of_content(answer), *_of_status(status), *_of_operation(operation, status)]
        if speaks and (status in ("204", "304") or "application/json" in answer.get("content", {})):
            names.append("Content-Language")
        if has_etag and status in ("200", "304", "412"):
            names.append("ETag")
        for name in sorted({*names, *(one for one in named if one in _SENT)}):
            answer.setdefault("headers", {})[name] = _SENT[name]


def _of_content(answer: Mapping[str, Any]) -> Iterator[str]:
    content = answer.get("content", {})
    if MEDIA_TYPE in content:
        yield "Content-Language"
    if "application/zip" in content:
        yield "Content-Disposition"


def _of_status(status: str) -> Iterator[str]:
    if status == "401":
        yield "WWW-Authenticate"
    if status in ("429", "503"):
        yield "Retry-After"


def _of_operation(operation: Mapping[str, Any], status: str) -> Iterator[str]:
    names = _parameters(operation)
    is_success = status.startswith("2")
    if is_success and "cursor" in names:
        yield "Link"
    if is_success and "wait" in names:
        yield "Preference-Applied"
    if "Idempotency-Key" in names:
        if is_success or (status.startswith("4") and status not in ("401", "429")):
            yield "Idempotent-Replayed"
        if status == "409":
            yield "Retry-After"


def _parameters(operation: Mapping[str, Any]) -> set[str]:
    return {one["name"] for one in operation.get("parameters", ())}
