"""What Pydantic finds wrong with a request, in our own codes and words.

Pydantic names some hundred kinds of errors, in English; the few that the shapes of judge.api can
give are mapped here, every other one becomes ``invalid``.
"""

import re
from collections.abc import Mapping
from typing import Any

from judge.errors import Flaw

_CODES = {
    "missing": "missing",
    "extra_forbidden": "extra-forbidden",
    "literal_error": "choice",
    "enum": "choice",
    "model_attributes_type": "object",
    "model_type": "object",
    "dict_type": "object",
    "list_type": "list",
    "string_type": "text",
    "string_unicode": "lone-surrogate",
    "too_long": "too-many-items",
    "too_short": "too-few-items",
    "string_too_long": "too-long",
    "string_too_short": "too-short",
    # Of our own shapes only Idempotency-Key has a pattern.
    "string_pattern_mismatch": "printable-ascii",
    "lone-surrogate": "lone-surrogate",
    "nul-character": "nul-character",
    "bool_type": "true-or-false",
    "bool_parsing": "true-or-false",
    "float_type": "number",
    "float_parsing": "number",
    "finite_number": "number",
    "int_type": "integer",
    "int_parsing": "integer",
    "int_parsing_size": "integer",
    "int_from_float": "integer",
    "datetime_type": "time",
    "datetime_parsing": "time",
    "datetime_from_date_parsing": "time",
    "datetime_object_invalid": "time",
    "timezone_aware": "time-zone-missing",
    "greater_than_equal": "at-least",
    "less_than_equal": "at-most",
}
# What Pydantic finds wrong with the length of anything that has one, said of a text.
_OF_TEXTS = {"too-many-items": "too-long", "too-few-items": "too-short"}
_QUOTED = re.compile(r"'([^']*)'")


def read_flaw(error: Mapping[str, Any]) -> Flaw:
    """One error of a RequestValidationError."""
    code = _CODES.get(error["type"], "invalid")
    if isinstance(error.get("input"), str):
        code = _OF_TEXTS.get(code, code)
    details = {name: _shown(value) for name, value in (error.get("ctx") or {}).items()}
    if code == "choice":
        # "'vi', 'ja' or 'en'": the values, without Pydantic's English between them.
        details["choices"] = _QUOTED.findall(str(details.get("expected", "")))
    return Flaw(pointer(error["loc"]), code, details)


def _shown(value: object) -> object:
    """A bound as people write it: 60, not 60.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def pointer(location: tuple[int | str, ...]) -> str:
    """Where a field is: a JSON pointer into the body, or ``/query/<name>`` and the like.

    The name of an unknown field may hold what no answer can: a lone surrogate is written out.
    """
    parts = location[1:] if location and location[0] == "body" else location
    text = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
    return text.encode(errors="backslashreplace").decode()
