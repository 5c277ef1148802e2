"""Which methods an address takes: all of them, not those of the one route that Starlette met."""

import re

from fastapi import FastAPI

_PARAMETER = re.compile(r"\{[^/}]+\}")


def find_methods(app: FastAPI, path: str) -> str:
    """The value of Allow for an address, or nothing if no route has it."""
    found = {
        method.upper()
        for template, methods in app.openapi()["paths"].items()
        if _fits(template, path)
        for method in methods
    }
    return ", ".join(sorted(found))


def _fits(template: str, path: str) -> bool:
    pattern = "[^/]+".join(map(re.escape, _PARAMETER.split(template)))
    return re.fullmatch(pattern, path) is not None
