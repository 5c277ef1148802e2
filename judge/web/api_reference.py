"""The OpenAPI document as its page shows it: operations by tag, in the document's own words.

Takes what judge.api.openapi has completed, and changes nothing in it. What stands in the document
in other ways than ours (bodies described in place, several servers, links) is not looked at.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judge.web.pieces import Pieces, read_paragraphs

_PROBLEM = "application/problem+json"
_UNTAGGED = "other"
# What a schema says of a value, beside its type; in this order.
_RULES = ("format", "default", "minimum", "maximum", "minLength", "maxLength", "pattern")
# Any text at all that can be stored: it says nothing to a reader.
_NO_RULE = ("pattern", r"^[^\u0000]*$")


@dataclass(frozen=True)
class Example:
    """A body of one media type, ready to be shown."""

    media_type: str
    text: str


@dataclass(frozen=True)
class Parameter:
    """One parameter; ``place`` is path, query, header or cookie, ``rules`` are its schema's."""

    name: str
    place: str
    is_required: bool
    rules: tuple[str, ...]
    paragraphs: tuple[Pieces, ...]


@dataclass(frozen=True)
class Answer:
    """One status of an operation; ``is_common`` where its example stands once for all of them."""

    status: str
    paragraphs: tuple[Pieces, ...]
    examples: tuple[Example, ...]
    is_common: bool


@dataclass(frozen=True)
class Credential:
    """One way of proving oneself that an operation takes, with the scopes that it must have."""

    name: str
    scopes: tuple[str, ...]


@dataclass(frozen=True)
class Operation:
    """A method on a path; ``is_open`` where it answers without any of the credentials, too."""

    id: str
    method: str
    path: str
    summary: str
    paragraphs: tuple[Pieces, ...]
    is_open: bool
    credentials: tuple[Credential, ...]
    parameters: tuple[Parameter, ...]
    request: tuple[Example, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Group:
    """The operations of one tag."""

    tag: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True)
class Scheme:
    """One kind of credential."""

    name: str
    paragraphs: tuple[Pieces, ...]


@dataclass(frozen=True)
class Problem:
    """The example of a problem document that all answers of a status share."""

    status: str
    code: str
    example: Example


@dataclass(frozen=True)
class Words:
    """A named set of words that a field may hold, each as JSON has it."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class ApiReference:
    """All of it."""

    groups: tuple[Group, ...]
    schemes: tuple[Scheme, ...]
    problems: tuple[Problem, ...]
    sets: tuple[Words, ...]


def read_document(document: Mapping[str, Any]) -> ApiReference:
    """What the page of the API shows of an OpenAPI document."""
    problems = _find_problems(document)
    groups: dict[str, list[Operation]] = {}
    for method, path, described in _operations(document):
        tag = next(iter(described.get("tags", ())), _UNTAGGED)
        operation = _read_operation(document, problems, method, path, described)
        groups.setdefault(tag, []).append(operation)
    schemes = document.get("components", {}).get("securitySchemes", {})
    return ApiReference(
        tuple(Group(tag, tuple(operations)) for tag, operations in groups.items()),
        tuple(
            Scheme(name, read_paragraphs(scheme.get("description", "")))
            for name, scheme in schemes.items()
        ),
        tuple(
            Problem(status, str(example["code"]), Example(_PROBLEM, _shown(example)))
            for status, example in sorted(problems.items())
        ),
        tuple(
            Words(name, tuple(json.dumps(word, ensure_ascii=False) for word in schema["enum"]))
            for name, schema in sorted(document.get("components", {}).get("schemas", {}).items())
            if "enum" in schema
        ),
    )


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            yield method.upper(), path, described


def _find_problems(document: Mapping[str, Any]) -> dict[str, Any]:
    """By status, the first example of a problem document: the same one on nearly all operations."""
    found: dict[str, Any] = {}
    for _, _, described in _operations(document):
        for status, answer in described["responses"].items():
            content = answer.get("content", {}).get(_PROBLEM, {})
            if "example" in content:
                found.setdefault(status, content["example"])
    return found


def _read_operation(
    document: Mapping[str, Any],
    problems: Mapping[str, Any],
    method: str,
    path: str,
    described: Mapping[str, Any],
) -> Operation:
    choices: list[dict[str, list[str]]] = described.get("security", [])
    return Operation(
        id=described["operationId"],
        method=method,
        path=path,
        summary=described.get("summary", ""),
        paragraphs=read_paragraphs(described.get("description", "")),
        is_open=not choices or {} in choices,
        credentials=tuple(
            Credential(name, tuple(scopes)) for choice in choices for name, scopes in choice.items()
        ),
        parameters=tuple(_read_parameter(document, one) for one in described.get("parameters", ())),
        request=_read_examples(described.get("requestBody", {})),
        answers=tuple(
            _read_answer(status, answer, problems)
            for status, answer in described["responses"].items()
        ),
    )


def _read_parameter(document: Mapping[str, Any], described: Mapping[str, Any]) -> Parameter:
    return Parameter(
        described["name"],
        described["in"],
        described.get("required", False),
        tuple(_read_rules(document, described.get("schema", {}))),
        read_paragraphs(described.get("description", "")),
    )


def _read_rules(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    whole = {**_resolve(document, schema.get("$ref", "")), **schema}
    choices = [whole, *(_resolve(document, one.get("$ref", "")) | one for one in _either(whole))]
    if types := [str(one["type"]) for one in choices if "type" in one]:
        yield " | ".join(types)
    if values := [str(value) for one in choices for value in one.get("enum", ())]:
        yield " | ".join(values)
    for rule in _RULES:
        if rule in whole and (rule, whole[rule]) != _NO_RULE:
            yield f"{rule}: {whole[rule]}"


def _either(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    choices: list[dict[str, Any]] = schema.get("anyOf", [])
    return choices


def _resolve(document: Mapping[str, Any], reference: str) -> dict[str, Any]:
    """The schema that a reference into the document's components names; {} for none."""
    if not reference:
        return {}
    schema: dict[str, Any] = document["components"]["schemas"][reference.rpartition("/")[2]]
    return schema


def _read_answer(status: str, described: Mapping[str, Any], problems: Mapping[str, Any]) -> Answer:
    problem = described.get("content", {}).get(_PROBLEM, {}).get("example")
    is_common = problem is not None and problem == problems.get(status)
    return Answer(
        status,
        read_paragraphs(described.get("description", "")),
        () if is_common else _read_examples(described),
        is_common,
    )


def _read_examples(described: Mapping[str, Any]) -> tuple[Example, ...]:
    return tuple(
        Example(media_type, _shown(content["example"]))
        for media_type, content in described.get("content", {}).items()
        if "example" in content
    )


def _shown(example: object) -> str:
    if isinstance(example, str):
        return example
    return json.dumps(example, indent=2, ensure_ascii=False)
