"""Which methods an address takes: all of them, not those of the one route that Starlette met."""

import re

from fastapi import FastAPI

_PARAMETER = re.compile(r"\{[^/}]+\}")


def find_methods(app: FastAPI, path: str) -> str:
    """The value of Allow for an address, or nothing if no route has it.

    An address that has routes of its own (``/classes/join``) is not one of a parameter's.
    """
    paths = app.openapi()["paths"]
    fitting = [path] if path in paths else [one for one in paths if _fits(one, path)]
    found = {method.upper() for template in fitting for method in paths[template]}
    return ", ".join(sorted(found))


def _fits(template: str, path: str) -> bool:
    pattern = "[^/]+".join(map(re.escape, _PARAMETER.split(template)))
    return re.fullmatch(pattern, path) is not None
