"""Puts members that are null back into the examples of an OpenAPI document.

FastAPI leaves them out when it writes the document, though the shape requires them: a reader would
not see that ``score`` is null while nothing was judged.
"""

from typing import Any


def restore_nulls(document: dict[str, Any]) -> None:
    """Complete every example that has a shape, in place."""
    schemas = document["components"]["schemas"]
    for methods in document["paths"].values():
        for operation in methods.values():
            for answer in operation["responses"].values():
                for content in answer.get("content", {}).values():
                    if "example" in content and "schema" in content:
                        _restore(content["example"], content["schema"], schemas)


def _restore(example: Any, schema: dict[str, Any], schemas: dict[str, Any]) -> None:
    for shape in _choices(schema, schemas):
        if isinstance(example, dict):
            for name, inner in shape.get("properties", {}).items():
                if name in example:
                    _restore(example[name], inner, schemas)
                elif name in shape.get("required", ()) and _takes_null(inner):
                    example[name] = None
        if isinstance(example, list) and "items" in shape:
            for item in example:
                _restore(item, shape["items"], schemas)


def _choices(schema: dict[str, Any], schemas: dict[str, Any]) -> list[dict[str, Any]]:
    """The shapes that a schema allows, without references."""
    if "$ref" in schema:
        return _choices(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    return [shape for one in schema.get("anyOf", ()) for shape in _choices(one, schemas)] or [
        schema
    ]


def _takes_null(schema: dict[str, Any]) -> bool:
    says_nothing = not {"type", "anyOf", "$ref"} & set(schema)
    return says_nothing or {"type": "null"} in schema.get("anyOf", ())
