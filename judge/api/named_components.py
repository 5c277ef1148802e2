"""Gives every set of words in the OpenAPI document a component of its own, once.

A program that makes code of the document then has one type for each set, and not one for each
field. judge.api.schemas.base.OneOf marks such a set with its name; what is marked and holds no
words is a shape that the document has already.
"""

from collections.abc import Iterator
from typing import Any

from judge.api.schemas.base import NAMED
from judge.errors import JudgeBroken


def name_components(document: dict[str, Any]) -> None:
    """Move every marked set to the components, in place; a reference stays where it was.

    A shape that stands inside another although it is a component becomes a reference, too.
    """
    schemas: dict[str, Any] = document.setdefault("components", {}).setdefault("schemas", {})
    for marked in list(_marked(document)):
        name = marked.pop(NAMED)
        if "enum" in marked:
            component = {"type": "string", "enum": marked["enum"], "title": name}
            if schemas.setdefault(name, component).get("enum") != marked["enum"]:
                raise JudgeBroken(f"{name} stands for two sets of words")
        rest: dict[str, Any] = {
            key: marked[key] for key in ("default", "description") if key in marked
        }
        marked.clear()
        marked.update(rest)
        marked["$ref"] = f"#/components/schemas/{name}"
    for known in list(schemas.values()):
        for inner in list(_objects(known)):
            name = inner.get("title", "")
            if inner is not schemas.get(name) and inner == schemas.get(name):
                inner.clear()
                inner["$ref"] = f"#/components/schemas/{name}"


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    """Every shape of an object, with those inside it."""
    if isinstance(node, dict):
        if node.get("type") == "object":
            yield node
        for inner in node.values():
            yield from _objects(inner)


def _marked(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if NAMED in node:
            yield node
        for inner in node.values():
            yield from _marked(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _marked(inner)
